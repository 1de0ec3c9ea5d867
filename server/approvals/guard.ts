import { contentHash, type Content } from './content.ts'

/** A post's last round of approval: its state and what was decided on; null if there was none. */
export type LastRound = { approval_state: string | null; approved_hash: Buffer | null }

/**
 * Whether approval allows publishing a post: it was never sent for one, was withdrawn from it, or is exactly what was
 * approved. The engine asks before it prepares and sends, whatever the post's status.
 */
export function isAsApproved(post: Content & LastRound): boolean {
  if (post.approval_state === null || post.approval_state === 'void') return true
  return (
    post.approval_state === 'approved' && post.approved_hash !== null && contentHash(post).equals(post.approved_hash)
  )
}
