import { sql } from 'kysely'
import { z } from 'zod'
import { asTenant } from '../../db/tenant.ts'
import type { Tx } from '../../db/kysely.ts'
import type { JobContext } from '../../jobs/job.ts'
import { MailDelayed, MailRefused, type Mailer } from '../../mail/mailer.ts'
import { canConfirm } from './recipients.ts'
import { askMail, howOften, type AskLetter } from './texts.ts'
import { recipientHash, type ReportLinks } from './tokens.ts'

export const AskPayload = z.object({ orgId: z.uuid(), recipientId: z.uuid() })
type Asked = z.infer<typeof AskPayload>

/**
 * Asks an outside address whether it wants a report, unless that has been answered. One that refuses the email counts as not asked;
 * where nobody knows whether it arrived, it isn't sent again.
 */
export async function askByMail(
  { databases, clock, log }: JobContext,
  { mailer, links }: { mailer: Pick<Mailer, 'send'>; links: ReportLinks },
  asked: Asked,
): Promise<void> {
  const letter = await asTenant(databases.background, asked.orgId, (tx) => takeLetter(tx, asked, links, clock.now()))
  if (!letter) return
  try {
    await mailer.send(askMail(letter, links))
  } catch (error) {
    // the job is tried again
    if (error instanceof MailDelayed) throw error
    if (!(error instanceof MailRefused)) {
      log.warn({ err: error, recipientId: asked.recipientId }, 'an email that asks about a report may not have arrived')
      return
    }
    log.warn({ err: error, recipientId: asked.recipientId }, 'an address refuses the email that asks about a report')
    await asTenant(databases.background, asked.orgId, (tx) =>
      tx
        .updateTable('report_recipient')
        .set({ asked_at: null })
        .where('org_id', '=', asked.orgId)
        .where('id', '=', asked.recipientId)
        .where('confirmed_at', 'is', null)
        .execute(),
    )
  }
}

type Row = Omit<AskLetter, 'how' | 'ownerName'> & {
  ownerName: string | null
  frequency: string
  asked_at: Date | null
  confirmed_at: Date | null
  ended_at: Date | null
}

async function takeLetter(
  tx: Tx,
  { orgId, recipientId }: Asked,
  links: ReportLinks,
  now: Date,
): Promise<AskLetter | undefined> {
  const { rows } = await sql<Row>`
    update report_recipient c set token_hash = ${recipientHash(links, recipientId)}
    from report_schedule s join report r on r.org_id = s.org_id and r.id = s.report_id join organization o on o.org_id = s.org_id
    where c.org_id = ${orgId} and c.id = ${recipientId} and c.removed_at is null and c.email is not null
      and s.org_id = c.org_id and s.id = c.schedule_id and o.deletes_at is null
    returning c.id as "recipientId", c.email as "to", c.asked_at, c.confirmed_at, c.ended_at, r.name as "reportName", o.name as "orgName", s.frequency,
      (select trim(p.first_name || ' ' || p.last_name) from member m join person p on p.id = m.person_id
        where m.org_id = s.org_id and m.person_id = s.owner_id and m.removed_at is null) as "ownerName"`.execute(tx)
  const [row] = rows
  if (!row || !canConfirm(row, now)) return undefined
  const { to, reportName, orgName, frequency } = row
  return { recipientId, to, reportName, orgName, ownerName: row.ownerName || 'Someone', how: howOften(frequency) }
}
