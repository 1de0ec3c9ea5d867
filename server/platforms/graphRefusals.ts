import type { Doing } from '#contract/failures/calls.ts'
import { because, type Reason } from '#contract/failures/catalog.ts'
import { APP, type GraphFailed } from './graph.ts'
import type { Refusal } from './platform.ts'
import { sentence } from './quotes.ts'

export type GraphStep = {
  /** The platform's name on screen. */
  label: string
  /** What we were doing, to complete the sentence "Facebook didn't ...". */
  doing: Doing
  /** Whether the call could have created a post, so that without a clear response it may exist. */
  irreversible: boolean
}

type Answered = Extract<GraphFailed, { cause: 'answered' }>

/** The reason for an invalid token, by subcode (developers.facebook.com, graph-api/guides/error-handling). */
function deadToken({ subcode }: Answered, label: string): Reason {
  switch (subcode) {
    case 458:
      return because('app-removed', { platform: label })
    case 459:
    case 464:
      return because('sign-in-there-first', { platform: label })
    case 460:
      return because('password-changed', { platform: label })
    case 463:
      return because('sign-in-expired', { platform: label })
    case 492:
      return because('page-role-lost')
    default:
      return because('sign-in-refused', { platform: label })
  }
}

const THROTTLED = new Set([4, 17, 32, 341, 613])
/** The whole app, not the account, has used up its calls. */
const APP_THROTTLED = 4
const isThrottled = ({ code, status }: Answered): boolean =>
  THROTTLED.has(code) || (code >= 80_000 && code <= 80_014) || status === 429
const isPassing = ({ code, status, transient }: Answered): boolean =>
  code === 1 || code === 2 || transient || status >= 500

/** The class of a failure and its reason. The caller decides what follows. */
export function refusalOfGraph(failed: GraphFailed, { label, doing, irreversible }: GraphStep): Refusal {
  if (failed.cause === 'unsent')
    return { kind: 'retry', reason: { ...because('unreachable', { platform: label }), platformCode: 'unreachable' } }
  if (failed.cause !== 'answered') {
    if (irreversible)
      return {
        kind: 'unknown',
        reason: { ...because('maybe-done', { platform: label, doing }), platformCode: failed.cause },
      }
    return {
      kind: 'retry',
      reason: { ...because('answer-lost', { platform: label, doing }), platformCode: failed.cause },
    }
  }
  const platformCode = codeOf(failed)
  if (failed.code === 190 || failed.code === 102)
    return { kind: 'reconnect', reason: { ...deadToken(failed, label), platformCode } }
  if (isThrottled(failed))
    return {
      kind: 'retry',
      afterSeconds: failed.waitSeconds ?? 300,
      closesBudget: failed.code === APP_THROTTLED ? APP : true,
      reason: {
        ...because(failed.code === APP_THROTTLED ? 'slow-down-app' : 'slow-down', { platform: label }),
        platformCode,
      },
    }
  if (failed.code === 10 || (failed.code >= 200 && failed.code <= 299))
    return {
      kind: 'rejected',
      reason: { ...because('meta-permission-missing', { platform: label, doing }), platformCode },
    }
  if (failed.code === 368)
    return { kind: 'rejected', reason: { ...because('meta-account-blocked', { platform: label }), platformCode } }
  if (failed.code === 506)
    return {
      kind: 'rejected',
      reason: { ...because('duplicate', { platform: label }), platformCode },
      isDuplicate: true,
    }
  if (failed.code === 1_609_005 || failed.subcode === 1_609_005)
    return { kind: 'rejected', reason: { ...because('link-unreadable', { platform: label }), platformCode } }
  if (isPassing(failed)) {
    if (irreversible)
      return {
        kind: 'unknown',
        reason: { ...because('trouble-maybe-done', { platform: label, doing }), platformCode },
      }
    return {
      kind: 'retry',
      ...(failed.waitSeconds !== undefined && { afterSeconds: failed.waitSeconds }),
      reason: { ...because('platform-trouble', { platform: label, doing }), platformCode },
    }
  }
  // a refusal that isn't in the API's format comes from something in between, such as a gateway, so it isn't about the
  // post
  if (failed.code === 0)
    return { kind: 'retry', reason: { ...because('blocked-on-the-way', { platform: label, doing }), platformCode } }
  return {
    kind: 'rejected',
    reason: {
      ...because('refused', {
        platform: label,
        doing,
        words: sentence(failed.forPeople || failed.message || platformCode),
      }),
      platformCode,
    },
  }
}

/** A lookup without a result. It refuses no post, because what can't be read may still exist. */
export function unclear(failed: GraphFailed, label: string): Refusal {
  const refusal = refusalOfGraph(failed, { label, doing: 'show-post', irreversible: false })
  return refusal.kind === 'rejected' ? { kind: 'unknown', reason: refusal.reason } : refusal
}

/** Such as 190/463. */
export function codeOf({ code, subcode, status }: Answered): string {
  if (code === 0) return String(status)
  return subcode ? `${code}/${subcode}` : String(code)
}
