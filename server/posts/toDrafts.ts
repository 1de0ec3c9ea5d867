import type { Reason } from '#contract/failures/catalog.ts'
import type { ProjectContext } from '../http/route.ts'
import { PostState } from '#contract/postStates.ts'
import type { Tx } from '../db/kysely.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { reasonDetail } from '#contract/timeline.ts'
import { emit } from '../live/emit.ts'
import { createNotification } from '../notifications/create.ts'
import { takeOffLane } from '../publishing/lane.ts'
import { deliveriesOf, endDelivery, type PostDelivery } from '../publishing/deliveries.ts'
import { endFollowUps } from '../publishing/followUps.ts'
import { endApproval } from '../approvals/open.ts'
import { unreadWarning, unresolvedFailure } from '../delivery/failures.ts'
import { notifyOfDoubt } from '../publishing/notify.ts'
import type { PostRecord } from './access.ts'
import { updatePost, planColumns } from './updatePost.ts'
import { draftBodyOf, saysColumns, type Says } from './content.ts'
import { takeOff } from './handOver.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'

/** Takes a post off the schedule: it becomes a draft, planned for its former time, with the given content. */
export async function toDraft(c: ProjectContext, was: PostRecord, says?: Says): Promise<void> {
  const post = says
    ? {
        ...was,
        contents: says.contents,
        details: says.details,
        first_comment: says.firstComment,
        mentions: says.mentions,
      }
    : was
  await takeOff(c, post)
  await endApproval(c, [post.id])
  await updatePost(c, post, { ...draftOfPost(post, c.now), ...(says && saysColumns(says)), state: 'DRAFTS' })
  await addTimelineEvent(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'drafted', personId: c.caller.personId }])
}

/** The composer's state for an existing post. Its contents stay: a thread keeps all of its items. */
function draftOfPost(post: PostRecord, now: Date) {
  return planColumns(draftBodyOf(post), now, post.zone)
}

type Channel = {
  orgId: string
  projectId: string
  channelId: string
  platform: PlatformKey
  /** Why, as follow-ups and posts store it. */
  reason: Reason
  personId: string
}

/**
 * Turns everything that waits on a channel into drafts without a channel, as when the channel is deleted. Sends in
 * flight continue. What the platform accepted and can't be read back anymore is PUBLISHED with a warning; what it was
 * still processing, and what couldn't be reconciled, is left to a person. Returns what became drafts.
 */
export async function channelToDrafts(tx: Tx, channel: Channel, now: Date): Promise<string[]> {
  const { orgId, channelId, reason, personId } = channel
  const rows = await tx
    .selectFrom('post')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .where('state', 'in', [
      'SCHEDULED',
      'QUEUED',
      'NEEDS_APPROVAL',
      'APPROVED',
      'REJECTED',
      'DRAFTS',
      'UNCONFIRMED',
      'PROCESSING',
    ])
    .orderBy('id')
    .forUpdate()
    .execute()
  const posts = rows.map((row) => ({ ...row, state: PostState.parse(row.state) }))
  const deliveryOf = await deliveriesOf(
    tx,
    orgId,
    posts.map(({ id }) => id),
  )
  await Promise.all(posts.map((post) => takeOffLane(tx, orgId, post.id)))
  await leaveUnread(tx, channel, posts, deliveryOf, now)
  for (const postId of await endFollowUps(tx, { orgId, channelId, reason }))
    await emit(tx, { orgId, projectId: channel.projectId, kind: 'post', ref: postId }, now)
  const waiting = posts.filter((post) => post.state !== 'UNCONFIRMED' && post.state !== 'PROCESSING')
  for (const post of waiting) {
    const columns = post.state === 'DRAFTS' ? {} : draftOfPost({ ...post, channel_id: null }, now)
    await tx
      .updateTable('post')
      .set({
        ...columns,
        state: 'DRAFTS',
        channel_id: null,
        queue_order: null,
        version: post.version + 1,
        updated_at: now,
      })
      .where('org_id', '=', orgId)
      .where('id', '=', post.id)
      .execute()
  }
  await endApproval(
    { tx, org: { orgId }, now },
    waiting.map(({ id }) => id),
  )
  const drafted = waiting.filter((post) => post.state !== 'DRAFTS')
  await addTimelineEvent(
    tx,
    orgId,
    now,
    drafted.map((post) => ({ postId: post.id, kind: 'drafted', personId, detail: reasonDetail(reason) })),
  )
  return drafted.map((post) => post.id)
}

/**
 * Ends the read-back of posts that are, or may be, on the platform. Whatever the engine is reading of them right now
 * is rejected by the fence.
 */
async function leaveUnread(
  tx: Tx,
  { orgId, projectId, channelId, platform, reason, personId }: Channel,
  posts: readonly PostRecord[],
  deliveryOf: (postId: string) => PostDelivery,
  now: Date,
): Promise<void> {
  const warning = unreadWarning(platform, reason)
  const failure = unresolvedFailure(platform)
  const taken = posts.filter(({ id }) => deliveryOf(id).step === 'readback')
  const doubtful = posts.filter(({ id, state }) => {
    const { step } = deliveryOf(id)
    return step === 'poll' || (state === 'UNCONFIRMED' && step !== 'readback')
  })
  for (const post of taken) {
    const at = deliveryOf(post.id).sentAt ?? now
    await endDelivery(tx, orgId, post.id, 'sent')
    await tx
      .updateTable('post')
      .set({
        updated_at: now,
        state: 'PUBLISHED',
        published_at: at,
        shown_at: at,
        warning: JSON.stringify([warning]),
        failure: null,
      })
      .where('org_id', '=', orgId)
      .where('id', '=', post.id)
      .execute()
  }
  for (const post of doubtful) {
    // those without a step were reported when they lost it
    if (deliveryOf(post.id).step !== null)
      await notifyOfDoubt(
        createNotification,
        tx,
        { ...post, post_id: post.id, channel_id: channelId, platform },
        failure,
        now,
      )
    await endDelivery(tx, orgId, post.id, 'unsure')
    await tx
      .updateTable('post')
      .set({ updated_at: now, state: 'UNCONFIRMED', failure: JSON.stringify(failure) })
      .where('org_id', '=', orgId)
      .where('id', '=', post.id)
      .execute()
  }
  const newlyDoubtful = doubtful.filter(({ state }) => state !== 'UNCONFIRMED')
  await addTimelineEvent(tx, orgId, now, [
    ...taken.map((post) => ({ postId: post.id, kind: 'confirmed' as const, personId, detail: reasonDetail(warning) })),
    ...newlyDoubtful.map((post) => ({
      postId: post.id,
      kind: 'unconfirmed' as const,
      personId,
      detail: reasonDetail(reason),
    })),
  ])
  for (const post of [...taken, ...doubtful]) await emit(tx, { orgId, projectId, kind: 'post', ref: post.id }, now)
}
