import type { PostRow } from '#contract/postLists.ts'
import type { PostState } from '#contract/postStates.ts'

/** What has a place in time; deleted posts are gone. */
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

/** Whether the post stands on a day: what was never given a time stands on none. */
export function hasPlace(post: Pick<PostRow, 'status' | 'dueAt'>): boolean {
  return post.dueAt !== null || !timeless.includes(post.status)
}
