import { registerHooks } from 'node:module'
import { DatabaseSync } from 'node:sqlite'

// The Bluesky server asks for better-sqlite3, whose compiled part would have to be built on each machine. Node includes
// SQLite itself, so this offers what the server and its query builder call, with the same results: rows with Buffers,
// and errors with SQLite's names. `node --import` this file, and its imports of better-sqlite3 get this.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'better-sqlite3' ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
})

/** SQLite's extended result codes that the server acts on. https://www.sqlite.org/rescode.html */
const NAMES = new Map([
  [5, 'SQLITE_BUSY'],
  [261, 'SQLITE_BUSY_RECOVERY'],
  [517, 'SQLITE_BUSY_SNAPSHOT'],
  [773, 'SQLITE_BUSY_TIMEOUT'],
  [1555, 'SQLITE_CONSTRAINT_PRIMARYKEY'],
  [2067, 'SQLITE_CONSTRAINT_UNIQUE'],
])

/** What Node's SQLite throws gets the code that better-sqlite3 gives it. */
function named(run) {
  try {
    return run()
  } catch (error) {
    if (error.code === 'ERR_SQLITE_ERROR') error.code = NAMES.get(error.errcode) ?? 'SQLITE_ERROR'
    throw error
  }
}

/** Bytes as a Buffer, in a row with Object's prototype. */
function asRow(row) {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value,
  ])
  return Object.fromEntries(entries)
}

class Statement {
  #statement

  constructor(statement) {
    this.#statement = statement
    /** Whether it returns rows. */
    this.reader = statement.columns().length > 0
  }

  all(parameters = []) {
    return named(() => this.#statement.all(...parameters)).map(asRow)
  }

  run(parameters = []) {
    return named(() => this.#statement.run(...parameters))
  }

  *iterate(parameters = []) {
    for (const row of this.#statement.iterate(...parameters)) yield asRow(row)
  }
}

export default class Database {
  #database

  constructor(location, { timeout = 5000 } = {}) {
    this.#database = named(() => new DatabaseSync(location, { timeout }))
    // what a test wrote needn't outlive a power cut
    this.#database.exec('pragma synchronous = off')
  }

  prepare(sql) {
    return new Statement(named(() => this.#database.prepare(sql)))
  }

  pragma(assignment) {
    return this.prepare(`pragma ${assignment}`).all()
  }

  close() {
    if (this.#database.isOpen) this.#database.close()
  }
}
