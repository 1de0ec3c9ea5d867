import {
  AbortedTransactionError,
  DefaultQueryExecutor,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  Transaction,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import { DeferredInserts } from './deferredInserts.ts'
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

export const BEGIN_READ = 'begin read only'

/**
 * What precedes the first statement of a transaction, in the same write, and who receives its result, or that there is
 * none. What changes something begins with plain words, and is then judged by that result before its commit.
 */
export type Opening = {
  words: typeof BEGIN_READ | 'begin'
  statement: pg.QueryConfig
  hear(answer: Promise<pg.QueryResult>): Promise<void>
}

/**
 * One client for the length of one transaction. Statements may be sent without waiting for the one before. What opens the
 * transaction may be left to go with its first statement.
 */
export class TransactionConnection implements DatabaseConnection {
  readonly #client: pg.ClientBase
  readonly #kept = new DeferredInserts()
  /** Whether it's judged before its commit. */
  readonly #isJudged: boolean
  #opening: Opening | undefined
  #state: State = 'open'

  constructor(client: pg.ClientBase, opening?: Opening) {
    this.#client = client
    this.#opening = opening
    this.#isJudged = opening?.words === 'begin'
  }

  get state(): State {
    return this.#state
  }

  /** Whether nothing was sent yet. */
  get isUnopened(): boolean {
    return this.#opening !== undefined
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#state !== 'open') throw new Error(`A statement came after its transaction was ${this.#state}`)
    const opening = this.#opening
    corkForThisTick(this.#client)
    if (!opening) return await executeOn<R>(this.#client, query)
    this.#opening = undefined
    const [result] = await inOneWrite(this.#client, () => {
      // what follows shows that it failed
      this.#client.query(opening.words).catch(() => {})
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
    if (this.#isJudged) return await this.executeQuery<R>(query)
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

/** Statements that are sent in the same tick go in one write. */
function corkForThisTick(client: pg.ClientBase): void {
  const { stream } = (client as pg.Client).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Several messages in one write, one round trip: our clients are in pipeline mode. Fails with the error of the first that failed. */
export async function inOneWrite<const T extends readonly Promise<unknown>[]>(
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

export function transactionOn(connection: TransactionConnection): Tx {
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    provideConnection: (consumer) => consumer(connection),
  })
  const tx = new Transaction<Database>({ config: { dialect }, dialect, driver, executor })
  open.set(tx, connection)
  return tx
}

/** The connection of a transaction of ours. */
export const connectionIn = (tx: Tx): TransactionConnection | undefined => open.get(tx)

/** A statement with the name under which its client prepares it once. */
export const named = (statement: pg.QueryConfig): pg.QueryConfig => ({
  ...statement,
  name: statementName(statement.text),
})
