import type { PostAction, PostState } from '#contract/postStates.ts'
import { fail } from '../errors.ts'

const because: Record<PostState, string> = {
  DRAFTS: 'This post is a draft.',
  NEEDS_APPROVAL: 'This post is waiting for approval.',
  REJECTED: 'This post was rejected.',
  APPROVED: 'This post is approved and needs a time.',
  SCHEDULED: 'This post is scheduled.',
  QUEUED: 'This post is queued.',
  PROCESSING: 'This post is being published. Wait a few seconds.',
  UNCONFIRMED: 'Confirm first whether this post was published.',
  PUBLISHED: 'This post is published.',
  FAILED: 'This post failed.',
  DELETED: 'This post was deleted.',
}

const wish: Record<PostAction, string> = {
  edit: "You can't change it here anymore.",
  reschedule: "You can't move it anymore.",
  sendNow: "You can't publish it now.",
  retry: 'You can only retry a failed post.',
  delete: "You can't delete it right now.",
  settle: "There's nothing to confirm.",
  label: "You can't change its labels.",
}

/** Why a state does not allow the action, in words for people. */
export const whyLocked = (action: PostAction, state: PostState): string =>
  state === 'PROCESSING' ? because.PROCESSING : `${because[state]} ${wish[action]}`

/** POST_LOCKED with the reason in words, and the state for the screens. */
export const locked = (action: PostAction, state: PostState) =>
  fail('POST_LOCKED', { detail: whyLocked(action, state), meta: { state } })
