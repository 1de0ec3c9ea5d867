import type { aiPosts } from '#contract/ai.ts'
import { AI_RETRY_CAP, AI_RETRY_DELAYS } from '#contract/constants.ts'
import type { ReplyOf } from '#contract/endpoint.ts'

export type DraftsOutcome =
  /** Drafts are there. */
  | { kind: 'written'; drafts: number }
  /** There will be none, such as for a channel without posts. */
  | { kind: 'none' }
  /** They weren't there after the last retry; they may still come. */
  | { kind: 'late' }

/** How often it is asked for at most. */
export const MOST_CALLS = 1 + AI_RETRY_DELAYS.length

type Tools = {
  /** Told before each call, with its number from 1. */
  onAsk?: (call: number) => void
  /** Asks once. Undefined when the call failed: that counts as an empty answer. */
  read: () => Promise<ReplyOf<typeof aiPosts> | undefined>
  /** Resolves after so many milliseconds; rejects when nobody waits any more. */
  wait: (milliseconds: number) => Promise<void>
}

/**
 * Fetches the posts that are generated for a channel: one call, then five retries after 1, 2, 4, 8 and 16 s while the
 * list is empty (specification, section 4). Ends at once where none will come.
 */
export async function waitForDrafts({ read, wait, onAsk }: Tools): Promise<DraftsOutcome> {
  for (const [earlier, delay] of [0, ...AI_RETRY_DELAYS].entries()) {
    if (delay > 0) await wait(Math.min(delay, AI_RETRY_CAP))
    onAsk?.(earlier + 1)
    const answer = await read()
    if (answer && answer.posts.length > 0) return { kind: 'written', drafts: answer.posts.length }
    // what is done without drafts had them discarded already
    if (answer?.state === 'failed' || answer?.state === 'done') return { kind: 'none' }
  }
  return { kind: 'late' }
}
