import { because, type Reason } from '#contract/failures/catalog.ts'
import { refusedBy, slowDown, troubleOf, unsure, type RestFailed, type Step as AnyStep } from '../jsonCalls.ts'
import type { Refusal } from '../platform.ts'
import { sentence } from '../quotes.ts'
import { isGone, problemIn, waitOf } from './client.ts'

export const LABEL = 'Pinterest'

export type Step = AnyStep & {
  /** The reason if the platform responds with 404. */ gone?: Reason
}

/** The class of a failure and its reason. The caller decides what follows. */
export function refusalOf(failed: RestFailed, step: Step): Refusal {
  const { doing, gone } = step
  const trouble = troubleOf(failed, LABEL, step)
  // the remaining failures have a response
  if (trouble || failed.cause !== 'answered') return trouble ?? unreadable
  const { status } = failed
  const problem = problemIn(failed)
  const platformCode = problem === undefined ? String(status) : `${status}/${problem.code}`
  if (status === 429) return slowDown(LABEL, waitOf(failed), platformCode)
  if (status === 401)
    return {
      kind: 'retry',
      first: 'renew',
      reason: { ...because('sign-in-refused', { platform: LABEL }), platformCode },
    }
  // a refusal that isn't in the API's format comes from something in between, such as a gateway, so it isn't about the
  // Pin
  if (problem === undefined)
    return { kind: 'retry', reason: { ...because('blocked-on-the-way', { platform: LABEL, doing }), platformCode } }
  // "Apps with Trial access may not create Pins in production"
  if (status === 403 && /trial access/i.test(problem.message))
    return { kind: 'rejected', reason: { ...because('pinterest-trial-access'), platformCode } }
  if (status === 403)
    return {
      kind: 'rejected',
      reason: {
        ...because('pinterest-not-allowed', { doing, words: sentence(problem.message || platformCode) }),
        platformCode,
      },
    }
  if (isGone(failed) && gone) return { kind: 'rejected', reason: { ...gone, platformCode } }
  return { kind: 'rejected', reason: refusedBy(LABEL, doing, problem.message, platformCode) }
}

const unreadable: Refusal = {
  kind: 'unknown',
  reason: { ...because('unreadable-answer', { platform: LABEL }), platformCode: 'garbled' },
}

/** A lookup without a result. It refuses no Pin, because what can't be read may still exist. */
export const unclear = (failed: RestFailed): Refusal =>
  unsure(refusalOf(failed, { doing: 'show-pin', irreversible: false }))
