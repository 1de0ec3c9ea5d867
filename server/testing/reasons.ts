import type { Reason } from '#contract/failures/catalog.ts'

/** A reason with its own text, for tests that accept any: what happened, and what to do. */
export const saying = (sentence: string, advice = ''): Reason =>
  // the catalog still words texts that were stored before reasons had codes
  ({ code: 'other', params: { sentence, advice } }) as unknown as Reason
