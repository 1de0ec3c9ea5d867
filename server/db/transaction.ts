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
  type RawBuilder,
} from 'kysely'
import type pg from 'pg'
import { insertMany } from './insertMany.ts'
import { DeferredInserts, type DeferredInsert } from './deferredInserts.ts'
import { configOf, executeOn, resultOf, type Tx } from './kysely.ts'
import type { Database } from './schema.ts'
import { statementName } from './statements.ts'
import { sendPipelined } from './pipeline.ts'

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
  readonly #kept = new DeferredInserts()
  #opening: Opening | undefined
  #state: State = 'open'

  constructor(client: pg.ClientBase, opening?: Opening) {
    this.#client = client
    this.#opening = opening
  }

  get state(): State {
    return this.#state
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#state !== 'open') throw new Error(`A statement came after its transaction was ${this.#state}`)
    const opening = this.#opening
    if (!opening) return await executeOn<R>(this.#client, query)
    this.#opening = undefined
    const [result] = await inOneWrite(this.#client, () => {
      // what follows shows that it failed
      this.#client.query(BEGIN_READ).catch(() => {})
      void opening.hear(this.#client.query<pg.QueryResultRow>(named(opening.statement)))
      return [executeOn<R>(this.#client, query)]
    })
    return result
  }

  streamQuery(): never {
    throw new Error('Streaming is not used: read in pages by key')
  }

  /** What is inserted with the commit. */
  get kept(): DeferredInserts {
    if (this.#state !== 'open') throw new Error(`A statement came after its transaction was ${this.#state}`)
    return this.#kept
  }

  async sendKept(): Promise<void> {
    const statement = this.#kept.take()
    if (statement) await executeOn(this.#client, statement)
  }

  /** Sends a query with `commit` behind it in the same write; not even that where it is the only one. */
  async executeAndCommit<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#state !== 'open') throw new Error(`A statement came after its transaction was ${this.#state}`)
    this.#state = 'committed'
    const opening = this.#opening
    if (opening) {
      const [opened, answer] = sendPipelined(this.#client, named(opening.statement), configOf(query))
      void opening.hear(opened)
      return resultOf<R>(await answer)
    }
    const [result] = await inOneWrite(this.#client, () => [
      executeOn<R>(this.#client, query),
      this.sendKept(),
      this.#sendCommit(),
    ])
    return result
  }

  async commit(): Promise<void> {
    if (this.#state === 'committed') return
    this.#state = 'committed'
    // the first statement was the only one
    if (this.#opening) await this.#opening.hear(this.#client.query(named(this.#opening.statement)))
    else await inOneWrite(this.#client, () => [this.sendKept(), this.#sendCommit()])
  }

  async rollback(): Promise<void> {
    this.#state = 'closed'
    // what never began needs no end
    if (!this.#opening) await this.#client.query('rollback')
  }

  async #sendCommit(): Promise<void> {
    const { command } = await this.#client.query('commit')
    // PostgreSQL answers ROLLBACK to the commit of a transaction in which a statement failed
    if (command === 'ROLLBACK') throw new AbortedTransactionError()
  }
}

/** Several messages in one write, one round trip: our clients are in pipeline mode. Fails with the error of the first that failed. */
async function inOneWrite<const T extends readonly Promise<unknown>[]>(
  client: pg.ClientBase,
  send: () => T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  // every client of pg's own pool is a Client, whose connection has a socket
  const { stream } = (client as pg.Client).connection
  stream.cork()
  const sent = send()
  stream.uncork()
  // the connection's own error is only reported after the statement's
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
 * `durable: false` the commit doesn't wait for the disk; with `readOnly` a write fails.
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
export type Discarded<T> = {
  /** The rows of the first statement, as soon as they are here; undefined when it wasn't sent or failed. */
  rows: Promise<unknown[] | undefined>
  outcome: Promise<{ value: T } | { error: unknown }>
}

/** What precedes the first statement of a read-only transaction, and who receives its result, or that there is none. */
type Opening = { statement: pg.QueryConfig; hear(answer: Promise<pg.QueryResult>): Promise<void> }

/**
 * A read-only transaction that begins, and sends a first statement, together with the first statement of `fn`: one
 * round trip less. `fn` runs without knowing the first result; the caller decides by its rows whether to use the
 * outcome. The first must forbid writes, as `set_config('transaction_read_only', 'on', true)` does: if `fn` sends one
 * statement with `readAndCommit`, nothing else does.
 */
export function readBeforehand<T>(pool: pg.Pool, first: pg.QueryConfig, fn: (tx: Tx) => Promise<T>): Discarded<T> {
  const { promise: rows, resolve } = Promise.withResolvers<unknown[] | undefined>()
  const hear = (answer: Promise<pg.QueryResult>) =>
    answer.then(
      (result) => resolve(result.rows),
      () => resolve(undefined),
    )
  const run = async () => {
    const client = await pool.connect()
    const connection = new TransactionConnection(client, { statement: first, hear })
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

const BEGIN_READ = 'begin read only'
const BEGIN_SOFT = 'begin; set local synchronous_commit = off'

const named = (statement: pg.QueryConfig): pg.QueryConfig => ({ ...statement, name: statementName(statement.text) })

async function begin(client: pg.ClientBase, first: pg.QueryConfig | null, words: string): Promise<unknown[]> {
  if (!first) {
    await client.query(words)
    return []
  }
  const [, result] = await inOneWrite(client, () => [
    client.query(words),
    client.query<pg.QueryResultRow>(named(first)),
  ])
  return result.rows
}

/**
 * A whole transaction in one write and one round trip, for statements of which none needs the answer of another.
 * Returns the rows of each; fails with the first error, and then nothing was done.
 */
export async function inOneTrip(
  pool: pg.Pool,
  statements: readonly pg.QueryConfig[],
  { durable = true }: { durable?: boolean } = {},
): Promise<unknown[][]> {
  const all = statements.map(named)
  const [only] = all
  // a single statement is its own transaction
  if (only && all.length === 1 && durable) return [(await pool.query<pg.QueryResultRow>(only)).rows]
  const client = await pool.connect()
  try {
    const answers = await inOneWrite(client, () => [
      client.query(durable ? 'begin' : BEGIN_SOFT),
      ...all.map((one) => client.query<pg.QueryResultRow>(one)),
      client.query('commit'),
    ])
    if (answers.at(-1)?.command === 'ROLLBACK') throw new AbortedTransactionError()
    return answers.slice(1, -1).map(({ rows }) => rows)
  } finally {
    client.release()
  }
}

/**
 * Inserts rows that nothing in the transaction reads, with its commit, by one statement for all of them and in the same
 * write; when that fails, the transaction fails. A transaction that isn't one of ours inserts at once.
 */
export async function insertWithCommit<T extends keyof Database>(
  tx: Tx,
  table: T,
  rows: readonly DeferredInsert<T>[],
): Promise<void> {
  const connection = open.get(tx)
  if (connection) connection.kept.add(table, rows)
  else await insertMany(tx, table, rows)
}

/** The same for an insert of any form; what nothing in the transaction reads either. Its names are unique in the transaction. */
export function queryWithCommit(
  tx: Tx,
  { name, insert, last }: { name: string; insert: RawBuilder<unknown>; last?: RawBuilder<unknown> },
): void {
  const { kept } = connectionOf(tx)
  kept.addQuery({ name, insert: insert.compile(tx), ...(last && { last: last.compile(tx) }) })
}

/** Inserts now what was to be inserted with the commit, for what reads it after all. */
export async function insertDeferred(tx: Tx): Promise<void> {
  await open.get(tx)?.sendKept()
}

function connectionOf(tx: Tx): TransactionConnection {
  const connection = open.get(tx)
  if (!connection) throw new Error('Not a transaction opened by inTransaction')
  return connection
}

/**
 * Runs the last query of a transaction with the commit behind it in the same write: for reads, which then cost two
 * round trips in all. Nothing may be asked of `tx` afterwards, and a throw afterwards undoes nothing.
 */
export async function readAndCommit<R>(tx: Tx, query: Compilable<R>): Promise<R[]> {
  const result = await connectionOf(tx).executeAndCommit<R>(query.compile())
  return result.rows
}
