import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { REPORTS } from '#contract/reports/limits.ts'
import type { MailReason, mailStates } from '#contract/reports/schedules.ts'
import { webLinks } from '#contract/webLinks.ts'
import type { Tx } from '../../db/kysely.ts'
import { asTenant } from '../../db/tenant.ts'
import type { JobContext } from '../../jobs/job.ts'
import { emit } from '../../live/emit.ts'
import { MailDelayed, MailRefused, type Mailer } from '../../mail/mailer.ts'
import type { MediaStore } from '../../media/store.ts'
import type { Claimed } from './claim.ts'
import type { MadeFile } from './makeFiles.ts'
import type { LeftOut } from './readers.ts'
import { stateOf } from './recipients.ts'
import { coversRights, Rights, rightsOf } from './rights.ts'
import { asHolder, LostRun, noteRun, type RunOrder } from './run.ts'
import { fileNameOf } from '../downloads.ts'
import { obstacle, peopleOf, readerStanding } from './standings.ts'
import { messageIdOf, reportMail, type ReportLetter } from './texts.ts'
import { FILE_LINK_DAYS, fileToken, readerPaths, recipientHash, type ReportLinks } from './tokens.ts'

export type SendDeps = { media: MediaStore; mailer: Pick<Mailer, 'send'>; links: ReportLinks }
type MailState = (typeof mailStates)[number]

/** After so many mails in a row that the mail server didn't take, the others wait as well. */
const FAILURES = 3

/** Writes down all mails of a run, before the first is sent: each recipient has one. */
export async function noteMails(
  tx: Tx,
  run: Claimed,
  order: RunOrder,
  { files, leftOut, links }: { files: readonly MadeFile[]; leftOut: readonly LeftOut[]; links: ReportLinks },
  now: Date,
): Promise<void> {
  const rowOf = (
    recipient: { id: string; person_id: string | null },
    email: string,
    more: { state: MailState; reason?: MailReason; file_id?: string },
  ) => {
    const id = randomUUIDv7()
    return {
      org_id: run.orgId,
      id,
      run_id: run.runId,
      recipient_id: recipient.id,
      email,
      person_id: recipient.person_id,
      message_id: messageIdOf(id, links),
      at: now,
      ...more,
    }
  }
  const rows = [
    ...files.flatMap(({ audience, fileId }) =>
      audience.recipients.map(({ row, email }) => rowOf(row, email, { state: 'pending', file_id: fileId })),
    ),
    ...leftOut.map(({ row, email, reason }) => rowOf(row, email, { state: 'left_out', reason })),
  ]
  if (rows.length > 0)
    await tx
      .insertInto('report_mail')
      .values(rows)
      .onConflict((on) => on.columns(['org_id', 'run_id', 'recipient_id']).doNothing())
      .execute()
  await noteRun(tx, run, order.reportId, { state: 'sending', tries: 0 }, now)
}

/** Mails of a run that a worker was sending when it died: nobody knows whether they arrived, so they aren't sent again. */
export async function noteCutOff(tx: Tx, run: Claimed, now: Date): Promise<void> {
  await tx
    .updateTable('report_mail')
    .set({ state: 'unconfirmed', reason: 'cutOff', at: now })
    .where('org_id', '=', run.orgId)
    .where('run_id', '=', run.runId)
    .where('state', '=', 'sending')
    .execute()
}

/** Sends the mails of a run that wait. Returns how many still do, because the mail server didn't take them now. */
export async function sendMails(deps: SendDeps, context: JobContext, run: Claimed, order: RunOrder): Promise<number> {
  const waiting = await asHolder(context, run, (tx) =>
    tx
      .selectFrom('report_mail')
      .select(['id', 'file_id'])
      .where('org_id', '=', run.orgId)
      .where('run_id', '=', run.runId)
      .where('state', '=', 'pending')
      .orderBy('file_id')
      .orderBy('id')
      .execute(),
  )
  let held: { fileId: string; pdf: Uint8Array } | undefined
  let failures = 0
  let delayed = 0
  for (const { id: mailId, file_id: fileId } of waiting) {
    if (context.signal.aborted || failures >= FAILURES) {
      delayed += 1
      continue
    }
    if (fileId !== null && held?.fileId !== fileId)
      held = { fileId, pdf: await deps.media.read(`${run.orgId}/${fileId}`) }
    const letter = await asHolder(context, run, (tx, now) =>
      takeMail(tx, run, order, { mailId, pdf: held?.pdf ?? null, links: deps.links }, now),
    )
    if (!letter) continue
    const outcome = await send(deps, context, letter)
    failures = outcome.state === 'pending' ? failures + 1 : 0
    if (outcome.state === 'pending') delayed += 1
    await noteOutcome(context, run, order, mailId, outcome)
  }
  return delayed
}

type MailRow = {
  email: string
  person_id: string | null
  recipient_id: string
  rights: unknown
  from: string
  to: string
  not_final: unknown
}

/**
 * The mail, marked as being sent; undefined if its reader doesn't get it any more, which is noted: looked at once more, because it may
 * have waited.
 */
