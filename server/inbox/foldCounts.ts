import { sql } from 'kysely'
import { asSystem } from '../db/system.ts'
import { dueOrganizations } from '../jobs/dueOrganizations.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import type { JobContext } from '../jobs/job.ts'

/** How many new lines are added up in one statement. */
const LINES = 5_000

const foldings = [
  { table: 'inbox_count', fold: 'fold_inbox_counts' },
  { table: 'inbox_day', fold: 'fold_inbox_days' },
] as const

/**
 * Adds up the new lines of the inbox's counts (functions/inbox_counts.sql), until none are left: one organization after the
 * other, and only those with new ones. Returns how many there were.
 */
export async function foldInboxCounts(
  context: Pick<JobContext, 'databases' | 'signal'> & Partial<Pick<JobContext, 'log'>>,
): Promise<number> {
  const { databases, signal } = context
  let folded = 0
  for (const { table, fold } of foldings) {
    const due = await dueOrganizations(databases, table, sql`not c.folded`)
    const failed = "an organization's new counts of the inbox couldn't be added"
    await eachAlone(context, due, { name: (orgId) => ({ orgId, table }), failed }, async (orgId) => {
      for (let n = 1; n > 0 && !signal.aborted; folded += n) {
        const { rows } = await asSystem(databases.system, (tx) =>
          sql<{ n: number }>`select ${sql.id(fold)}(${orgId}::uuid, ${LINES}) as n`.execute(tx),
        )
        n = rows[0]?.n ?? 0
      }
    })
  }
  return folded
}
