import { sql } from 'kysely'
import { z } from 'zod'
import type { ReportRun } from '#contract/reports/schedules.ts'
import { MailReason, mailStates, RunReason } from '#contract/reports/schedules.ts'
import type { Databases } from '../../db/pools.ts'
import { fail } from '../../errors.ts'
import type { CallerProject } from '../../http/route.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { Asker } from '../access.ts'
import { fileNameOf } from '../downloads.ts'
import { lockSchedule, seeSchedule } from './access.ts'
import { runJob } from './jobNames.ts'
import { mustNotBeOften } from './limits.ts'
import { emailsFor, stateOfRun } from './present.ts'
import { coversRights, Rights, rightsOf } from './rights.ts'

type Viewer = Asker & { project: CallerProject }
type Named = { reportId: string; scheduleId: string }

const Strings = z.array(z.string())
const MailState = z.enum(mailStates)

/** A page of a schedule's runs, the latest first, with the files that the caller's role may see. Throws NOT_FOUND. */
export async function listRuns(
  c: Viewer,
  named: Named,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ runs: ReportRun[]; count: number }> {
  const { tx, org, project } = c
  await seeSchedule(c, named)
  const ofSchedule = tx
    .selectFrom('report_run')
    .where('org_id', '=', org.orgId)
    .where('schedule_id', '=', named.scheduleId)
  const { n } = await ofSchedule.select((e) => e.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  const rows = await ofSchedule
    .selectAll()
    .orderBy('due_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const ids = rows.map(({ id }) => id)
  const files = ids.length === 0 ? [] : await filesOf(c, ids)
  const mails = ids.length === 0 ? [] : await mailsOf(c, ids)
  const emailOf = emailsFor(project)
  const runs = rows.map((row): ReportRun => ({
    runId: row.id,
    dueAt: row.due_at.toISOString(),
    asked: row.asked,
    from: row.from_day,
    to: row.to_day,
    state: stateOfRun(row.state),
    reason: RunReason.nullable().parse(row.reason),
    notFinal: namesNotFinal(
      row,
      files.filter(({ run_id: runId }) => runId === row.id),
      project,
    ),
    waitsUntil: row.state === 'waiting' ? (row.wait_until?.toISOString() ?? null) : null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    files: files
      .filter(({ run_id: runId }) => runId === row.id)
      .map(({ id: fileId, bytes, pages }) => ({ fileId, bytes, pages })),
    mails: mails
      .filter(({ run_id: runId }) => runId === row.id)
      .map(({ id: mailId, email, state, reason, at }) => ({
        mailId,
        email: emailOf(email),
        state: MailState.parse(state),
        reason: MailReason.nullable().parse(reason),
        at: at.toISOString(),
      })),
  }))
  return { runs, count: n }
}

/** Channels that aren't final: of the files that the caller may see, and while there's none, for those who see all channels. */
function namesNotFinal(
  run: { not_final: unknown },
  files: readonly { not_final: unknown }[],
  { channelIds }: Pick<CallerProject, 'channelIds'>,
): string[] {
  const lists = files.length > 0 ? files : channelIds === null ? [run] : []
  return [...new Set(lists.flatMap((one) => Strings.parse(one.not_final)))]
}

async function filesOf({ tx, org, project }: Viewer, runIds: readonly string[]) {
  const own = rightsOf({ org, project })
  const rows = await tx
    .selectFrom('report_file')
    .select(['id', 'run_id', 'rights', 'bytes', 'pages', 'not_final'])
    .where('org_id', '=', org.orgId)
    .where('run_id', 'in', runIds)
    .where('media_key', 'is not', null)
    // not made yet
    .where('pages', '>', 0)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.filter(({ rights }) => coversRights(own, Rights.parse(rights)))
}

const mailsOf = ({ tx, org }: Viewer, runIds: readonly string[]) =>
  tx
    .selectFrom('report_mail')
    .select(['id', 'run_id', 'email', 'state', 'reason', 'at'])
    .where('org_id', '=', org.orgId)
    .where('run_id', 'in', runIds)
    .orderBy('email')
    .orderBy('id')
    .execute()

export type StoredFile = { mediaKey: string; bytes: number; fileName: string }

/** A file that a run sent, if the caller's role covers what it shows. Throws NOT_FOUND. */
export async function seeFile(c: Viewer, named: Named, fileId: string): Promise<StoredFile> {
  const { tx, org, project } = c
  const { report } = await seeSchedule(c, named)
  const { rows } = await sql<{ rights: unknown; mediaKey: string; bytes: number; to: string }>`
    select f.rights, f.media_key as "mediaKey", f.bytes, r.to_day as "to" from report_file f join report_run r on r.org_id = f.org_id and r.id = f.run_id
    where f.org_id = ${org.orgId} and f.id = ${fileId} and r.schedule_id = ${named.scheduleId} and f.media_key is not null and f.pages > 0`.execute(
    tx,
  )
  const [file] = rows
  if (!file || !coversRights(rightsOf({ org, project }), Rights.parse(file.rights))) throw fail('NOT_FOUND')
  return { mediaKey: file.mediaKey, bytes: file.bytes, fileName: fileNameOf(report.row.name, file.to, 'pdf') }
}

/**
 * Has a mail sent again that was refused, failed, or may not have arrived, with the same file and Message-ID. Throws NOT_FOUND, also when
 * its file is gone; LIMIT_EXCEEDED.
 */
export async function sendAgain(
  c: Viewer,
  databases: Pick<Databases, 'system'>,
  named: Named,
  mailId: string,
): Promise<void> {
  const { tx, org, now } = c
  await lockSchedule(c, named)
  const { rows } = await sql<{ run_id: string }>`
    select m.run_id from report_mail m join report_run r on r.org_id = m.org_id and r.id = m.run_id
      join report_file f on f.org_id = m.org_id and f.id = m.file_id and f.media_key is not null
    where m.org_id = ${org.orgId} and m.id = ${mailId} and r.schedule_id = ${named.scheduleId} and m.state in ('refused', 'failed', 'unconfirmed')
    for update of m, r`.execute(tx)
  const [mail] = rows
  if (!mail) throw fail('NOT_FOUND')
  await mustNotBeOften(databases, 'again', mailId, now)
  await tx
    .updateTable('report_mail')
    .set({ state: 'pending', reason: null, at: now })
    .where('org_id', '=', org.orgId)
    .where('id', '=', mailId)
    .execute()
  await tx
    .updateTable('report_run')
    .set({ state: 'sending', next_try_at: now, tries: 0, finished_at: null })
    .where('org_id', '=', org.orgId)
    .where('id', '=', mail.run_id)
    .execute()
  await enqueue(tx, runJob, { orgId: org.orgId }, { key: org.orgId })
}
