import { randomUUIDv7 } from 'node:crypto'
import type { Selectable } from 'kysely'
import { REPORTS } from '#contract/reports/limits.ts'
import type { recipientStates } from '#contract/reports/schedules.ts'
import type { Tx } from '../../db/kysely.ts'
import type { Database } from '../../db/schema.ts'
import { fail } from '../../errors.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { Databases } from '../../db/pools.ts'
import { seesInsights, standingOf } from '../standing.ts'
import type { Asker } from '../access.ts'
import { lockSchedule } from './access.ts'
import { askJob } from './jobNames.ts'
import { ASKED_HOURS, countAsking, ENDED_DAYS, isUnwanted } from './limits.ts'
import { coversRights, rightsOf } from './rights.ts'
import { recipientHash, type ReportLinks } from './tokens.ts'

export type RecipientRow = Selectable<Database['report_recipient']>
type RecipientState = (typeof recipientStates)[number]
const DAY = 86_400_000

/** Whether someone gets the reports. `mayRead`: of members, whether their role shows the report now. */
export function stateOf(row: RecipientRow, mayRead: boolean, now: Date): RecipientState {
  if (row.ended_at) return 'ended'
  if (row.person_id !== null) return mayRead ? 'gets' : 'noRight'
  if (row.confirmed_at) return 'gets'
  return canConfirm(row, now) ? 'asked' : 'lapsed'
}

/** Whether an outside address can still confirm. */
export const canConfirm = (row: Pick<RecipientRow, 'asked_at' | 'confirmed_at' | 'ended_at'>, now: Date): boolean =>
  row.asked_at !== null &&
  row.confirmed_at === null &&
  row.ended_at === null &&
  row.asked_at.getTime() + REPORTS.confirmDays * DAY > now.getTime()

export const recipientsOf = async (tx: Tx, orgId: string, scheduleIds: readonly string[]): Promise<RecipientRow[]> =>
  scheduleIds.length === 0
    ? []
    : await tx
        .selectFrom('report_recipient')
        .selectAll()
        .where('org_id', '=', orgId)
        .where('schedule_id', 'in', scheduleIds)
        .where('removed_at', 'is', null)
        // members first
        .orderBy('email', (order) => order.asc().nullsFirst())
        .orderBy('created_at')
        .orderBy('id')
        .execute()

type Owned = { reportId: string; scheduleId: string; ownerId: string }
type Deps = { databases: Pick<Databases, 'system'>; links: ReportLinks }
type Wanted = { userIds: readonly string[]; emails: readonly string[] }

/**
 * Makes these the recipients of a schedule. Addresses that are new are asked by mail; those that were there before stay as they were,
 * also if they had ended the mails. Throws BAD_INPUT for people who can't see insights, and for addresses that would get more than the
 * caller's own role shows; LIMIT_EXCEEDED.
 */
export async function setRecipients(
  c: Asker,
  deps: Deps,
  { reportId, scheduleId, ownerId }: Owned,
  wanted: Wanted,
): Promise<void> {
  const { tx, org, now } = c
  const known = await tx
    .selectFrom('report_recipient')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('schedule_id', '=', scheduleId)
    .execute()
  const userIds = new Set(wanted.userIds)
  const emails = new Set(wanted.emails)
  const isWanted = (row: RecipientRow) =>
    row.person_id === null ? emails.has(row.email ?? '') : userIds.has(row.person_id)
  const isThere = (email: string) => known.some((row) => row.email === email && row.removed_at === null)
  if ([...emails].some((email) => !isThere(email))) await mustSeeAsMuch(c, ownerId)
  const setRemoved = async (rows: readonly RecipientRow[], at: Date | null) => {
    if (rows.length > 0)
      await tx
        .updateTable('report_recipient')
        .set({ removed_at: at })
        .where('org_id', '=', org.orgId)
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute()
  }
  await setRemoved(
    known.filter((row) => row.removed_at === null && !isWanted(row)),
    now,
  )
  await setRemoved(
    known.filter((row) => row.removed_at !== null && isWanted(row)),
    null,
  )
  const newPeople = [...userIds].filter((id) => !known.some((row) => row.person_id === id))
  for (const personId of newPeople) await mustSeeInsights(c, personId)
  const newEmails = [...emails].filter((email) => !known.some((row) => row.email === email))
  for (const email of newEmails) await mustNotBeAskedOften(c, deps, reportId, email)
  const rows = [
    ...newPeople.map((personId) => ({ person_id: personId, email: null, asked_at: null })),
    ...newEmails.map((email) => ({ person_id: null, email, asked_at: now })),
  ].map((row) => {
    const id = randomUUIDv7()
    return {
      org_id: org.orgId,
      id,
      schedule_id: scheduleId,
      ...row,
      token_hash: recipientHash(deps.links, id),
      created_at: now,
    }
  })
  if (rows.length > 0) await tx.insertInto('report_recipient').values(rows).execute()
  for (const { id, email } of rows) if (email !== null) await enqueueAsking(tx, org.orgId, id)
}

