import { sentence } from '../graphRefusals.ts'
import type { Refusal } from '../platform.ts'
import { isGone, type PinterestFailed } from './client.ts'

export const LABEL = 'Pinterest'

/** `doing` completes "Pinterest did not ..."; an irreversible call may have made a Pin where its answer is not clear. */
export type Step = { doing: string; irreversible: boolean; /** What is missing when the platform answers 404. */ gone?: { text: string; advice: string } }

/** The class of a failure, with words for people. What follows from it is the caller's business. */
export function refusalOf(failed: PinterestFailed, { doing, irreversible, gone }: Step): Refusal {
  if (failed.cause === 'unsent') return { kind: 'retry', reason: { text: 'Pinterest could not be reached.', advice: 'It is tried again by itself.', platformCode: 'unreachable' } }
  if (failed.cause !== 'answered') {
    if (irreversible) return { kind: 'unknown', reason: { text: `Pinterest's answer was lost: it may have managed to ${doing}.`, advice: 'We look at the board to find out.', platformCode: failed.cause } }
    return { kind: 'retry', reason: { text: `Pinterest did not ${doing}: its answer was lost.`, advice: 'It is tried again by itself.', platformCode: failed.cause } }
  }
  const { status, code, waitSeconds, message } = failed
  const platformCode = code === undefined ? String(status) : `${status}/${code}`
  if (status === 429) return { kind: 'retry', afterSeconds: waitSeconds ?? 60, closesBudget: true, reason: { text: 'Pinterest asks this account to slow down.', advice: 'It is tried again when Pinterest allows it.', platformCode } }
  if (status >= 500 || status < 400) {
    if (irreversible) return { kind: 'unknown', reason: { text: `Pinterest had trouble while it was to ${doing}: it may have managed to.`, advice: 'We look at the board to find out.', platformCode } }
    return { kind: 'retry', ...(waitSeconds !== undefined && { afterSeconds: waitSeconds }), reason: { text: `Pinterest did not ${doing}: it has trouble of its own.`, advice: 'It is tried again by itself.', platformCode } }
  }
  if (status === 401) return { kind: 'retry', first: 'renew', reason: { text: 'Pinterest no longer accepts our sign-in to this account.', advice: 'Reconnect the channel.', platformCode } }
  // a refusal that is not the API's comes from something in between, such as a gateway: it never got to the Pin
  if (code === undefined) return { kind: 'retry', reason: { text: `Something in front of Pinterest did not let us ${doing}.`, advice: 'It is tried again by itself.', platformCode } }
  const words = sentence(message || platformCode)
  if (status === 403) return { kind: 'rejected', reason: { text: `Pinterest does not allow us to ${doing}: ${words}`, advice: 'Check that this account may add Pins to the board. While the app at Pinterest is on trial, it may do less: ask Pinterest for standard access.', platformCode } }
  if (isGone(failed) && gone) return { kind: 'rejected', reason: { ...gone, platformCode } }
  return { kind: 'rejected', reason: { text: `Pinterest refused to ${doing}: ${words}`, advice: 'Change the Pin and send it again.', platformCode } }
}

/** A look that told nothing. It refuses no Pin: what cannot be read may still be there. */
export function unclear(failed: PinterestFailed): Refusal {
  const refusal = refusalOf(failed, { doing: 'show the Pin', irreversible: false })
  return refusal.kind === 'rejected' ? { kind: 'unknown', reason: refusal.reason } : refusal
}
