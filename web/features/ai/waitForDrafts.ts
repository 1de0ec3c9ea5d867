import type { aiPosts } from '#contract/ai.ts'
import { AI_RETRY_CAP, AI_RETRY_DELAYS } from '#contract/constants.ts'
import type { ReplyOf } from '#contract/endpoint.ts'

export type DraftsOutcome =
  /** The drafts exist. */
  | { kind: 'written'; drafts: number }
  /** There will be none, such as for a channel without posts. */
  | { kind: 'none' }
  /** They didn't exist after the last retry; they may still come. */
  | { kind: 'late' }

/** The maximum number of calls. */
export const MOST_CALLS = 1 + AI_RETRY_DELAYS.length

type Tools = {
  /** Called before each request, with its number from 1. */
  onAsk?: (call: number) => void
  /** Asks once. Undefined if the call failed, which counts as an empty response. */
  read: () => Promise<ReplyOf<typeof aiPosts> | undefined>
  /** Resolves after this many milliseconds; rejects when the wait is canceled. */
  wait: (milliseconds: number) => Promise<void>
}

/**
 * Fetches the posts generated for a channel: one call, then five retries after 1, 2, 4, 8 and 16 s while the list is
 * empty (specification, section 4). Ends at once if none will come.
 */
export async function waitForDrafts({ read, wait, onAsk }: Tools): Promise<DraftsOutcome> {
  for (const [earlier, delay] of [0, ...AI_RETRY_DELAYS].entries()) {
    if (delay > 0) await wait(Math.min(delay, AI_RETRY_CAP))
    onAsk?.(earlier + 1)
    const answer = await read()
    if (answer && answer.posts.length > 0) return { kind: 'written', drafts: answer.posts.length }
    // done without drafts means that they were already discarded
    if (answer?.state === 'failed' || answer?.state === 'done') return { kind: 'none' }
  }
  return { kind: 'late' }
}
