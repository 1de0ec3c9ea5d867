import type { PostRow } from '#contract/postLists.ts'
import { canDo, type PostAction, type PostState } from '#contract/postStates.ts'
import type { PostRights } from './usePostRights.ts'

const stands: Record<PostState, string> = {
  DRAFTS: 'It is a draft.',
  NEEDS_APPROVAL: 'It waits for approval.',
  REJECTED: 'It was rejected: edit it and send it again.',
  APPROVED: 'It is approved and waits for a time.',
  SCHEDULED: 'It is scheduled.',
  QUEUED: 'It is queued.',
  PROCESSING: 'It is being sent. Wait a few seconds.',
  UNCONFIRMED: 'Say first whether it went out.',
  PUBLISHED: 'It is published.',
  FAILED: 'It has failed.',
  DELETED: 'It was deleted.',
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

/** Why the action cannot be taken on the post by this person, in words; undefined when it can. */
export function whyNot(
  action: PostAction,
  post: Pick<PostRow, 'status' | 'dueAt'>,
  rights: PostRights,
): string | undefined {
  // somebody whose role can't do it isn't told what to do about the status first
  if (!rights[needs[action]]) return 'Your role does not allow it.'
  if (!canDo(action, post.status))
    return action === 'retry' && post.status !== 'PROCESSING' ? 'It has not failed.' : stands[post.status]
  // a draft is given its time in the composer, where it is checked
  if (
    (action === 'reschedule' || action === 'sendNow') &&
    post.status === 'DRAFTS' &&
    (action === 'sendNow' || post.dueAt === null)
  )
    return 'Open the draft to send it.'
  return undefined
}
