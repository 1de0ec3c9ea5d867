import {
  AbortedTransactionError,
  DefaultQueryExecutor,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  Transaction,
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import { insertMany } from './insertMany.ts'
import { KeptRows, type KeptRow } from './keptRows.ts'
import { executeOn, type Tx } from './kysely.ts'
import type { Database } from './schema.ts'
import { statementName } from './statements.ts'

type State = 'open' | 'committed' | 'closed'

const compiler = new PostgresQueryCompiler()
const adapter = new PostgresAdapter()
const driver = new DummyDriver()
const dialect: Dialect = {
  createDriver: () => driver,
  createQueryCompiler: () => compiler,
  createAdapter: () => adapter,
  createIntrospector: (db) => new PostgresIntrospector(db),
}

/**
 * One client for the length of one transaction. Statements may be sent without waiting for the one before. What opens the
 * transaction may be left to go with its first statement.
 */
class TransactionConnection implements DatabaseConnection {
  readonly #client: pg.ClientBase
  readonly #kept = new KeptRows()
  #opening: (() => void) | undefined
  #state: State = 'open'

  constructor(client: pg.ClientBase, opening?: () => void) {
    this.#client = client
    this.#opening = opening
  }

  get state(): State {
    return this.#state
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#state !== 'open') throw new Error(`A statement came after its transaction was ${this.#state}`)
    if (!this.#opening) return await executeOn<R>(this.#client, query)
    const [result] = await this.#write(() => [executeOn<R>(this.#client, query)])
    return result
  }

  streamQuery(): never {
    throw new Error('Streaming is not used: read in pages by key')
  }

  keep<T extends keyof Database>(table: T, rows: readonly KeptRow<T>[]): void {
    if (this.#state !== 'open') throw new Error(`A statement came after its transaction was ${this.#state}`)
    this.#kept.add(table, rows)
  }

  /** Sends a query with `commit` behind it in the same write. */
  async executeAndCommit<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#state !== 'open') throw new Error(`A statement came after its transaction was ${this.#state}`)
    this.#state = 'committed'
    const [result] = await this.#write(() => [executeOn<R>(this.#client, query), this.#sendKept(), this.#sendCommit()])
    return result
  }

  async commit(): Promise<void> {
    if (this.#state === 'committed') return
    this.#state = 'committed'
    await this.#write(() => [this.#sendKept(), this.#sendCommit()])
  }

  async #sendKept(): Promise<void> {
    const statement = this.#kept.statement()
    if (statement) await executeOn(this.#client, statement)
  }

  async rollback(): Promise<void> {
    this.#state = 'closed'
    // what was never begun needs no end
    if (!this.#opening) await this.#client.query('rollback')
  }

  #write<const T extends readonly Promise<unknown>[]>(send: () => T): ReturnType<typeof inOneWrite<T>> {
    const opening = this.#opening
    this.#opening = undefined
    return inOneWrite(this.#client, () => {
      opening?.()
      return send()
    })
  }

  async #sendCommit(): Promise<void> {
    const { command } = await this.#client.query('commit')
    // PostgreSQL answers ROLLBACK to the commit of a transaction in which a statement failed
    if (command === 'ROLLBACK') throw new AbortedTransactionError()
  }
}

/** Several messages in one write, one round trip: our clients are in pipeline mode. Fails with the error of the first that failed. */
async function inOneWrite<const T extends readonly Promise<unknown>[]>(client: pg.ClientBase, send: () => T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  // every client of pg's own pool is a Client, whose connection stands on a socket
  const { stream } = (client as pg.Client).connection
  stream.cork()
  const sent = send()
  stream.uncork()
  // a commit that could not be is only told after what was wrong
  for (const answer of await Promise.allSettled(sent)) if (answer.status === 'rejected') throw answer.reason
  return await Promise.all(sent)
}

const open = new WeakMap<Tx, TransactionConnection>()

function transactionOn(connection: TransactionConnection): Tx {
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    provideConnection: (consumer) => consumer(connection),
  })
  const tx = new Transaction<Database>({ config: { dialect }, dialect, driver, executor })
  open.set(tx, connection)
  return tx
}

/**
 * Begins a transaction, together with a first statement when one is given (one round trip for both), runs `fn`, and
 * commits; on a throw it rolls back and passes the error on. The client is dropped when the rollback fails too. With
 * `durable: false` the commit does not wait for the disk; with `readOnly` a write fails.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  first: pg.QueryConfig | null,
  fn: (tx: Tx, rows: unknown[]) => Promise<T>,
  { durable = true, readOnly = false }: { durable?: boolean; readOnly?: boolean } = {},
): Promise<T> {
  const client = await pool.connect()
  const connection = new TransactionConnection(client)
  let broken = false
  try {
    const rows = await begin(client, first, readOnly ? BEGIN_READ : durable ? 'begin' : BEGIN_SOFT)
    const result = await fn(transactionOn(connection), rows)
    await connection.commit()
    return result
  } catch (error) {
    await connection.rollback().catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** What comes of a transaction whose first statement nobody waits for. Neither promise rejects, but when no connection is to be had. */
