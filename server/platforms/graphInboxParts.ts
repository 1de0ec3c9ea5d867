import { because } from '#contract/failures/catalog.ts'
import type { GraphFailed } from './graph.ts'
import type { Refusal } from './calls.ts'
import type { ReadAnswer } from './inbox.ts'

/* What Facebook, Instagram and Threads share in reading and answering. */

type Closed = Extract<ReadAnswer, { kind: 'closed' }>

/** Reading needs a permission that this sign-in doesn't have. */
const lacking = (label: string, platformCode: string): Closed => ({
  kind: 'closed',
  reason: { ...because('inbox-permission-missing', { platform: label }), platformCode },
  reconnect: true,
})

/** The first of these permissions that the sign-in was given none of the alternatives of. */
export const lackingOf = (label: string, granted: readonly string[], needs: readonly string[]): Closed | undefined => {
  const missing = needs.find((right) => !granted.includes(right))
  return missing === undefined ? undefined : lacking(label, missing)
}

/** What a reading that failed means: without a permission (codes 10 and 200 to 299), the kind can't be read. */
export function closedOr(failed: GraphFailed, label: string, refusal: Refusal): Refusal | Closed {
  const isDenied = failed.cause === 'answered' && (failed.code === 10 || (failed.code >= 200 && failed.code <= 299))
  return isDenied && refusal.kind === 'rejected' ? lacking(label, refusal.reason.platformCode ?? 'denied') : refusal
}