async function takeMail(
  tx: Tx,
  run: Claimed,
  order: RunOrder,
  { mailId, pdf, links }: { mailId: string; pdf: Uint8Array | null; links: ReportLinks },
  now: Date,
): Promise<ReportLetter | undefined> {
  const { rows } = await sql<MailRow>`
    select m.email, m.person_id, m.recipient_id, f.rights, r.from_day as "from", r.to_day as "to", f.not_final
    from report_mail m join report_run r on r.org_id = m.org_id and r.id = m.run_id
      left join report_file f on f.org_id = m.org_id and f.id = m.file_id
    where m.org_id = ${run.orgId} and m.id = ${mailId} and m.state = 'pending' for update of m`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  const reason = pdf === null ? 'noFile' : await whyNot(tx, run, order, row, now)
  const note = async (set: { state: MailState; reason?: MailReason }) => {
    await tx
      .updateTable('report_mail')
      .set({ ...set, at: now })
      .where('org_id', '=', run.orgId)
      .where('id', '=', mailId)
      .execute()
  }
  if (pdf === null || reason !== null) {
    await note({ state: 'left_out', ...(reason !== null && { reason }) })
    return undefined
  }
  await note({ state: 'sending' })
  // after the installation's secret has changed, the links of new mails have to be found as well
  await tx
    .updateTable('report_recipient')
    .set({ token_hash: recipientHash(links, row.recipient_id) })
    .where('org_id', '=', run.orgId)
    .where('id', '=', row.recipient_id)
    .where('token_hash', 'is distinct from', recipientHash(links, row.recipient_id))
    .execute()
  const people = await peopleOf(tx, run.orgId, [order.ownerId, ...(row.person_id === null ? [] : [row.person_id])])
  const { publicUrl } = links
  const fileName = fileNameOf(order.reportName, row.to, 'pdf')
  return {
    mailId,
    recipientId: row.recipient_id,
    to: row.email,
    name: (row.person_id === null ? undefined : people.get(row.person_id)?.name) ?? null,
    ownerName: people.get(order.ownerId)?.name ?? 'Someone',
    orgName: order.orgName,
    reportName: order.reportName,
    range: { from: row.from, to: row.to },
    notFinal: Array.isArray(row.not_final) ? row.not_final.map(String) : [],
    file:
      pdf.length <= REPORTS.attached
        ? { fileName, pdf }
        : row.person_id === null
          ? {
              fileName,
              link: `${publicUrl}${readerPaths.file(fileToken(links, mailId, now))}`,
              holdsDays: FILE_LINK_DAYS,
            }
          : {
              fileName,
              link: `${publicUrl}${webLinks.report({ orgId: run.orgId, projectId: run.projectId }, order.reportId)}`,
              holdsDays: null,
            },
  }
}

/** Why a reader doesn't get a mail any more; null if they do. */
async function whyNot(tx: Tx, run: Claimed, order: RunOrder, mail: MailRow, now: Date): Promise<MailReason | null> {
  const of = { orgId: run.orgId, projectId: run.projectId, now }
  const recipient = await tx
    .selectFrom('report_recipient')
    .selectAll()
    .where('org_id', '=', run.orgId)
    .where('id', '=', mail.recipient_id)
    .executeTakeFirst()
  if (!recipient || recipient.removed_at) return 'removed'
  const why = await obstacle(tx, order.ownerId, order.content, of)
  if (why !== null) return why
  const standing = await readerStanding(tx, mail.person_id ?? order.ownerId, order.content, of)
  const mayRead = standing !== null && coversRights(rightsOf(standing), Rights.parse(mail.rights))
  if (!mayRead) return 'noRight'
  const state = stateOf(recipient, mayRead, now)
  return state === 'gets' ? null : state
}

type Outcome = { state: 'sent' | 'refused' | 'unconfirmed' | 'pending'; reason: MailReason | null }

/** Sends once. What the mail server certainly didn't take can be tried again; where nobody knows, it isn't. */
async function send({ mailer, links }: SendDeps, { log }: JobContext, letter: ReportLetter): Promise<Outcome> {
  try {
    await mailer.send(reportMail(letter, links))
    return { state: 'sent', reason: null }
  } catch (error) {
    log.warn({ err: error, mailId: letter.mailId }, "an email with a report couldn't be sent")
    if (error instanceof MailRefused) return { state: 'refused', reason: 'refused' }
    return error instanceof MailDelayed
      ? { state: 'pending', reason: 'delayed' }
      : { state: 'unconfirmed', reason: 'unanswered' }
  }
}

/** What is known of a mail is written down even if another worker has the run now: another one may have noted that nobody knows. */
async function noteOutcome(
  { databases, clock }: JobContext,
  run: Claimed,
  { reportId }: RunOrder,
  mailId: string,
  outcome: Outcome,
): Promise<void> {
  await asTenant(databases.background, run.orgId, async (tx) => {
    const now = clock.now()
    const { numUpdatedRows } = await tx
      .updateTable('report_mail')
      .set({ ...outcome, at: now })
      .where('org_id', '=', run.orgId)
      .where('id', '=', mailId)
      .where('state', 'in', outcome.state === 'pending' ? ['sending'] : ['sending', 'unconfirmed'])
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new LostRun()
    await emit(tx, { kind: 'report', ref: reportId, orgId: run.orgId, projectId: run.projectId }, now)
  })
}
