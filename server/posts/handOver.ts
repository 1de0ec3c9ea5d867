import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import type { QueuePosition } from '#contract/queues.ts'
import { setCampaigns } from '../campaigns/join.ts'
import { Failure } from '../errors.ts'
import { setLabels } from '../labels/tag.ts'
import { joinQueue, leaveQueue } from '../queues/join.ts'
import { endApproval, openApprovals, voidApproval } from '../workflows/open.ts'
import { lastRoundOf, type Round } from '../workflows/rounds.ts'
import type { PostRecord } from './access.ts'
import { takeBack, type PostDeps } from './schedule.ts'

/*
 * Whom posts are handed to besides the machine: labels and campaigns, the queues of their channels, their approvers.
 */

/** Gives posts their labels and campaigns, in place of those that they have. Throws NOT_FOUND and BAD_INPUT at the fields `labels` and `campaignIds`. */
export async function applyTaxonomy(
  c: ProjectContext,
  postIds: readonly string[],
  { labelIds, campaignIds }: { labelIds?: readonly string[] | undefined; campaignIds?: readonly string[] | undefined },
): Promise<void> {
  if (labelIds) await setLabels(c, postIds, labelIds, 'labels')
  if (campaignIds) await setCampaigns(c, postIds, campaignIds, 'campaignIds')
}

/** Gives posts the labels and campaigns of another, but those that take no new ones. */
export async function copyTaxonomy(c: ProjectContext, fromId: string, postIds: readonly string[]): Promise<void> {
  const ids = [...postIds]
  await sql`insert into post_label (org_id, post_id, label_id) select l.org_id, p.id, l.label_id from post_label l join label b on b.org_id = l.org_id and b.id = l.label_id and b.state = 'ACTIVE' cross join unnest(${ids}::uuid[]) as p(id) where l.org_id = ${c.org.orgId} and l.post_id = ${fromId}`.execute(
    c.tx,
  )
  await sql`insert into post_campaign (org_id, post_id, campaign_id) select k.org_id, p.id, k.campaign_id from post_campaign k join campaign g on g.org_id = k.org_id and g.id = k.campaign_id and g.state = 'ACTIVE' and g.completed_at is null cross join unnest(${ids}::uuid[]) as p(id) where k.org_id = ${c.org.orgId} and k.post_id = ${fromId}`.execute(
    c.tx,
  )
}

export type Queued = { postId: string; channelId: string; position: QueuePosition; slot?: Date | null }

/** Puts accepted posts into the queues of their channels. Answers the slot of each; null where the queue has none to give. */
export const queue = (
  c: ProjectContext,
  deps: PostDeps,
  posts: readonly Queued[],
): Promise<ReadonlyMap<string, Date | null>> =>
  posts.length === 0 ? Promise.resolve(new Map()) : joinQueue(c, deps, posts)

/**
 * Takes a post from the machine and out of its queue before it is changed. Throws POST_LOCKED while it is being sent.
 * One that stays in its queue keeps its place.
 */
export async function takeOff(
  c: ProjectContext,
  post: PostRecord,
  { staysQueued = false }: { staysQueued?: boolean } = {},
): Promise<void> {
  // what a failed one, or an approved one that waits, is said to lack is not true of what it becomes
  if (post.state !== 'SCHEDULED' && post.state !== 'QUEUED' && post.state !== 'FAILED' && post.state !== 'APPROVED')
    return
  await takeBack(c, post.id)
  if (post.state === 'QUEUED' && !staysQueued) await leaveQueue(c, [post.id])
}

/** The last round of approval of a post; undefined when it was never sent for one. */
export const lastRound = (c: ProjectContext, postId: string): Promise<Round | undefined> =>
  lastRoundOf(c.tx, c.org.orgId, postId)

/** Opens a round of approval for each of the posts, which are NEEDS_APPROVAL. Throws NOT_FOUND at `workflowId`, PLAN_LIMIT. */
export const sendForApproval = (
  c: ProjectContext,
  posts: readonly { postId: string }[],
  workflowId: string,
): Promise<void> => openApprovals(c, posts, workflowId)

/** The words that were approved, or were to be, are others now: opens a round of the same workflow for them. */
export const reopen = (c: ProjectContext, post: Pick<PostRecord, 'id'>): Promise<void> => voidApproval(c, post)

/** Ends the round of approval of a post that waits for nobody any more. */
export const withdraw = (c: ProjectContext, post: Pick<PostRecord, 'id'>): Promise<void> => endApproval(c, [post.id])

/** Asks the approvers of a post again whose deletion was undone. Answers false when nobody can be asked any more. */
export async function askOnceMore(c: ProjectContext, post: Pick<PostRecord, 'id'>): Promise<boolean> {
  const round = await lastRound(c, post.id)
  if (!round?.workflowId) return false
  try {
    await openApprovals(c, [{ postId: post.id }], round.workflowId)
    return true
  } catch (error) {
    // the workflow is gone, or the plan has none any more: thrown before anything was changed
    if (error instanceof Failure) return false
    throw error
  }
}
