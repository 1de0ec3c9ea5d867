import type { Reason } from '#contract/failures/catalog.ts'

/** A reason for tests to which any would do, in words of their own: what happened, and what to do. */
export const saying = (sentence: string, advice = ''): Reason =>
  // the catalog keeps old words so; that a platform says what a test wants is what tests are for
  ({ code: 'other', params: { sentence, advice } }) as unknown as Reason
