import { sql } from 'kysely'
import { z } from 'zod'
import { termsOf } from '#contract/analytics/catalog/catalog.ts'
import { RESTORE_MINUTES } from '#contract/analytics/competitors.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { asSystem } from '../db/system.ts'
import { defineJob, type AnyJob, type JobContext } from '../jobs/job.ts'
import { READ_COMPETITORS, readDueCompetitors, type CompetitorDeps } from './readDue.ts'

const DAY = 86_400_000
/** Posts are kept as long as a range of the insights may be. */
const KEEP_POSTS_DAYS = 731

/** Reads competitors once a day, and deletes those that were removed and what platforms' terms don't let us keep. */
export function competitorJobs({
  env,
  ...deps
}: CompetitorDeps & { env: { analyticsTerms: readonly PlatformKey[] } }): AnyJob[] {
  return [
    defineJob({
      name: READ_COMPETITORS,
      payload: z.object({ orgId: z.uuid().optional() }),
      every: '7,17,27,37,47,57 * * * *',
      run: async (context, { orgId }) => void (await readDueCompetitors(deps, context, orgId)),
    }),
    defineJob({
      name: 'competitors.forget',
      payload: z.object({}),
      every: '25 * * * *',
      run: async (context) => await forgetCompetitors(context, env.analyticsTerms),
    }),
  ]
}

/** Deletes removed competitors after an hour, figures that their platform's terms don't let us keep, and old posts. */
export async function forgetCompetitors(
  { databases, clock }: Pick<JobContext, 'databases' | 'clock'>,
  accepted: readonly PlatformKey[],
): Promise<void> {
  const now = clock.now().getTime()
  await asSystem(databases.system, async (tx) => {
    await sql`delete from competitor where removed_at < ${new Date(now - RESTORE_MINUTES * 60_000)}`.execute(tx)
    await sql`delete from competitor_post where published_at < ${new Date(now - KEEP_POSTS_DAYS * DAY)}`.execute(tx)
  })
  for (const platform of platformKeys) {
    const { keepDays } = termsOf(platform, accepted)
    if (keepDays === null) continue
    const before = new Date(now - keepDays * DAY)
    await asSystem(databases.system, async (tx) => {
      const theirs = sql`(select org_id, id from competitor where platform = ${platform})`
      for (const table of ['competitor_figure', 'competitor_post'])
        await sql`delete from ${sql.table(table)} f using ${theirs} c where f.org_id = c.org_id and f.competitor_id = c.id and f.read_at < ${before}`.execute(
          tx,
        )
    })
  }
}
