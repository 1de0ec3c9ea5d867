import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { z } from 'zod'
import { nextDue } from '#contract/reports/due.ts'
import { daysOfReport } from '#contract/reports/range.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import type { ReportTime, ScheduleBody } from '#contract/reports/schedules.ts'
import { todayIn } from '../../analytics/scope.ts'
import type { Databases } from '../../db/pools.ts'
import { fail } from '../../errors.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { lockReport, type Asker } from '../access.ts'
import { lockSchedule } from './access.ts'
import { runJob } from './jobNames.ts'
import { mustNotBeOften } from './limits.ts'
import { setRecipients } from './recipients.ts'
import type { ReportLinks } from './tokens.ts'

type Changer = Asker & { caller: { personId: string } }
export type ScheduleDeps = { databases: Pick<Databases, 'system'>; links: ReportLinks }
type Named = { reportId: string; scheduleId: string }
type Body = z.output<typeof ScheduleBody>

const columnsOf = ({ frequency, day, time, timezone }: ReportTime) => ({
  frequency,
  day,
  wall_time: time,
  zone: timezone,
})

/** Schedules a report in the caller's name and returns the schedule's ID. Throws NOT_FOUND, BAD_INPUT, LIMIT_EXCEEDED. */
export async function createSchedule(c: Changer, deps: ScheduleDeps, reportId: string, body: Body): Promise<string> {
  const { tx, org, project, now } = c
  await lockReport(c, reportId)
  await mustHaveRoom(c, reportId)
  await mustNotBeOften(deps.databases, 'times', org.orgId, now)
  const id = randomUUIDv7()
  await tx
    .insertInto('report_schedule')
    .values({
      org_id: org.orgId,
      id,
      project_id: project.projectId,
      report_id: reportId,
      owner_id: c.caller.personId,
      ...columnsOf(body.when),
      wait_days: body.waitDays,
      next_due_at: nextDue(body.when, now).at,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await setRecipients(c, deps, { reportId, scheduleId: id, ownerId: c.caller.personId }, body)
  return id
}

async function mustHaveRoom({ tx, org, project }: Asker, reportId: string): Promise<void> {
  // one at a time, so that the limits hold
  await sql`select pg_advisory_xact_lock(hashtextextended(${`report schedules ${project.projectId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ ofReport: number; ofProject: number }>`
    select count(*) filter (where report_id = ${reportId})::int as "ofReport", count(*)::int as "ofProject"
    from report_schedule where org_id = ${org.orgId} and project_id = ${project.projectId}`.execute(tx)
  const { ofReport = 0, ofProject = 0 } = rows[0] ?? {}
  if (ofReport >= REPORTS.schedules)
    throw fail('LIMIT_EXCEEDED', { detail: `A report can have ${REPORTS.schedules} schedules. Delete one first.` })
  if (ofProject >= REPORTS.schedulesPerProject)
    throw fail('LIMIT_EXCEEDED', {
      detail: `A project can have ${REPORTS.schedulesPerProject} schedules of reports. Delete one first.`,
    })
}

/** Changes when a report is sent and who gets it. Throws NOT_FOUND, STALE_VERSION, BAD_INPUT, LIMIT_EXCEEDED. */
export async function updateSchedule(
  c: Changer,
  deps: ScheduleDeps,
  named: Named,
  { version, ...body }: Body & { version: number },
): Promise<void> {
  const { schedule } = await lockSchedule(c, named)
  if (schedule.version !== version) throw fail('STALE_VERSION')
  const columns = columnsOf(body.when)
  const isSameTime =
    schedule.frequency === columns.frequency &&
    schedule.day === columns.day &&
    schedule.wall_time === columns.wall_time &&
    schedule.zone === columns.zone
  if (!isSameTime) await mustNotBeOften(deps.databases, 'times', c.org.orgId, c.now)
  await change(c, named, {
    ...columns,
    wait_days: body.waitDays,
    version: version + 1,
    ...(!isSameTime && { next_due_at: nextDue(body.when, c.now).at }),
  })
  await setRecipients(c, deps, { reportId: named.reportId, scheduleId: schedule.id, ownerId: schedule.owner_id }, body)
}

/** Deletes a schedule with its runs; the bytes of their files go with the rows. Throws NOT_FOUND. */
export async function deleteSchedule(c: Changer, named: Named): Promise<void> {
  await lockSchedule(c, named)
  await c.tx
    .deleteFrom('report_schedule')
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', named.scheduleId)
    .execute()
}

/** Pauses a schedule, also a run that waits for final figures, or lets it go on with the next due time from now; those in between have no
 * run. Throws NOT_FOUND. */
export async function pauseSchedule(c: Changer, named: Named, paused: boolean): Promise<void> {
  const { schedule } = await lockSchedule(c, named)
  if (paused === (schedule.paused === 'person')) return
  if (paused)
    await c.tx
      .updateTable('report_run')
      .set({ state: 'skipped', reason: 'person', finished_at: c.now, next_try_at: null, lease_until: null })
      .where('org_id', '=', c.org.orgId)
      .where('schedule_id', '=', schedule.id)
      .where('state', '=', 'waiting')
      .where('asked', '=', false)
      .execute()
  await change(
    c,
    named,
    paused
      ? { paused: 'person', paused_at: c.now }
      : { paused: null, paused_at: null, next_due_at: nextDue(whenOf(schedule), c.now).at },
  )
}

/** Makes the caller the owner, whose role decides what outside addresses get. Throws NOT_FOUND. */
export async function takeSchedule(c: Changer, named: Named): Promise<void> {
  const { schedule } = await lockSchedule(c, named)
  await change(c, named, {
    owner_id: c.caller.personId,
    ...(schedule.paused === 'owner' && { paused: null, paused_at: null }),
  })
}

/** Has a report sent now, and returns its run. Throws NOT_FOUND, LIMIT_EXCEEDED within ten minutes of the last time. */
export async function runNow(c: Changer, deps: ScheduleDeps, named: Named): Promise<string> {
  const { tx, org, project, now } = c
  const { report, schedule } = await lockSchedule(c, named)
  await mustNotBeOften(deps.databases, 'run', schedule.id, now)
  await mustNotBeOften(deps.databases, 'runs', org.orgId, now)
  const { from, to } = daysOfReport(report.content.days, todayIn(c))
  const id = randomUUIDv7()
  await tx
    .insertInto('report_run')
    .values({
      org_id: org.orgId,
      id,
      project_id: project.projectId,
      schedule_id: schedule.id,
      due_at: now,
      asked: true,
      from_day: from,
      to_day: to,
      state: 'waiting',
      wait_until: null,
      next_try_at: now,
      created_at: now,
    })
    .execute()
  await enqueue(tx, runJob, { orgId: org.orgId }, { key: org.orgId })
  return id
}

export const whenOf = ({
  frequency,
  day,
  wall_time: time,
  zone: timezone,
}: {
  frequency: string
  day: number
  wall_time: string
  zone: string
}): ReportTime => ({ frequency: frequency === 'weekly' ? 'weekly' : 'monthly', day, time, timezone })

type Changed = Partial<ReturnType<typeof columnsOf>> & {
  wait_days?: number
  version?: number
  next_due_at?: Date
  paused?: 'person' | null
  paused_at?: Date | null
  owner_id?: string
}
async function change({ tx, org, now }: Asker, { scheduleId }: Named, set: Changed): Promise<void> {
  await tx
    .updateTable('report_schedule')
    .set({ ...set, updated_at: now })
    .where('org_id', '=', org.orgId)
    .where('id', '=', scheduleId)
    .execute()
}
