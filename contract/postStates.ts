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
 * In which states each action is allowed. The server and the screens both use this table. PROCESSING allows nothing:
 * the post is being sent, which takes seconds. UNCONFIRMED waits for the platform's answer or for a person to confirm.
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
  // labels stay in Rookery: they aren't sent to any platform
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

/** Whether an action is possible in this state, permissions and plan aside. */
export function canDo(action: PostAction, state: PostState): boolean {
  return allowed[action].includes(state)
}

/** Every transition between states that can ever happen; a test compares the server's behavior with it. */
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
