import { sql } from 'kysely'
import { asSystem } from '../db/system.ts'
import { dueOrganizations } from '../jobs/dueOrganizations.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import type { JobContext } from '../jobs/job.ts'

/** Texts of one transaction. */
const BATCH = 500

const tables = [
  { table: 'inbox_text', reindex: 'reindex_item_words' },
  { table: 'post_text', reindex: 'reindex_post_words' },
] as const

/**
 * Indexes the words of texts again that were indexed by an earlier version's rules, until none is left. Until then, a search
 * finds them by those rules. Returns how many there were.
 */
export async function indexAgain(
  context: Pick<JobContext, 'databases' | 'signal'> & Partial<Pick<JobContext, 'log'>>,
): Promise<number> {
  const { databases, signal } = context
  let done = 0
  for (const { table, reindex } of tables) {
    const due = await dueOrganizations(databases, table, sql`not c.folded`)
    const failed = "an organization's texts couldn't be indexed again"
    await eachAlone(context, due, { name: (orgId) => ({ orgId, table }), failed }, async (orgId) => {
      for (let n = 1; n > 0 && !signal.aborted; done += n) {
        const { rows } = await asSystem(databases.system, (tx) =>
          sql<{ n: number }>`select ${sql.id(reindex)}(${orgId}::uuid, ${BATCH}) as n`.execute(tx),
        )
        n = rows[0]?.n ?? 0
      }
    })
  }
  return done
}
