import { advised } from '../advice.ts'
import { refusedBy, slowDown, troubleOf, unsure, type RestFailed, type Step as AnyStep } from '../jsonCalls.ts'
import type { Refusal } from '../platform.ts'
import { sentence } from '../words.ts'
import { isGone, problemIn, waitOf } from './client.ts'

export const LABEL = 'Pinterest'

export type Step = AnyStep & {
  /** What is missing when the platform answers 404. */ gone?: { text: string; advice: string }
}

/** The class of a failure, with words for people. What follows from it is the caller's business. */
export function refusalOf(failed: RestFailed, step: Step): Refusal {
  const { doing, gone } = step
  const trouble = troubleOf(failed, LABEL, step)
  // everything that is left was answered
  if (trouble || failed.cause !== 'answered') return trouble ?? unreadable
  const { status } = failed
  const problem = problemIn(failed)
  const platformCode = problem === undefined ? String(status) : `${status}/${problem.code}`
  if (status === 429) return slowDown(LABEL, waitOf(failed), platformCode)
  if (status === 401)
    return {
      kind: 'retry',
      first: 'renew',
      reason: {
        text: 'Pinterest no longer accepts our sign-in to this account.',
        advice: 'Reconnect the channel.',
        platformCode,
      },
    }
  // a refusal that is not the API's comes from something in between, such as a gateway: it never got to the Pin
  if (problem === undefined)
    return {
      kind: 'retry',
      reason: {
        text: `Something in front of Pinterest did not let us ${doing}.`,
        ...advised('retry'),
        platformCode,
      },
    }
  // "Apps with Trial access may not create Pins in production"
  if (status === 403 && /trial access/i.test(problem.message))
    return {
      kind: 'rejected',
      reason: {
        text: "Pinterest didn't take this because the app registered there has trial access only.",
        advice:
          'Request standard access at Pinterest. Until then, turn on the sandbox of the app in Platform setup and reconnect the channel.',
        platformCode,
      },
    }
  if (status === 403)
    return {
      kind: 'rejected',
      reason: {
        text: `Pinterest does not allow us to ${doing}: ${sentence(problem.message || platformCode)}`,
        advice: 'Check that this account may add Pins to the board.',
        platformCode,
      },
    }
  if (isGone(failed) && gone) return { kind: 'rejected', reason: { ...gone, platformCode } }
  return { kind: 'rejected', reason: refusedBy(LABEL, doing, problem.message, platformCode) }
}

const unreadable: Refusal = {
  kind: 'unknown',
  reason: {
    text: "Pinterest's answer could not be read.",
    advice: 'We look at the account to find out.',
    platformCode: 'garbled',
  },
}

/** A look that told nothing. It refuses no Pin: what cannot be read may still be there. */
export const unclear = (failed: RestFailed): Refusal =>
  unsure(refusalOf(failed, { doing: 'show the Pin', irreversible: false }))
