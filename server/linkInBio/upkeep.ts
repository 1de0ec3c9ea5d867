import { sql } from 'kysely'
import { z } from 'zod'
import { BIO } from '#contract/linkInBio/limits.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { defineJob } from '../jobs/job.ts'

/** Frees addresses that were kept for 90 days after a rename or a deletion, also of their project. Returns how many. */
export async function freeSlugs({ system }: Pick<Databases, 'system'>, now: Date): Promise<number> {
  return await asSystem(system, async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      delete from bio_slug s where kept_until <= ${now}
        or exists (select from project p where p.org_id = s.org_id and p.id = s.project_id and p.deleted_at <= ${now}::timestamptz - make_interval(days => ${BIO.slugDays}))`.execute(
      tx,
    )
    return Number(numAffectedRows)
  })
}

const REPORTS_KEPT_MS = 180 * 86_400_000

/** Deletes reports that were handled half a year ago: people wrote them, some with their email address. Returns how many. */
export async function forgetReports({ system }: Pick<Databases, 'system'>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - REPORTS_KEPT_MS)
  return await asSystem(system, async (tx) => {
    const { numAffectedRows = 0n } = await sql`delete from bio_report where handled_at < ${before}`.execute(tx)
    return Number(numAffectedRows)
  })
}

export const upkeepJob = defineJob({
  name: 'linkInBio.upkeep',
  payload: z.object({}),
  every: '17 * * * *',
  run: async ({ databases, clock }) => {
    await freeSlugs(databases, clock.now())
    await forgetReports(databases, clock.now())
  },
})
