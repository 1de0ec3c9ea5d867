import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { dueTimes, nextDue } from '#contract/reports/due.ts'
import { daysOfReport } from '#contract/reports/range.ts'
import { todayIn } from '../../analytics/scope.ts'
import type { Tx } from '../../db/kysely.ts'
import { asSystem } from '../../db/system.ts'
import { asTenant } from '../../db/tenant.ts'
import { eachAlone } from '../../jobs/eachAlone.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { JobContext } from '../../jobs/job.ts'
import { emit } from '../../live/emit.ts'
import { whenOf } from './change.ts'
import { isHeld } from './held.ts'
import { runJob } from './jobNames.ts'
import { notePause } from './pause.ts'
import { readReport } from './readReport.ts'
import { obstacle } from './standings.ts'

const DAY = 86_400_000
const AT_ONCE = 200
/** After a longer time without this installation, earlier due times aren't listed as missed. */
const MOST_MISSED = 60

type Due = { org_id: string; id: string }

/**
 * Writes down a run for each due time that has come, over all organizations, each schedule in a transaction of its own that also moves
 * its due time on: so each due time has one run. Returns how many schedules were due.
 */
export async function noteDueRuns(context: JobContext): Promise<number> {
  const { databases, clock, signal } = context
  const held = await isHeld(databases)
  const failed: Due[] = []
  let noted = 0
  for (;;) {
    const due = await asSystem(databases.system, (tx) => findDue(tx, failed, clock.now()))
    if (due.length === 0 || signal.aborted) break
    failed.push(
      ...(await eachAlone(
        context,
        due,
        { name: ({ id }) => ({ scheduleId: id }), failed: "a due report couldn't be noted" },
        async ({ org_id: orgId, id }) =>
          await asTenant(databases.background, orgId, (tx) =>
            noteDue(tx, { orgId, scheduleId: id, held }, clock.now()),
          ),
      )),
    )
    noted += due.length
  }
  if (noted > 0) await asSystem(databases.system, (tx) => enqueue(tx, runJob, {}, { key: 'all' }))
  return noted - failed.length
}

async function findDue(tx: Tx, without: readonly Due[], now: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select s.org_id, s.id from report_schedule s
      join project p on p.org_id = s.org_id and p.id = s.project_id and p.deleted_at is null
      join organization o on o.org_id = s.org_id and o.deletes_at is null
    where s.next_due_at <= ${now} and s.paused is distinct from 'person' and s.id <> all(${without.map(({ id }) => id)}::uuid[])
    order by s.next_due_at limit ${AT_ONCE}`.execute(tx)
  return rows
}

/**
 * Notes a schedule's due times: the last one is run, earlier ones were missed, and all of a restored copy. While the plan or the owner keeps it from being sent, it's
 * skipped, and people are told once.
 */
async function noteDue(
  tx: Tx,
  { orgId, scheduleId, held }: { orgId: string; scheduleId: string; held: boolean },
  now: Date,
): Promise<void> {
  const schedule = await tx
    .selectFrom('report_schedule')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', scheduleId)
    .where('next_due_at', '<=', now)
    .where('paused', 'is distinct from', 'person')
    .forUpdate()
    .executeTakeFirst()
  if (!schedule) return
  const { name, content, zone } = await readReport(tx, schedule)
  const when = whenOf(schedule)
  const due = dueTimes(when, {
    after: new Date(schedule.next_due_at.getTime() - 1),
    until: now,
    most: MOST_MISSED,
  }).map(({ at }) => at)
  // the run of one that can't be read fails, and its owner hears of it
  const why =
    content && (await obstacle(tx, schedule.owner_id, content, { orgId, projectId: schedule.project_id, now }))
  const rows = due.map((dueAt, i) => {
    const reason = held || i < due.length - 1 ? 'missed' : why
    const today = todayIn({ now: dueAt, project: { zone } })
    const { from, to } = content ? daysOfReport(content.days, today) : { from: today, to: today }
    const noted = {
      org_id: orgId,
      id: randomUUIDv7(),
      project_id: schedule.project_id,
      schedule_id: schedule.id,
      due_at: dueAt,
      from_day: from,
      to_day: to,
      created_at: now,
    }
    const waitUntil = schedule.wait_days > 0 ? new Date(dueAt.getTime() + schedule.wait_days * DAY) : null
    return reason === null
      ? { ...noted, state: 'waiting', wait_until: waitUntil, next_try_at: now }
      : { ...noted, state: 'skipped', reason, finished_at: now }
  })
  for (const row of rows)
    await tx
      .insertInto('report_run')
      .values(row)
      .onConflict((on) => on.columns(['org_id', 'schedule_id', 'due_at']).doNothing())
      .execute()
  await tx
    .updateTable('report_schedule')
    .set({ next_due_at: nextDue(when, now).at })
    .where('org_id', '=', orgId)
    .where('id', '=', schedule.id)
    .execute()
  await notePause(tx, schedule, { reportName: name, why }, now)
  await emit(tx, { kind: 'report', ref: schedule.report_id, orgId, projectId: schedule.project_id }, now)
}
