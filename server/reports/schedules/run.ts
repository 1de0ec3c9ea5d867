import { sql } from 'kysely'
import { ReportContent } from '#contract/reports/content.ts'
import type { RunReason as Reasons } from '#contract/reports/schedules.ts'
import type { z } from 'zod'
import type { Databases } from '../../db/pools.ts'
import type { Tx } from '../../db/kysely.ts'
import { asTenant } from '../../db/tenant.ts'
import type { Clock } from '../../clock.ts'
import { emit } from '../../live/emit.ts'
import type { Claimed } from './claim.ts'
import { LEASE_MS } from './claim.ts'

export type RunReason = z.infer<typeof Reasons>

/** What a run is about. */
export type RunSubject = { reportId: string; reportName: string; ownerId: string }
/** What a run sends, as of now. */
export type RunOrder = RunSubject & {
  content: ReportContent
  paused: string | null
  orgName: string
  projectName: string
  zone: string
}

/** Someone else works on the run now, or it's gone: whatever was under way for it is dropped. */
export class LostRun extends Error {
  override readonly name = 'LostRun'
}

type Where = { databases: Pick<Databases, 'background'>; clock: Clock }

/**
 * A transaction in which the run is still this worker's, who keeps it for as long as a lease from now. Throws LostRun otherwise; nothing
 * is written then.
 */
export async function asHolder<T>(
  { databases, clock }: Where,
  run: Claimed,
  fn: (tx: Tx, now: Date) => Promise<T>,
): Promise<T> {
  return await asTenant(databases.background, run.orgId, async (tx) => {
    const now = clock.now()
    const { numUpdatedRows } = await tx
      .updateTable('report_run')
      .set({ lease_until: new Date(now.getTime() + LEASE_MS) })
      .where('org_id', '=', run.orgId)
      .where('id', '=', run.runId)
      .where('fence', '=', run.fence)
      .where('state', 'in', ['waiting', 'making', 'sending'])
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new LostRun()
    return await fn(tx, now)
  })
}

/** Reads what a run is about, also if it can't be sent. */
export async function readSubject(tx: Tx, { orgId, scheduleId }: Claimed): Promise<RunSubject> {
  const { rows } = await sql<RunSubject>`
    select r.id as "reportId", r.name as "reportName", s.owner_id as "ownerId" from report_schedule s join report r on r.org_id = s.org_id and r.id = s.report_id
    where s.org_id = ${orgId} and s.id = ${scheduleId}`.execute(tx)
  const [row] = rows
  if (!row) throw new LostRun()
  return row
}

/** Reads what a run sends. */
export async function readOrder(tx: Tx, { orgId, scheduleId }: Claimed): Promise<RunOrder> {
  const { rows } = await sql<Omit<RunOrder, 'content'> & { content: unknown }>`
    select r.id as "reportId", r.name as "reportName", r.content, s.owner_id as "ownerId", s.paused, o.name as "orgName", p.name as "projectName", p.zone
    from report_schedule s join report r on r.org_id = s.org_id and r.id = s.report_id
      join project p on p.org_id = s.org_id and p.id = s.project_id join organization o on o.org_id = s.org_id
    where s.org_id = ${orgId} and s.id = ${scheduleId}`.execute(tx)
  const [row] = rows
  if (!row) throw new LostRun()
  return { ...row, content: ReportContent.parse(row.content) }
}

type Change = {
  state?: 'making' | 'sending' | 'done' | 'failed' | 'skipped'
  reason?: RunReason | null
  notFinal?: readonly string[]
  range?: { from: string; to: string }
  /** When it's looked at again; nobody holds it until then. */
  nextTryAt?: Date
  tries?: number
}

/** Notes how far a run is, in its holder's transaction, and tells open screens. A run that ended is held by nobody. */
export async function noteRun(
  tx: Tx,
  run: Claimed,
  reportId: string,
  { state, reason, notFinal, range, nextTryAt, tries }: Change,
  now: Date,
): Promise<void> {
  const isOver = state === 'done' || state === 'failed' || state === 'skipped'
  await tx
    .updateTable('report_run')
    .set({
      ...(state && { state }),
      ...(reason !== undefined && { reason }),
      ...(notFinal && { not_final: JSON.stringify(notFinal) }),
      ...(range && { from_day: range.from, to_day: range.to }),
      ...(nextTryAt && { next_try_at: nextTryAt, lease_until: null }),
      ...(tries !== undefined && { tries }),
      ...(isOver && { finished_at: now, next_try_at: null, lease_until: null }),
    })
    .where('org_id', '=', run.orgId)
    .where('id', '=', run.runId)
    .execute()
  await emit(tx, { kind: 'report', ref: reportId, orgId: run.orgId, projectId: run.projectId }, now)
}
