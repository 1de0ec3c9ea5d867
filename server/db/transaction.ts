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
  readonly #last: CompiledQuery[] = []
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

  keepForCommit(query: CompiledQuery): void {
    if (this.#state !== 'open') throw new Error(`A statement came after its transaction was ${this.#state}`)
    this.#last.push(query)
  }

  /** Sends a query with `commit` behind it in the same write. */
  async executeAndCommit<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#state !== 'open') throw new Error(`A statement came after its transaction was ${this.#state}`)
    this.#state = 'committed'
    const [result] = await this.#write(() => [executeOn<R>(this.#client, query), this.#sendLast()])
    return result
  }

  async commit(): Promise<void> {
    if (this.#state === 'committed') return
    this.#state = 'committed'
    if (this.#last.length === 0 && !this.#opening) await this.#sendCommit()
    else await this.#write(() => [this.#sendLast()])
  }

  /** What was kept for the commit, and the commit. */
  async #sendLast(): Promise<void> {
    await Promise.all([...this.#last.map((query) => executeOn(this.#client, query)), this.#sendCommit()])
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

/** Several messages in one write, one round trip: our clients are in pipeline mode. Fails with the first error. */
async function inOneWrite<const T extends readonly Promise<unknown>[]>(client: pg.ClientBase, send: () => T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  // every client of pg's own pool is a Client, whose connection stands on a socket
  const { stream } = (client as pg.Client).connection
  stream.cork()
  const answers = Promise.all(send())
  stream.uncork()
  return await answers
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

/** What came of a transaction whose first statement nobody waited for: its rows, undefined when it was not sent or failed. */
export type Foregone<T> = { rows: unknown[] | undefined } & ({ value: T } | { error: unknown })

/**
 * A read-only transaction that begins, and sends `first`, together with the first statement of `fn`: one round trip less.
 * `fn` runs without knowing what `first` answers; whoever calls judges by the rows whether to believe what came of it.
 * Throws only when no connection is to be had.
 */
export async function readBeforehand<T>(pool: pg.Pool, first: pg.QueryConfig, fn: (tx: Tx) => Promise<T>): Promise<Foregone<T>> {
  const client = await pool.connect()
  let rows: Promise<unknown[] | undefined> = Promise.resolve(undefined)
  const connection = new TransactionConnection(client, () => {
    // that it failed shows in what follows
    client.query(BEGIN_READ).catch(() => {})
    rows = client.query<pg.QueryResultRow>({ ...first, name: statementName(first.text) }).then(
      (result) => result.rows,
      () => undefined,
    )
  })
  let broken = false
  try {
    const value = await fn(transactionOn(connection))
    await connection.commit()
    return { rows: await rows, value }
  } catch (error) {
    await connection.rollback().catch(() => {
      broken = true
    })
    return { rows: await rows, error }
  } finally {
    client.release(broken)
  }
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
    const { stream } = (client as pg.Client).connection // as in inOneWrite
    stream.cork()
    const answers = Promise.allSettled([client.query(durable ? 'begin' : BEGIN_SOFT), ...named.map((one) => client.query<pg.QueryResultRow>(one)), client.query('commit')])
    stream.uncork()
    const [, ...results] = (await answers).map((answer) => {
      if (answer.status === 'rejected') throw answer.reason
      return answer.value
    })
    if (results.pop()?.command === 'ROLLBACK') throw new AbortedTransactionError()
    return results.map(({ rows }) => rows)
  } finally {
    client.release()
  }
}

/**
 * Sends a statement whose answer nobody needs with the commit, in the same write; when it fails, the transaction fails. In
 * a transaction that is not one of inTransaction's it is run at once.
 */
export async function runWithCommit(tx: Tx, statement: CompiledQuery): Promise<void> {
  const connection = open.get(tx)
  if (connection) connection.keepForCommit(statement)
  else await tx.executeQuery(statement)
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
