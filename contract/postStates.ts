import { z } from 'zod'

export const postStates = [
  'DRAFTS',
  'NEEDS_APPROVAL',
  'REJECTED',
  'APPROVED',
  'SCHEDULED',
  'QUEUED',
  'PROCESSING',
  'UNCONFIRMED',
  'PUBLISHED',
  'FAILED',
  'DELETED',
] as const
export const PostState = z.enum(postStates)
export type PostState = z.infer<typeof PostState>

/** What a person can do to a post. */
export const PostAction = z.enum(['edit', 'reschedule', 'sendNow', 'retry', 'delete', 'settle', 'label'])
export type PostAction = z.infer<typeof PostAction>

/**
 * In which states each action is allowed, the one table that server and screens ask. PROCESSING allows nothing: the
 * post is in the machine's hands for seconds. UNCONFIRMED waits for the platform's answer or for a person's word.
 */
const allowed: Record<PostAction, readonly PostState[]> = {
  edit: ['DRAFTS', 'NEEDS_APPROVAL', 'REJECTED', 'APPROVED', 'SCHEDULED', 'QUEUED', 'FAILED'],
  reschedule: ['DRAFTS', 'NEEDS_APPROVAL', 'APPROVED', 'SCHEDULED', 'QUEUED', 'FAILED'],
  sendNow: ['DRAFTS', 'APPROVED', 'SCHEDULED', 'QUEUED', 'FAILED'],
  retry: ['FAILED'],
  delete: [
    'DRAFTS',
    'NEEDS_APPROVAL',
    'REJECTED',
    'APPROVED',
    'SCHEDULED',
    'QUEUED',
    'PUBLISHED',
    'FAILED',
    'UNCONFIRMED',
  ],
  settle: ['UNCONFIRMED'],
  // labels stay here: no platform hears of them
  label: [
    'DRAFTS',
    'NEEDS_APPROVAL',
    'REJECTED',
    'APPROVED',
    'SCHEDULED',
    'QUEUED',
    'PUBLISHED',
    'FAILED',
    'UNCONFIRMED',
  ],
}

/** Whether a person may do this to a post in this state, rights and plan aside. */
export function canDo(action: PostAction, state: PostState): boolean {
  return allowed[action].includes(state)
}

/** Every move between states that may ever happen; a test compares the server's behavior with it. */
export const transitions: Record<PostState, readonly PostState[]> = {
  DRAFTS: ['SCHEDULED', 'PROCESSING', 'NEEDS_APPROVAL', 'QUEUED', 'DELETED'],
  NEEDS_APPROVAL: ['APPROVED', 'REJECTED', 'DRAFTS', 'SCHEDULED', 'QUEUED', 'PROCESSING', 'DELETED'],
  REJECTED: ['DRAFTS', 'NEEDS_APPROVAL', 'DELETED'],
  APPROVED: ['SCHEDULED', 'QUEUED', 'PROCESSING', 'NEEDS_APPROVAL', 'DRAFTS', 'DELETED'],
  SCHEDULED: ['PROCESSING', 'SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL', 'DRAFTS', 'FAILED', 'UNCONFIRMED', 'DELETED'],
  QUEUED: ['SCHEDULED', 'PROCESSING', 'NEEDS_APPROVAL', 'DRAFTS', 'FAILED', 'UNCONFIRMED', 'DELETED'],
  PROCESSING: ['PUBLISHED', 'FAILED', 'UNCONFIRMED', 'SCHEDULED'],
  UNCONFIRMED: ['PUBLISHED', 'FAILED', 'PROCESSING', 'SCHEDULED', 'DELETED'],
  PUBLISHED: ['DELETED'],
  FAILED: ['SCHEDULED', 'QUEUED', 'PROCESSING', 'NEEDS_APPROVAL', 'DRAFTS', 'DELETED'],
  // an undo, within a minute
  DELETED: [
    'DRAFTS',
    'NEEDS_APPROVAL',
    'REJECTED',
    'APPROVED',
    'SCHEDULED',
    'QUEUED',
    'PUBLISHED',
    'FAILED',
    'UNCONFIRMED',
  ],
}
