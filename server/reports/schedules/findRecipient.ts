import { sql } from 'kysely'
import type { Databases } from '../../db/pools.ts'
import { asSystem } from '../../db/system.ts'
import { hashToken } from '../../http/session.ts'
import { emit } from '../../live/emit.ts'
import { noteUnwanted } from './limits.ts'
import { canConfirm } from './recipients.ts'

/** A recipient as the pages of its links see it. */
export type LinkedRecipient = {
  orgId: string
  projectId: string
  reportId: string
  recipientId: string
  reportName: string
  orgName: string
  frequency: string
  asked_at: Date | null
  confirmed_at: Date | null
  ended_at: Date | null
  removed_at: Date | null
  isMember: boolean
}

type System = Pick<Databases, 'system'>
const TOKEN = /^[\w-]{43}$/

/** Whose link it is; undefined for unknown ones, and of projects and organizations that are deleted. */
export async function findRecipient({ system }: System, token: string): Promise<LinkedRecipient | undefined> {
  if (!TOKEN.test(token)) return undefined
  const { rows } = await asSystem(system, (tx) =>
    sql<LinkedRecipient>`
      select c.org_id as "orgId", s.project_id as "projectId", s.report_id as "reportId", c.id as "recipientId", r.name as "reportName", o.name as "orgName",
        s.frequency, c.asked_at, c.confirmed_at, c.ended_at, c.removed_at, c.person_id is not null as "isMember"
      from report_recipient c join report_schedule s on s.org_id = c.org_id and s.id = c.schedule_id
        join report r on r.org_id = s.org_id and r.id = s.report_id
        join project p on p.org_id = s.org_id and p.id = s.project_id and p.deleted_at is null
        join organization o on o.org_id = s.org_id and o.deletes_at is null
      where c.token_hash = ${hashToken(token)}`.execute(tx),
  )
  return rows[0]
}

/**
 * Confirms that an address wants a report, unless the time for that is over; a member who ended the mails gets them again. Returns
 * whether the recipient gets them now.
 */
export async function confirmRecipient({ system }: System, found: LinkedRecipient, now: Date): Promise<boolean> {
  return await asSystem(system, async (tx) => {
    const row = await tx
      .selectFrom('report_recipient')
      .select(['asked_at', 'confirmed_at', 'ended_at', 'removed_at'])
      .where('org_id', '=', found.orgId)
      .where('id', '=', found.recipientId)
      .forUpdate()
      .executeTakeFirst()
    if (!row || row.removed_at) return false
    if (!found.isMember && !canConfirm(row, now)) return row.confirmed_at !== null && row.ended_at === null
    await tx
      .updateTable('report_recipient')
      .set(found.isMember ? { ended_at: null } : { confirmed_at: now })
      .where('org_id', '=', found.orgId)
      .where('id', '=', found.recipientId)
      .execute()
    await emit(tx, { kind: 'report', ref: found.reportId, orgId: found.orgId, projectId: found.projectId }, now)
    return true
  })
}

/** Ends the mails of a schedule to its recipient. Safe to repeat. */
export async function endRecipient({ system }: System, found: LinkedRecipient, now: Date): Promise<void> {
  await asSystem(system, async (tx) => {
    const ended = await tx
      .updateTable('report_recipient')
      .set({ ended_at: now })
      .where('org_id', '=', found.orgId)
      .where('id', '=', found.recipientId)
      .where('ended_at', 'is', null)
      .returning(['email', 'confirmed_at'])
      .executeTakeFirst()
    if (ended?.email)
      await noteUnwanted(
        tx,
        { orgId: found.orgId, reportId: found.reportId, email: ended.email, hadConfirmed: ended.confirmed_at !== null },
        now,
      )
    await emit(tx, { kind: 'report', ref: found.reportId, orgId: found.orgId, projectId: found.projectId }, now)
  })
}

export type MailedFile = { mediaKey: string; bytes: number; reportName: string; to: string }

/** The file of a mail to an address that's still among the recipients; undefined if there's none. */
export async function findMailedFile({ system }: System, mailId: string): Promise<MailedFile | undefined> {
  const { rows } = await asSystem(system, (tx) =>
    sql<MailedFile>`
      select f.media_key as "mediaKey", f.bytes, e.name as "reportName", r.to_day as "to"
      from report_mail m join report_file f on f.org_id = m.org_id and f.id = m.file_id and f.media_key is not null and f.pages > 0
        join report_run r on r.org_id = m.org_id and r.id = m.run_id
        join report_schedule s on s.org_id = r.org_id and s.id = r.schedule_id
        join report e on e.org_id = s.org_id and e.id = s.report_id
        join report_recipient c on c.org_id = m.org_id and c.id = m.recipient_id and c.removed_at is null
        join project p on p.org_id = s.org_id and p.id = s.project_id and p.deleted_at is null
        join organization o on o.org_id = s.org_id and o.deletes_at is null
      where m.id = ${mailId} and m.person_id is null`.execute(tx),
  )
  return rows[0]
}
