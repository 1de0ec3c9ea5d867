import type { Selectable } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { fail } from '../../errors.ts'
import { lockReport, seeReport, type Asker, type Saved } from '../access.ts'

export type ScheduleRow = Selectable<Database['report_schedule']>
/** A schedule of a report that the caller's role shows. */
export type SavedSchedule = { report: Saved; schedule: ScheduleRow }
type Named = { reportId: string; scheduleId: string }

/** The schedule for a verb that reads it. Throws NOT_FOUND, also for reports that the role doesn't show. */
export async function seeSchedule(c: Asker, { reportId, scheduleId }: Named): Promise<SavedSchedule> {
  const report = await seeReport(c, reportId)
  return { report, schedule: found(await scheduleQuery(c, reportId, scheduleId).executeTakeFirst()) }
}

/** The schedule, locked with its report until the transaction ends. Same refusal. */
export async function lockSchedule(c: Asker, { reportId, scheduleId }: Named): Promise<SavedSchedule> {
  const report = await lockReport(c, reportId)
  return { report, schedule: found(await scheduleQuery(c, reportId, scheduleId).forUpdate().executeTakeFirst()) }
}

const scheduleQuery = ({ tx, org }: Asker, reportId: string, scheduleId: string) =>
  tx
    .selectFrom('report_schedule')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('report_id', '=', reportId)
    .where('id', '=', scheduleId)

function found(row: ScheduleRow | undefined): ScheduleRow {
  if (!row) throw fail('NOT_FOUND')
  return row
}
