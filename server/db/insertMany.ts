import { sql } from 'kysely'
import type { Tx } from './kysely.ts'
import type { DeferredInsert } from './deferredInserts.ts'
import type { Database } from './schema.ts'

/**
 * Inserts any number of rows with one statement whose text doesn't depend on their number. All rows have the columns of
 * the first; JSON columns take the value itself, not its text.
 */
export async function insertMany<T extends keyof Database>(
  tx: Tx,
  table: T,
  rows: readonly DeferredInsert<T>[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${columns}) select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(
    tx,
  )
}
