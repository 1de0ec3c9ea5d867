import { sql } from 'kysely'
import type { QueuePosition } from '#contract/queues.ts'
import { setCampaigns } from '../campaigns/join.ts'
import { fail } from '../errors.ts'
import { setLabels } from '../labels/tag.ts'
import type { Desk, PostRecord } from './access.ts'
import type { Composed } from './checks.ts'
import { takeBack, type PostParts } from './schedule.ts'

/*
 * Whom posts are handed to besides the machine: labels and campaigns, the queues of their channels, their approvers.
 */

/** Gives posts their labels and campaigns, in place of those that they have. Throws NOT_FOUND and BAD_INPUT at the fields `labels` and `campaignIds`. */
export async function shelve(c: Desk, postIds: readonly string[], { labelIds, campaignIds }: { labelIds?: readonly string[] | undefined; campaignIds?: readonly string[] | undefined }): Promise<void> {
  if (labelIds) await setLabels(c, postIds, labelIds, 'labels')
  if (campaignIds) await setCampaigns(c, postIds, campaignIds, 'campaignIds')
}

/** Gives posts the labels and campaigns of another. */
export async function copyShelves(c: Desk, fromId: string, postIds: readonly string[]): Promise<void> {
  const ids = [...postIds]
  await sql`insert into post_label (org_id, post_id, label_id) select l.org_id, p.id, l.label_id from post_label l cross join unnest(${ids}::uuid[]) as p(id) where l.org_id = ${c.org.orgId} and l.post_id = ${fromId}`.execute(c.tx)
  await sql`insert into post_campaign (org_id, post_id, campaign_id) select k.org_id, p.id, k.campaign_id from post_campaign k cross join unnest(${ids}::uuid[]) as p(id) where k.org_id = ${c.org.orgId} and k.post_id = ${fromId}`.execute(c.tx)
}

export type Queued = { postId: string; channelId: string; position: QueuePosition }

/** Puts accepted posts into the queues of their channels. Answers the slot of each; null where the queue has none to give. */
export async function queue(_c: Desk, _parts: PostParts, posts: readonly Queued[]): Promise<ReadonlyMap<string, Date | null>> {
  if (posts.length > 0) throw fail('BAD_INPUT', { errors: { schedule: ['This cannot be queued yet.'] } })
  return new Map()
}

/**
 * Takes a post from the machine and out of its queue before it is changed. Throws POST_LOCKED while it is being sent.
 * One that stays in its queue keeps its place.
 */
export async function takeOff(c: Desk, post: PostRecord, _options: { staysQueued?: boolean } = {}): Promise<void> {
  if (post.state === 'SCHEDULED' || post.state === 'QUEUED') await takeBack(c, post.id)
}

export type Round = { workflowId: string | null; state: 'open' | 'approved' | 'rejected' | 'void' }

/** The last round of approval of a post; null when it was never sent for one. */
export async function lastRound(c: Desk, postId: string): Promise<Round | null> {
  const { rows } = await sql<Round>`select workflow_id as "workflowId", state from approval where org_id = ${c.org.orgId} and post_id = ${postId} order by sent_at desc, id desc limit 1`.execute(c.tx)
  return rows[0] ?? null
}

/** Opens a round of approval for each of the posts. They are NEEDS_APPROVAL. */
export async function sendForApproval(_c: Desk, _posts: readonly (Composed & { postId: string })[], _workflowId: string): Promise<void> {
  throw fail('BAD_INPUT', { errors: { workflowId: ['This cannot be sent for approval yet.'] } })
}

/** The words that were approved, or were to be, are others now: opens a round of the same workflow for them. */
export async function reopen(_c: Desk, _post: PostRecord): Promise<void> {}

/** Ends the round of approval of a post that waits for nobody any more. */
export async function withdraw(_c: Desk, _post: PostRecord): Promise<void> {}
