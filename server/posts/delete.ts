import type { z } from 'zod'
import type { deletePost, restorePost, SeriesOutcome } from '#contract/posts.ts'
import { canDo, PostState } from '#contract/postStates.ts'
import { channelsById } from '../access/channels.ts'
import type { Wanted } from '../delivery/claim.ts'
import { Failure, fail } from '../errors.ts'
import type { Context, DetachedContext, ProjectContext } from '../http/route.ts'
import { holdFollowUps, isSendingFollowUp, resumeFollowUps } from '../publishing/followUps.ts'
import { reconcileOnLane } from '../publishing/lane.ts'
import { loadScope, loadSeriesDeletion, mayChange, mustAllow, type PostRecord } from './access.ts'
import { mustFitCap } from './cap.ts'
import { composedOf, recordDeletion, updatePost } from './updatePost.ts'
import { scheduleOf } from './content.ts'
import { askOnceMore, takeOff } from './handOver.ts'
import { joinQueue } from './joinQueue.ts'
import { endApproval } from '../approvals/open.ts'
import { beginLiveChange, makeLiveChange, type LiveDeps } from './liveChanges.ts'
import { deletionDetails, deletionSubject } from './liveSubjects.ts'
import { schedule, takeBack, type PostDeps } from './schedule.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'
import { toDraft } from './toDrafts.ts'
import { locked, whyLocked } from './locked.ts'

/**
 * How long follow-ups pause while a post is being deleted on its platform: two calls, each with a renewal of the
 * token. After that, the request has died.
 */
const HELD_MS = 120_000
/** How long a deletion can be undone. */
const UNDO_MS = 60_000

/**
 * Deletes a post here; a scheduled one isn't sent. A published one stays on the platform unless the person chose to
 * delete it there too: then it's deleted there first, between two transactions, and here only if that succeeded. With
 * a scope, the unsent posts of the series are deleted too.
 */
export async function deletePostHere(
  c: DetachedContext<typeof deletePost>,
  deps: LiveDeps,
): Promise<z.output<(typeof deletePost)['reply']>> {
  const { scope, platform } = c.query
  const { there, rest } = await c.inTenant(async (t) => {
    const { post, others } = await loadScope(t, c.params.postId, scope)
    mustAllow(t, post, 'delete')
    const isThere = platform === 'delete' && post.state === 'PUBLISHED'
    if (!isThere) await markDeleted(t, post)
    return { there: isThere ? await beginDeletionThere(t, deps, post) : null, rest: await deleteOthers(t, others) }
  })
  if (there) {
    const resume = (t: ProjectContext) => holdFollowUps(t.tx, { orgId: t.org.orgId, postId: there.subject_id }, t.now)
    await makeLiveChange(c, deps, deletionSubject({ address: c.address }), there, resume)
    // its audit entry was written with the platform's answer
    await c.inTenant((t) => t.audit([]))
  }
  return { changed: rest.changed + 1, kept: rest.kept, message: 'Post deleted successfully' }
}

/** Throws CHANNEL_REFUSED if the post can't be deleted from here, and POST_LOCKED while more of it is being sent. */
async function beginDeletionThere(t: ProjectContext, deps: LiveDeps, post: PostRecord): Promise<Wanted> {
  if (post.remote_id === null)
    throw fail('CHANNEL_REFUSED', {
      detail: "We don't know which post on the platform this is. Delete it there yourself, then delete it here only.",
    })
  // nothing may follow a post that is being deleted, nor arrive after it
  if (await isSendingFollowUp(t.tx, t.org.orgId, post.id, t.now))
    throw fail('POST_LOCKED', {
      detail: 'The rest of this post is still being published. Try again in a minute.',
      meta: { state: post.state },
    })
  await holdFollowUps(t.tx, { orgId: t.org.orgId, postId: post.id }, new Date(t.now.getTime() + HELD_MS))
  return await beginLiveChange(t, deps, post, 'deletion', deletionDetails(t.caller.personId))
}

async function deleteOthers(t: ProjectContext, others: readonly PostRecord[]): Promise<SeriesOutcome> {
  const kept: SeriesOutcome['kept'] = []
  let changed = 0
  for (const post of others) {
    const reason = whyKept(t, post)
    if (reason !== undefined) kept.push({ postId: post.id, reason })
    else {
      await markDeleted(t, post)
      changed += 1
    }
  }
  return { changed, kept }
}

function whyKept(t: ProjectContext, post: PostRecord): string | undefined {
  // published posts are deleted one by one: each asks what happens to it on the platform
  if (post.state === 'PUBLISHED' || post.state === 'UNCONFIRMED' || !canDo('delete', post.state))
    return whyLocked('delete', post.state)
  return mayChange(t, post, 'delete') ? undefined : "Your role doesn't allow this."
}