export type Foregone<T> = {
  /** The rows of the first statement, as soon as they are here; undefined when it was not sent or failed. */
  rows: Promise<unknown[] | undefined>
  outcome: Promise<{ value: T } | { error: unknown }>
}

/** What goes before the first statement of a transaction: a question, or only the tenant, which costs no question. */
export type Opening = { first: pg.QueryConfig } | { orgId: string | null }

/**
 * A read-only transaction that begins, and sends its opening, together with the first statement of `fn`: one round trip less.
 * `fn` runs without knowing what the question answers; whoever calls judges by the rows whether to believe what came of it.
 */
export function readBeforehand<T>(pool: pg.Pool, opening: Opening, fn: (tx: Tx) => Promise<T>): Foregone<T> {
  const { promise: rows, resolve } = Promise.withResolvers<unknown[] | undefined>()
  const words = 'first' in opening ? BEGIN_READ : `${BEGIN_READ}; set local app.org_id = ${literalOf(opening.orgId)}`
  const run = async () => {
    const client = await pool.connect()
    const connection = new TransactionConnection(client, () => {
      // that it failed shows in what follows
      client.query(words).catch(() => {})
      if (!('first' in opening)) return
      const { first } = opening
      client.query<pg.QueryResultRow>({ ...first, name: statementName(first.text) }).then(
        (result) => resolve(result.rows),
        () => resolve(undefined),
      )
    })
    let broken = false
    try {
      const value = await fn(transactionOn(connection))
      await connection.commit()
      return { value }
    } catch (error) {
      await connection.rollback().catch(() => {
        broken = true
      })
      return { error }
    } finally {
      client.release(broken)
    }
  }
  // answered before what was sent behind it; left open only by what was never sent
  const outcome = run().finally(() => resolve(undefined))
  return { rows, outcome }
}

/** An id as SQL writes it; nothing but an id is ever written into a statement. */
function literalOf(id: string | null): string {
  if (id !== null && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) throw new Error('not an id')
  return `'${id ?? ''}'`
}

const BEGIN_READ = 'begin read only'
const BEGIN_SOFT = 'begin; set local synchronous_commit = off'

async function begin(client: pg.ClientBase, first: pg.QueryConfig | null, words: string): Promise<unknown[]> {
  if (!first) {
    await client.query(words)
    return []
  }
  const named = { ...first, name: statementName(first.text) }
  const [, result] = await inOneWrite(client, () => [client.query(words), client.query<pg.QueryResultRow>(named)])
  return result.rows
}

/**
 * A whole transaction in one write and one round trip, for statements of which none needs the answer of another. Answers
 * the rows of each; fails with the first error, and then nothing was done.
 */
export async function inOneTrip(pool: pg.Pool, statements: readonly pg.QueryConfig[], { durable = true }: { durable?: boolean } = {}): Promise<unknown[][]> {
  const named = statements.map((statement) => ({ ...statement, name: statementName(statement.text) }))
  const [only] = named
  // a statement alone is its own transaction
  if (only && named.length === 1 && durable) return [(await pool.query<pg.QueryResultRow>(only)).rows]
  const client = await pool.connect()
  try {
    const answers = await inOneWrite(client, () => [client.query(durable ? 'begin' : BEGIN_SOFT), ...named.map((one) => client.query<pg.QueryResultRow>(one)), client.query('commit')])
    if (answers.at(-1)?.command === 'ROLLBACK') throw new AbortedTransactionError()
    return answers.slice(1, -1).map(({ rows }) => rows)
  } finally {
    client.release()
  }
}

/**
 * Inserts rows that nothing in the transaction reads, with its commit, by one statement for all of them and in the same
 * write; when that fails, the transaction fails. A transaction that is not one of ours inserts at once.
 */
export async function insertWithCommit<T extends keyof Database>(tx: Tx, table: T, rows: readonly KeptRow<T>[]): Promise<void> {
  const connection = open.get(tx)
  if (connection) connection.keep(table, rows)
  else await insertMany(tx, table, rows)
}

/**
 * Runs the last query of a transaction with the commit behind it in the same write: for reads, which then cost two
 * round trips in all. Nothing may be asked of `tx` afterwards, and a throw afterwards undoes nothing.
 */
export async function readAndCommit<R>(tx: Tx, query: Compilable<R>): Promise<R[]> {
  const connection = open.get(tx)
  if (!connection) throw new Error('Not a transaction opened by inTransaction')
  const result = await connection.executeAndCommit<R>(query.compile())
  return result.rows
}
