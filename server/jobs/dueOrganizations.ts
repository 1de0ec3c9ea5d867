import { sql, type RawBuilder } from 'kysely'
import { asSystem } from '../db/system.ts'
import type { JobContext } from './job.ts'

/** The organizations with such rows (`c`) of a table that has an index of them by organization: one lookup for each. */
export async function dueOrganizations(
  databases: Pick<JobContext['databases'], 'system'>,
  table: string,
  isDue: RawBuilder<unknown>,
): Promise<string[]> {
  const first = (after: RawBuilder<unknown>) =>
    sql`(select c.org_id from ${sql.table(table)} c where ${isDue} and ${after} order by c.org_id limit 1)`
  const { rows } = await asSystem(databases.system, (tx) =>
    sql<{ org_id: string }>`
      with recursive due(org_id) as (
        select ${first(sql`true`)} union all select ${first(sql`c.org_id > due.org_id`)} from due where due.org_id is not null
      ) select org_id from due where org_id is not null`.execute(tx),
  )
  return rows.map((row) => row.org_id)
}
