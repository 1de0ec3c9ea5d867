import type { Tx } from '../../db/kysely.ts'
import { createNotification } from '../../notifications/create.ts'
import { seesInsights, standingOf } from '../standing.ts'
import type { ScheduleRow } from './access.ts'

type Paused = Pick<ScheduleRow, 'org_id' | 'id' | 'project_id' | 'report_id' | 'owner_id' | 'paused'>

/**
 * Notes that the plan or the owner keeps a schedule from being sent, or no longer does. Its owner is told when that begins; the
 * organization's admins if the owner left or can't see insights.
 */
export async function notePause(
  tx: Tx,
  { org_id: orgId, id, project_id: projectId, report_id: reportId, owner_id: ownerId, paused }: Paused,
  { reportName, why }: { reportName: string; why: 'plan' | 'owner' | null },
  now: Date,
): Promise<void> {
  if (paused === why) return
  await tx
    .updateTable('report_schedule')
    .set({ paused: why, paused_at: why && now })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
  if (why === null) return
  await createNotification(
    tx,
    {
      orgId,
      projectId,
      kind: 'report-paused',
      params: { reportId, reportName, why },
      dedupeKey: `report-schedule:${id}:paused`,
      people: await addressees(tx, { orgId, projectId, ownerId }, now),
      channelIds: null,
    },
    now,
  )
}

/** Who is told about a schedule: its owner, or the organization's admins once the owner left or can't see insights. */
export async function addressees(
  tx: Tx,
  { orgId, projectId, ownerId }: { orgId: string; projectId: string; ownerId: string },
  now: Date,
): Promise<readonly string[] | 'org-admins'> {
  const standing = await standingOf(tx, { orgId, projectId, personId: ownerId, now })
  return standing && seesInsights(standing) ? [ownerId] : 'org-admins'
}
