import { contentHash, type Content } from './content.ts'

/** The last round of approval of a post: its state and what was decided on; null when there was none. */
export type LastRound = { approval_state: string | null; approved_hash: Buffer | null }

/**
 * Whether a post may go out as far as approval is concerned: it was never sent for one, was taken back from it, or says
 * exactly what was approved. The machine asks before it prepares and sends, whatever the post's state says.
 */
export function isAsApproved(post: Content & LastRound): boolean {
  if (post.approval_state === null || post.approval_state === 'void') return true
  return (
    post.approval_state === 'approved' && post.approved_hash !== null && contentHash(post).equals(post.approved_hash)
  )
}
