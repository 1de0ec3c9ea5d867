import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type Transaction,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import type { Database } from './schema.ts'
import { statementName } from './statements.ts'

/** Queries outside a transaction: migrations, commands, tests. Business code takes a `Tx`. */
export type Db = Kysely<Database>

/** What every verb takes: an open transaction, in a tenant or of the system role. */
export type Tx = Transaction<Database>

const writes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** Runs one compiled query on a client, named by the hash of its SQL. */
export async function executeOn<R>(client: pg.ClientBase, query: CompiledQuery): Promise<QueryResult<R>> {
  const { sql: text, parameters } = query
  const result = await client.query({ name: statementName(text), text, values: [...parameters] })
  return {
    // rows are typed by the builder that compiled the query, as in every Kysely driver
    rows: result.rows as R[],
    ...(writes.has(result.command) ? { numAffectedRows: BigInt(result.rowCount ?? 0) } : {}),
  }
}

class PoolConnection implements DatabaseConnection {
  readonly client: pg.PoolClient

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return executeOn(this.client, query)
  }

  streamQuery(): never {
    throw new Error('Streaming is not used: read in pages by key')
  }
}

class PoolDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #clients = new WeakMap<DatabaseConnection, pg.PoolClient>()

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const client = await this.#pool.connect()
    const connection = new PoolConnection(client)
    this.#clients.set(connection, client)
    return connection
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const level = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : ''
    const mode = settings.accessMode ? ` ${settings.accessMode}` : ''
    await connection.executeQuery(CompiledQuery.raw(`start transaction${level}${mode}`))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#clients.get(connection)?.release()
  }

  /** The pool belongs to whoever opened it. */
  async destroy(): Promise<void> {}
}

class PoolDialect implements Dialect {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  createDriver(): Driver {
    return new PoolDriver(this.#pool)
  }

  createQueryCompiler(): PostgresQueryCompiler {
    return new PostgresQueryCompiler()
  }

  createAdapter(): PostgresAdapter {
    return new PostgresAdapter()
  }

  createIntrospector(db: Kysely<unknown>): PostgresIntrospector {
    return new PostgresIntrospector(db)
  }
}

/** Kysely over one of our pools. Closing it leaves the pool open. */
export function kyselyOn(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PoolDialect(pool) })
}
