import type { PostAction, PostState } from '#contract/postStates.ts'
import { fail } from '../errors.ts'

const because: Record<PostState, string> = {
  DRAFTS: 'The post is a draft.',
  NEEDS_APPROVAL: 'The post waits for approval.',
  REJECTED: 'The post was rejected.',
  APPROVED: 'The post is approved and waits for a time.',
  SCHEDULED: 'The post is scheduled.',
  QUEUED: 'The post is queued.',
  PROCESSING: 'The post is being sent right now. Wait a few seconds.',
  UNCONFIRMED: 'Whether the post went out is not known yet. Say first what happened to it.',
  PUBLISHED: 'The post is published.',
  FAILED: 'The post has failed.',
  DELETED: 'The post was deleted.',
}

const wish: Record<PostAction, string> = {
  edit: 'It can no longer be changed here.',
  reschedule: 'It can no longer be moved.',
  sendNow: 'It cannot be sent now.',
  retry: 'Only a failed post can be sent again.',
  delete: 'It cannot be deleted now.',
  settle: 'There is nothing to say about it.',
  label: 'Its labels cannot be changed.',
}

/** Why a state does not allow the action, in words for people. */
export const whyLocked = (action: PostAction, state: PostState): string =>
  state === 'PROCESSING' ? because.PROCESSING : `${because[state]} ${wish[action]}`

/** POST_LOCKED with the reason in words, and the state for the screens. */
export const locked = (action: PostAction, state: PostState) =>
  fail('POST_LOCKED', { detail: whyLocked(action, state), meta: { state } })
