import type { CompiledQuery, QueryResult, Transaction } from 'kysely'
import type pg from 'pg'
import type { Database } from './schema.ts'
import { statementName } from './statements.ts'

/** What every verb takes: an open transaction, in a tenant or of the system role. */
export type Tx = Transaction<Database>

const writes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** A compiled query as pg takes it, named by the hash of its SQL. */
export function configOf({ sql: text, parameters }: CompiledQuery): pg.QueryConfig {
  return { name: statementName(text), text, values: [...parameters] }
}

/** pg's result as Kysely expects it. */
export function resultOf<R>(result: pg.QueryResult): QueryResult<R> {
  return {
    // rows are typed by the builder that compiled the query, as in every Kysely driver
    rows: result.rows as R[],
    ...(writes.has(result.command) ? { numAffectedRows: BigInt(result.rowCount ?? 0) } : {}),
  }
}

/** Runs one compiled query on a client. */
export async function executeOn<R>(client: pg.ClientBase, query: CompiledQuery): Promise<QueryResult<R>> {
  return resultOf<R>(await client.query(configOf(query)))
}
