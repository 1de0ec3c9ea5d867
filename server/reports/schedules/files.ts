import { sql } from 'kysely'
import { REPORTS } from '#contract/reports/limits.ts'
import { asSystem } from '../../db/system.ts'
import { eachAlone } from '../../jobs/eachAlone.ts'
import type { JobContext } from '../../jobs/job.ts'
import type { MediaStore } from '../../media/store.ts'

const DAY = 86_400_000
const MOST = 500
/** Runs are listed as long as a range of the insights may be. */
const KEEP_RUNS_DAYS = 731
/** Who was removed is remembered for so long, those who ended the mails for as long as the schedule exists. */
const KEEP_REMOVED_DAYS = 180

/**
 * Deletes files of runs half a year later, those of deleted projects and those without a row, and what is known of runs and recipients
 * of long ago.
 */
export async function sweepFiles({ media }: { media: MediaStore }, context: JobContext): Promise<void> {
  const { databases, clock } = context
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY)
  const { rows: old } = await asSystem(databases.system, (tx) =>
    sql<{ org_id: string; id: string; media_key: string }>`
      select f.org_id, f.id, f.media_key from report_file f where f.media_key is not null and (f.created_at < ${daysAgo(REPORTS.fileDays)}
        or exists (select from report_run r join project p on p.org_id = r.org_id and p.id = r.project_id
          where r.org_id = f.org_id and r.id = f.run_id and p.deleted_at < ${daysAgo(1)}))
      order by random() limit ${MOST}`.execute(tx),
  )
  await eachAlone(
    context,
    old,
    { name: ({ id }) => ({ fileId: id }), failed: "an old file of a report couldn't be deleted" },
    async ({ org_id: orgId, id, media_key: key }) => {
      await media.delete(key)
      await asSystem(databases.system, (tx) =>
        tx
          .updateTable('report_file')
          .set({ media_key: null })
          .where('org_id', '=', orgId)
          .where('id', '=', id)
          .execute(),
      )
    },
  )
  const gone = await asSystem(databases.system, (tx) =>
    tx
      .selectFrom('report_file_gone')
      .select('media_key')
      .orderBy(sql`random()`)
      .limit(MOST)
      .execute(),
  )
  await eachAlone(
    context,
    gone,
    { name: ({ media_key: key }) => ({ key }), failed: "a file of a deleted report couldn't be deleted" },
    async ({ media_key: key }) => {
      await media.delete(key)
      await asSystem(databases.system, (tx) => tx.deleteFrom('report_file_gone').where('media_key', '=', key).execute())
    },
  )
  await asSystem(databases.system, async (tx) => {
    await sql`delete from report_run where due_at < ${daysAgo(KEEP_RUNS_DAYS)} and state in ('done', 'failed', 'skipped')`.execute(
      tx,
    )
    await sql`delete from report_recipient where removed_at < ${daysAgo(KEEP_REMOVED_DAYS)} and ended_at is null`.execute(
      tx,
    )
  })
}
