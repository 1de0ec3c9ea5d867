import type { PostRow } from '#contract/postLists.ts'

/** Instead of a time, which such a post does not have yet. */
export const ONCE_APPROVED = 'Once approved'

/** It goes out, or into its queue, when somebody approves it: the time that it stands at in lists is that of its sending for approval. */
export const isOnceApproved = ({ status, dueAt }: Pick<PostRow, 'status' | 'dueAt'>): boolean =>
  status === 'NEEDS_APPROVAL' && dueAt === null
