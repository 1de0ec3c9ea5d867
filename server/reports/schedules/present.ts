import { sql } from 'kysely'
import { allows } from '#contract/permissions.ts'
import { nextDue } from '#contract/reports/due.ts'
import type { ReportSchedule } from '#contract/reports/schedules.ts'
import { RunReason, runStates } from '#contract/reports/schedules.ts'
import { memberMay } from '../../access/memberMay.ts'
import type { CallerProject } from '../../http/route.ts'
import { pictureAddress } from '../../people/person.ts'
import { seeReport, type Asker } from '../access.ts'
import { whenOf } from './change.ts'
import { recipientsOf, stateOf } from './recipients.ts'
import { obstacle, peopleOf, readerStanding } from './standings.ts'

type Viewer = Asker & { caller: { personId: string }; project: CallerProject }

/** A report's schedules, the oldest first. Throws NOT_FOUND. */
export async function listSchedules(c: Viewer, reportId: string): Promise<ReportSchedule[]> {
  const { tx, org, now, project } = c
  const { content } = await seeReport(c, reportId)
  const schedules = await tx
    .selectFrom('report_schedule')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('report_id', '=', reportId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const ids = schedules.map(({ id }) => id)
  const recipients = await recipientsOf(tx, org.orgId, ids)
  const people = await peopleOf(tx, org.orgId, [
    ...schedules.map((row) => row.owner_id),
    ...recipients.flatMap((row) => row.person_id ?? []),
  ])
  const last = await lastRuns(c, ids)
  const of = { orgId: org.orgId, projectId: project.projectId, now }
  const mayRead = new Map<string, boolean>()
  for (const { person_id: id } of recipients)
    if (id !== null && !mayRead.has(id)) mayRead.set(id, (await readerStanding(tx, id, content, of)) !== null)
  const emailOf = emailsFor(project)
  const listed: ReportSchedule[] = []
  for (const row of schedules) {
    const when = whenOf(row)
    const paused = row.paused === 'person' ? 'person' : await obstacle(tx, row.owner_id, content, of)
    // what is due now is sent within the minute
    const next = nextDue(when, row.paused === 'person' || row.next_due_at < now ? now : before(row.next_due_at))
    listed.push({
      scheduleId: row.id,
      when,
      waitDays: row.wait_days,
      nextDueAt: next.at.toISOString(),
      shift: next.shift,
      paused,
      owner: {
        userId: row.owner_id,
        name: people.get(row.owner_id)?.name ?? 'Someone who left',
        isYou: row.owner_id === c.caller.personId,
      },
      recipients: recipients
        .filter((one) => one.schedule_id === row.id)
        .map((one): ReportSchedule['recipients'][number] => {
          const person = one.person_id === null ? undefined : people.get(one.person_id)
          const email = emailOf(person?.email ?? one.email ?? '')
          return {
            recipientId: one.id,
            userId: one.person_id,
            name: one.person_id === null ? email : (person?.name ?? 'Someone who left'),
            email,
            state: stateOf(one, mayRead.get(one.person_id ?? '') ?? false, now),
          }
        }),
      lastRun: last.get(row.id) ?? null,
      version: row.version,
    })
  }
  return listed
}

const before = (instant: Date): Date => new Date(instant.getTime() - 1)

/** Addresses as someone of the project reads them: in part, unless they may change schedules. */
export const emailsFor =
  ({ permissions }: Pick<CallerProject, 'permissions'>) =>
  (email: string): string =>
    allows(permissions, 'insights', 'edit') ? email : email.replace(/^(.).*(?=@)/, '$1…')

async function lastRuns(
  { tx, org }: Asker,
  scheduleIds: readonly string[],
): Promise<Map<string, NonNullable<ReportSchedule['lastRun']>>> {
  const { rows } = await sql<{ id: string; schedule_id: string; due_at: Date; state: string; reason: string | null }>`
    select distinct on (schedule_id) id, schedule_id, due_at, state, reason from report_run
    where org_id = ${org.orgId} and schedule_id = any(${[...scheduleIds]}::uuid[]) order by schedule_id, due_at desc`.execute(
    tx,
  )
  return new Map(
    rows.map((row) => [
      row.schedule_id,
      {
        runId: row.id,
        dueAt: row.due_at.toISOString(),
        state: stateOfRun(row.state),
        reason: RunReason.nullable().parse(row.reason),
      },
    ]),
  )
}

/** A run's state; its column has no others. */
export const stateOfRun = (state: string): (typeof runStates)[number] =>
  runStates.find((known) => known === state) ?? 'failed'

/** Members of the project who may see insights, by name. */
export async function findReaders({ tx, org, project }: Viewer) {
  const { rows } = await sql<{ id: string; name: string; picture_id: string | null }>`
    select p.id, coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email) as name, p.picture_id
    from member m join person p on p.id = m.person_id
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = ${project.projectId} and pm.person_id = m.person_id
    left join role r on r.org_id = pm.org_id and r.id = pm.role_id
    where m.org_id = ${org.orgId} and m.removed_at is null and ${memberMay('insights', 'view')}
    order by lower(p.first_name), lower(p.last_name), p.id`.execute(tx)
  return rows.map((row) => ({ userId: row.id, name: row.name, profileUrl: pictureAddress(row.picture_id) }))
}