export async function markDeleted(t: ProjectContext, post: PostRecord): Promise<void> {
  if (post.state === 'QUEUED') await takeOff(t, post)
  else if (post.state !== 'DRAFTS') await takeBack(t, post.id)
  // nobody is asked about it anymore; an approval is kept for an undo
  if (post.state === 'NEEDS_APPROVAL') await endApproval(t, [post.id])
  await recordDeletion(t, post, {})
}

/**
 * Undoes a deletion of the last minute: the post is what it was, and is published when it would have been. With a
 * scope, so is what was deleted together with it.
 */
export async function restore(
  c: Context<typeof restorePost>,
  deps: PostDeps,
): Promise<z.output<(typeof restorePost)['reply']>> {
  const { post, others } = await loadSeriesDeletion(c, c.params.postId, c.query.scope)
  await undelete(c, deps, post)
  const kept: SeriesOutcome['kept'] = []
  for (const other of others) {
    try {
      await undelete(c, deps, other)
    } catch (error) {
      // refused before any of it was changed
      if (!(error instanceof Failure)) throw error
      kept.push({ postId: other.id, reason: error.message })
    }
  }
  return { changed: 1 + others.length - kept.length, kept, message: 'Post restored' }
}

/** The same for a single post, for many that were deleted by one call. */
export async function restoreOne(t: ProjectContext, deps: PostDeps, postId: string): Promise<void> {
  const { post } = await loadSeriesDeletion(t, postId, 'this')
  await undelete(t, deps, post)
}

async function undelete(c: ProjectContext, deps: PostDeps, post: PostRecord): Promise<void> {
  if (post.state !== 'DELETED')
    throw fail('POST_LOCKED', { detail: "This post isn't deleted.", meta: { state: post.state } })
  if (post.deleted_from === null) throw locked('edit', 'DELETED')
  const state = PostState.parse(post.deleted_from)
  if (!mayChange(c, { ...post, state }, 'delete')) throw fail('FORBIDDEN')
  if (c.now.getTime() - post.updated_at.getTime() > UNDO_MS)
    throw fail('TIME_PASSED', { detail: 'You can only undo a deletion within a minute.' })
  await bringBack(c, deps, post, state)
  await c.audit({ entityId: post.id, detail: { after: { state } } })
}

async function bringBack(c: ProjectContext, deps: PostDeps, post: PostRecord, state: PostState): Promise<void> {
  const channel = post.channel_id === null ? undefined : (await channelsById(c, [post.channel_id])).get(post.channel_id)
  if (post.channel_id !== null && !channel && state !== 'PUBLISHED' && state !== 'FAILED')
    throw fail('POST_LOCKED', { detail: 'The channel of this post was disconnected meanwhile.' })
  // its slot may be taken by now
  const isDated = post.due_at !== null && post.due_at > c.now && (state === 'SCHEDULED' || state === 'NEEDS_APPROVAL')
  if (channel && (isDated || state === 'QUEUED')) await mustFitCap(c, [{ channel, at: '' }])
  const version = await updatePost(c, post, { state, deleted_from: null })
  const slot = await goOnAsBefore(c, deps, post, state, version)
  const personId = c.caller.personId
  const words = { postId: post.id, personId, detail: { code: 'deletion-undone' as const } }
  if (state === 'QUEUED') await addTimelineEvent(c.tx, c.org.orgId, c.now, [{ ...words, kind: 'queued', dueAt: slot }])
  else
    await addTimelineEvent(c.tx, c.org.orgId, c.now, [
      state === 'SCHEDULED' ? { ...words, kind: 'scheduled', dueAt: post.due_at } : { ...words, kind: 'edited' },
    ])
}

/** Returns the post to its lane, queue or approvers. A queued one returns to its place in the queue. Returns its slot. */
async function goOnAsBefore(
  c: ProjectContext,
  deps: PostDeps,
  post: PostRecord,
  state: PostState,
  version: number,
): Promise<Date | null> {
  if (state === 'NEEDS_APPROVAL' && !(await askOnceMore(c, post))) await toDraft(c, { ...post, state, version })
  if (state === 'PUBLISHED')
    await resumeFollowUps(c.tx, { orgId: c.org.orgId, postId: post.id, failedToo: false }, c.now)
  // it may be published: a person has to find out
  if (state === 'UNCONFIRMED') await reconcileOnLane(c.tx, c.org.orgId, post.id, c.now)
  if (state === 'SCHEDULED' && post.due_at)
    await schedule(c, deps, [{ ...(await composedOf(c, post)), postId: post.id, dueAt: post.due_at }])
  if (state !== 'QUEUED' || post.channel_id === null) return null
  const asked = scheduleOf(post)
  const position = asked.type === 'QUEUE' ? (asked.details?.position ?? 'LAST') : 'LAST'
  return (
    (await joinQueue(c, deps, [{ postId: post.id, channelId: post.channel_id, position, slot: post.due_at }])).get(
      post.id,
    ) ?? null
  )
}
