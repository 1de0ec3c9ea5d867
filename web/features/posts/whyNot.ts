import type { PostRow } from '#contract/postLists.ts'
import { canDo, type PostAction, type PostState } from '#contract/postStates.ts'
import { isOnItsWay } from '#web/lib/shownTime.ts'
import type { PostRights } from './usePostRights.ts'

const stands: Record<PostState, string> = {
  DRAFTS: 'This post is a draft.',
  NEEDS_APPROVAL: 'This post is waiting for approval.',
  REJECTED: 'This post was rejected. Edit it and send it again.',
  APPROVED: 'This post is approved and needs a time.',
  SCHEDULED: 'This post is scheduled.',
  QUEUED: 'This post is queued.',
  PROCESSING: 'This post is being published. Wait a few seconds.',
  UNCONFIRMED: 'Confirm first whether this post was published.',
  PUBLISHED: 'This post is published.',
  FAILED: 'This post failed.',
  DELETED: 'This post was deleted.',
}
const needs: Record<PostAction, keyof PostRights> = {
  edit: 'edit',
  reschedule: 'move',
  sendNow: 'publish',
  retry: 'publish',
  settle: 'publish',
  delete: 'remove',
  label: 'edit',
}

/** Why the action can't be taken on the post by this person now, in words; undefined when it can. */
export function whyNot(
  action: PostAction,
  post: Pick<PostRow, 'status' | 'dueAt' | 'failure'>,
  rights: PostRights,
  now: Date,
): string | undefined {
  // someone whose role doesn't allow it isn't first asked to do something about the status
  if (!rights[needs[action]]) return "Your role doesn't allow this."
  if (!canDo(action, post.status))
    return action === 'retry' && post.status !== 'PROCESSING' ? "This post hasn't failed." : stands[post.status]
  // it has no time anymore that could be changed
  if ((action === 'reschedule' || action === 'sendNow') && isOnItsWay(post, now)) return stands.PROCESSING
  // a draft is given its time in the composer, where it is checked
  if (
    (action === 'reschedule' || action === 'sendNow') &&
    post.status === 'DRAFTS' &&
    (action === 'sendNow' || post.dueAt === null)
  )
    return 'Open the draft to publish it.'
  return undefined
}
