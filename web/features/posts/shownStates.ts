import type { PostRow } from '#contract/postLists.ts'
import type { PostState } from '#contract/postStates.ts'

/** Statuses with a place in time; deleted posts have none. */
export const calendarStates = [
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
] as const satisfies readonly PostState[]

const timeless: readonly PostState[] = ['DRAFTS', 'NEEDS_APPROVAL', 'REJECTED', 'APPROVED']

/** Whether the post has a day: one that never had a time has none. */
export function hasPlace(post: Pick<PostRow, 'status' | 'dueAt'>): boolean {
  return post.dueAt !== null || !timeless.includes(post.status)
}
