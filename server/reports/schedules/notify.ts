import { sql } from 'kysely'
import type { Tx } from '../../db/kysely.ts'
import { createNotification } from '../../notifications/create.ts'
import type { Claimed } from './claim.ts'
import { addressees } from './pause.ts'
import type { RunSubject } from './run.ts'

type Failed = 'tooLarge' | 'tooSlow' | 'broken' | 'noRecipients'

/** Tells a schedule's owner that a run wasn't sent. */
export async function notifyFailed(tx: Tx, run: Claimed, order: RunSubject, reason: Failed, now: Date): Promise<void> {
  await createNotification(
    tx,
    {
      orgId: run.orgId,
      projectId: run.projectId,
      kind: 'report-failed',
      params: { reportId: order.reportId, reportName: order.reportName, reason },
      dedupeKey: `report-run:${run.runId}:failed`,
      people: await addressees(tx, { ...run, ownerId: order.ownerId }, now),
      channelIds: null,
    },
    now,
  )
}

/** Tells a schedule's owner once that mails of a run weren't delivered, or may not have been. */
export async function notifyUndelivered(tx: Tx, run: Claimed, order: RunSubject, now: Date): Promise<void> {
  const { rows } = await sql<{ refused: number; failed: number; unconfirmed: number }>`
    select count(*) filter (where state = 'refused')::int as refused, count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state = 'unconfirmed')::int as unconfirmed
    from report_mail where org_id = ${run.orgId} and run_id = ${run.runId}`.execute(tx)
  const [n] = rows
  if (!n || n.refused + n.failed + n.unconfirmed === 0) return
  await createNotification(
    tx,
    {
      orgId: run.orgId,
      projectId: run.projectId,
      kind: 'report-undelivered',
      params: { reportId: order.reportId, reportName: order.reportName, ...n },
      dedupeKey: `report-run:${run.runId}:mails`,
      people: await addressees(tx, { ...run, ownerId: order.ownerId }, now),
      channelIds: null,
    },
    now,
  )
}
