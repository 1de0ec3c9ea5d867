import { sql } from 'kysely'
import { asSystem } from '../../db/system.ts'
import { asTenant } from '../../db/tenant.ts'
import type { Tx } from '../../db/kysely.ts'
import { eachAlone } from '../../jobs/eachAlone.ts'
import type { JobContext } from '../../jobs/job.ts'
import { emit } from '../../live/emit.ts'
import { notePause } from './pause.ts'
import { readReport } from './readReport.ts'
import { obstacle } from './standings.ts'

const AT_ONCE = 500
const FIRST = '00000000-0000-0000-0000-000000000000'
type Found = { org_id: string; id: string }

/**
 * Looks at all schedules that nobody has paused: whether the plan or the owner keeps them from being sent, or no longer does. So people
 * hear of it within the hour, not when a report is missing.
 */
export async function checkPauses(context: JobContext): Promise<void> {
  const { databases, clock, signal } = context
  for (let after = FIRST; !signal.aborted;) {
    const from = after
    const found = await asSystem(databases.system, (tx) => findSchedules(tx, from))
    await eachAlone(
      context,
      found,
      { name: ({ id }) => ({ scheduleId: id }), failed: "a schedule of a report couldn't be looked at" },
      async ({ org_id: orgId, id }) =>
        await asTenant(databases.background, orgId, (tx) => checkPause(tx, orgId, id, clock.now())),
    )
    const last = found.at(-1)
    if (!last) return
    after = last.id
  }
}

async function findSchedules(tx: Tx, after: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select s.org_id, s.id from report_schedule s
      join project p on p.org_id = s.org_id and p.id = s.project_id and p.deleted_at is null
      join organization o on o.org_id = s.org_id and o.deletes_at is null
    where s.id > ${after}::uuid and s.paused is distinct from 'person' order by s.id limit ${AT_ONCE}`.execute(tx)
  return rows
}

async function checkPause(tx: Tx, orgId: string, scheduleId: string, now: Date): Promise<void> {
  const schedule = await tx
    .selectFrom('report_schedule')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', scheduleId)
    .where('paused', 'is distinct from', 'person')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!schedule) return
  const { name: reportName, content } = await readReport(tx, schedule)
  if (!content) return
  const why = await obstacle(tx, schedule.owner_id, content, { orgId, projectId: schedule.project_id, now })
  if (why === schedule.paused) return
  await notePause(tx, schedule, { reportName, why }, now)
  await emit(tx, { kind: 'report', ref: schedule.report_id, orgId, projectId: schedule.project_id }, now)
}
