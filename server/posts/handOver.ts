import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import { setCampaigns } from '../campaigns/join.ts'
import { Failure } from '../errors.ts'
import { setLabels } from '../labels/tag.ts'
import { leaveQueue } from './joinQueue.ts'
import { openApprovals } from '../approvals/open.ts'
import { lastRoundOf } from '../approvals/rounds.ts'
import type { PostRecord } from './access.ts'
import { takeBack } from './schedule.ts'

/* What a change to a post involves besides its row: its labels and campaigns, its place in the schedule, its approvers. */

/** Sets the labels and campaigns of posts. Throws NOT_FOUND and BAD_INPUT at the fields `labels` and `campaignIds`. */
export async function applyTaxonomy(
  c: ProjectContext,
  postIds: readonly string[],
  { labelIds, campaignIds }: { labelIds?: readonly string[] | undefined; campaignIds?: readonly string[] | undefined },
): Promise<void> {
  if (labelIds) await setLabels(c, 'post', postIds, labelIds, 'labels')
  if (campaignIds) await setCampaigns(c, postIds, campaignIds, 'campaignIds')
}

/** Gives posts the labels and campaigns of another, except archived ones. */
export async function copyTaxonomy(c: ProjectContext, fromId: string, postIds: readonly string[]): Promise<void> {
  const ids = [...postIds]
  await sql`insert into post_label (org_id, post_id, label_id) select l.org_id, p.id, l.label_id from post_label l join label b on b.org_id = l.org_id and b.id = l.label_id and b.state = 'ACTIVE' cross join unnest(${ids}::uuid[]) as p(id) where l.org_id = ${c.org.orgId} and l.post_id = ${fromId}`.execute(
    c.tx,
  )
  await sql`insert into post_campaign (org_id, post_id, campaign_id) select k.org_id, p.id, k.campaign_id from post_campaign k join campaign g on g.org_id = k.org_id and g.id = k.campaign_id and g.state = 'ACTIVE' and g.completed_at is null cross join unnest(${ids}::uuid[]) as p(id) where k.org_id = ${c.org.orgId} and k.post_id = ${fromId}`.execute(
    c.tx,
  )
}

/**
 * Takes a post off its lane and out of its queue before it's changed. Throws POST_LOCKED while it's being sent. One
 * that stays in its queue keeps its place.
 */
export async function takeOff(
  c: ProjectContext,
  post: PostRecord,
  { staysQueued = false }: { staysQueued?: boolean } = {},
): Promise<void> {
  // the reason why a failed or approved post waits doesn't apply to what it becomes
  if (post.state !== 'SCHEDULED' && post.state !== 'QUEUED' && post.state !== 'FAILED' && post.state !== 'APPROVED')
    return
  await takeBack(c, post.id)
  if (post.state === 'QUEUED' && !staysQueued) await leaveQueue(c, [post.id])
}

/** Asks the approvers again about a post whose deletion was undone. Returns false if nobody can be asked anymore. */
export async function askOnceMore(c: ProjectContext, post: Pick<PostRecord, 'id'>): Promise<boolean> {
  const round = await lastRoundOf(c.tx, c.org.orgId, post.id)
  if (!round?.workflowId) return false
  try {
    await openApprovals(c, [{ postId: post.id }], round.workflowId)
    return true
  } catch (error) {
    // the workflow is gone, or the plan no longer has any: thrown before anything was changed
    if (error instanceof Failure) return false
    throw error
  }
}