/** Outside addresses get what the owner's role shows: nobody may have something sent to one that their own role doesn't show them. */
async function mustSeeAsMuch({ tx, org, project, now }: Asker, ownerId: string): Promise<void> {
  const owner = await standingOf(tx, { orgId: org.orgId, projectId: project.projectId, personId: ownerId, now })
  if (!owner || !coversRights(rightsOf({ org, project }), rightsOf(owner)))
    throw fail('BAD_INPUT', {
      errors: {
        emails: [
          "Your role shows less than that of the schedule's owner, whose figures these addresses would get. Take the schedule over first.",
        ],
      },
    })
}

async function mustSeeInsights({ tx, org, project, now }: Asker, personId: string): Promise<void> {
  const standing = await standingOf(tx, { orgId: org.orgId, projectId: project.projectId, personId, now })
  if (!standing || !seesInsights(standing))
    throw fail('BAD_INPUT', { errors: { userIds: ["Someone you chose can't see the insights of this project"] } })
}

async function mustNotBeAskedOften(
  { org, now }: Asker,
  { databases }: Deps,
  reportId: string,
  email: string,
): Promise<void> {
  if (await isUnwanted(databases, { orgId: org.orgId, reportId, email }, now))
    throw fail('LIMIT_EXCEEDED', {
      detail: `${email} doesn't want these emails. Nothing was saved. You can ask again ${ENDED_DAYS} days after it said so.`,
    })
  if (!(await countAsking(databases, org.orgId, email, now)))
    throw fail('LIMIT_EXCEEDED', {
      detail: `We can't ask ${email} today because too many such emails were sent. Nothing was saved. Try again tomorrow.`,
    })
}

const enqueueAsking = (tx: Tx, orgId: string, recipientId: string): Promise<void> =>
  enqueue(tx, askJob, { orgId, recipientId }, { key: recipientId })

/**
 * Asks an outside address again; one that doesn't want the mails, 30 days later at the earliest. Returns whether it's asked: one that has
 * confirmed isn't. Throws NOT_FOUND, also for members, LIMIT_EXCEEDED.
 */
export async function askAgain(
  c: Asker,
  deps: Deps,
  { recipientId, ...named }: { reportId: string; scheduleId: string; recipientId: string },
): Promise<boolean> {
  const { tx, org, now } = c
  await lockSchedule(c, named)
  const row = await tx
    .selectFrom('report_recipient')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('schedule_id', '=', named.scheduleId)
    .where('id', '=', recipientId)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row || row.email === null) throw fail('NOT_FOUND')
  if (row.ended_at && row.ended_at.getTime() + ENDED_DAYS * DAY > now.getTime())
    throw fail('LIMIT_EXCEEDED', {
      detail: `This address doesn't want these emails. You can ask again ${ENDED_DAYS} days after it said so.`,
    })
  if (!row.ended_at && row.confirmed_at) return false
  if (row.asked_at && row.asked_at.getTime() + ASKED_HOURS * 3_600_000 > now.getTime())
    throw fail('LIMIT_EXCEEDED', { detail: 'This address was asked within the last 24 hours. Try again tomorrow.' })
  await mustNotBeAskedOften(c, deps, named.reportId, row.email)
  await tx
    .updateTable('report_recipient')
    .set({ asked_at: now, confirmed_at: null, ended_at: null })
    .where('org_id', '=', org.orgId)
    .where('id', '=', recipientId)
    .execute()
  await enqueueAsking(tx, org.orgId, recipientId)
  return true
}
