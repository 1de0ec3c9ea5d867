import type { z } from 'zod'
import type { deletePost, restorePost } from '#contract/posts.ts'
import { PostState } from '#contract/postStates.ts'
import { fail } from '../errors.ts'
import type { Context, DetachedContext } from '../http/route.ts'
import { channelsById } from '../channels/access.ts'
import { mustFitCap } from './cap.ts'
import { loadPost, loadPostFor, mayChange, type Desk, type PostRecord } from './access.ts'
import { change } from './change.ts'
import { removeFromPlatform, type RemovalParts } from './removeFromPlatform.ts'
import { schedule, takeBack, type PostParts } from './schedule.ts'
import { composedOf } from './change.ts'
import { note } from './timeline.ts'
import { locked } from './words.ts'

/** How long a deletion can be undone. */
const UNDO_MS = 60_000

/**
 * Deletes a post here: a scheduled one is not sent. A published one stays on the platform, unless the person asked to
 * delete it there too: then it is deleted there first, between two transactions, and here only when that succeeded.
 */
export async function deletePostHere(c: DetachedContext<typeof deletePost>, parts: RemovalParts): Promise<z.output<(typeof deletePost)['reply']>> {
  const there = await c.inTenant(async (t) => {
    const post = await loadPostFor(t, c.params.postId, 'delete')
    if (c.query.platform === 'delete' && post.state === 'PUBLISHED' && post.remote_id !== null) return post
    await markDeleted(t, post, {})
    return null
  })
  if (there) {
    await removeFromPlatform(c, parts, there)
    await c.inTenant(async (t) => {
      const post = await loadPost(t, there.id)
      // it is gone on the platform whatever happened here meanwhile
      if (post.state !== 'DELETED') await markDeleted(t, post, { remote_id: null, permalink: null })
    })
  }
  return { changed: 1, kept: [], message: 'Post deleted successfully' }
}

export async function markDeleted(t: Desk, post: PostRecord, more: { remote_id?: null; permalink?: null }): Promise<void> {
  if (post.state !== 'PUBLISHED' && post.state !== 'DRAFTS') await takeBack(t, post.id)
  // taking a post back clears what the machine said of it; an undo brings it back
  await change(t, post, { state: 'DELETED', deleted_from: post.state, failure: post.failure === null ? null : JSON.stringify(post.failure), ...more })
  await note(t.tx, t.org.orgId, t.now, [{ postId: post.id, kind: 'deleted', personId: t.caller.personId, note: 'remote_id' in more ? 'Deleted on the platform too.' : null }])
  await t.audit({ entityId: post.id, detail: { from: post.state, onPlatform: 'remote_id' in more } })
}

/** Undoes a deletion of the last minute: the post is what it was, and goes out when it would have. */
export async function restore(c: Context<typeof restorePost>, parts: PostParts): Promise<{ message: string }> {
  const post = await loadPost(c, c.params.postId)
  if (post.state !== 'DELETED' || post.deleted_from === null) throw fail('POST_LOCKED', { detail: 'This post is not deleted.', meta: { state: post.state } })
  const state = PostState.parse(post.deleted_from)
  if (!mayChange(c, { ...post, state }, 'delete')) throw fail('FORBIDDEN')
  if (c.now.getTime() - post.updated_at.getTime() > UNDO_MS) throw fail('TIME_PASSED', { detail: 'A deletion can be undone for a minute only.' })
  if (state === 'PUBLISHED' && post.remote_id === null) throw locked('edit', 'DELETED')
  await bringBack(c, parts, post, state)
  await c.audit({ entityId: post.id, detail: { to: state } })
  return { message: 'Post restored' }
}

async function bringBack(c: Desk, parts: PostParts, post: PostRecord, state: PostState): Promise<void> {
  const channel = post.channel_id === null ? undefined : (await channelsById(c, [post.channel_id])).get(post.channel_id)
  if (post.channel_id !== null && !channel && state !== 'PUBLISHED' && state !== 'FAILED') throw fail('POST_LOCKED', { detail: 'The channel of this post was disconnected meanwhile.' })
  const isWaiting = state === 'SCHEDULED' || state === 'QUEUED'
  // its place may be taken by now
  if (channel && (isWaiting || state === 'NEEDS_APPROVAL') && post.due_at && post.due_at > c.now) await mustFitCap(c, [{ channel, at: '' }])
  await change(c, post, { state, deleted_from: null })
  if (isWaiting && post.due_at) {
    const composed = await composedOf(c, post)
    await schedule(c, parts, [{ ...composed, postId: post.id, dueAt: post.due_at }])
  }
  await note(c.tx, c.org.orgId, c.now, [isWaiting ? { postId: post.id, kind: 'scheduled', personId: c.caller.personId, dueAt: post.due_at, note: 'The deletion was undone.' } : { postId: post.id, kind: 'edited', personId: c.caller.personId, note: 'The deletion was undone.' }])
}
