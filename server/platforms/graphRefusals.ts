import { advised } from './advice.ts'
import { APP, type GraphFailed } from './graph.ts'
import type { Reason, Refusal } from './platform.ts'
import { sentence } from './words.ts'

export type GraphStep = {
  /** The platform's name for people. */
  label: string
  /** What we were doing, to complete the sentence "Facebook did not ...". */
  doing: string
  /** The call could have made a post: without a clear answer it may have. */
  irreversible: boolean
}

type Answered = Extract<GraphFailed, { cause: 'answered' }>

/** Words for dead tokens, by subcode (developers.facebook.com, graph-api/guides/error-handling). */
function deadToken({ subcode }: Answered, label: string): Omit<Reason, 'platformCode'> {
  switch (subcode) {
    case 458:
      return { text: `This app was removed from the account at ${label}.`, advice: 'Reconnect the channel.' }
    case 459:
    case 464:
      return {
        text: `${label} wants the person who connected this account to sign in there first.`,
        advice: `Sign in at ${label}, do what it asks, then reconnect the channel.`,
      }
    case 460:
      return {
        text: `The password of the person who connected this account was changed, which ended our sign-in at ${label}.`,
        advice: 'Reconnect the channel.',
      }
    case 463:
      return { text: `Our sign-in at ${label} has run out.`, advice: 'Reconnect the channel.' }
    case 492:
      return {
        text: 'The person who connected this Page no longer has a role on it.',
        advice: 'Somebody who manages the Page reconnects the channel.',
      }
    default:
      return { text: `${label} no longer accepts our sign-in to this account.`, advice: 'Reconnect the channel.' }
  }
}

const THROTTLED = new Set([4, 17, 32, 341, 613])
/** Not the account but the whole app has used up its calls. */
const APP_THROTTLED = 4
const isThrottled = ({ code, status }: Answered): boolean =>
  THROTTLED.has(code) || (code >= 80_000 && code <= 80_014) || status === 429
const isPassing = ({ code, status, transient }: Answered): boolean =>
  code === 1 || code === 2 || transient || status >= 500

/** The class of a failure, with words for people. What follows from it is the caller's business. */
export function refusalOfGraph(failed: GraphFailed, { label, doing, irreversible }: GraphStep): Refusal {
  if (failed.cause === 'unsent')
    return {
      kind: 'retry',
      reason: {
        text: `${label} could not be reached.`,
        ...advised('retry'),
        platformCode: 'unreachable',
      },
    }
  if (failed.cause !== 'answered') {
    if (irreversible)
      return {
        kind: 'unknown',
        reason: {
          text: `${label}'s answer was lost: it may have managed to ${doing}.`,
          advice: 'We look at the account to find out.',
          platformCode: failed.cause,
        },
      }
    return {
      kind: 'retry',
      reason: {
        text: `${label} did not ${doing}: its answer was lost.`,
        ...advised('retry'),
        platformCode: failed.cause,
      },
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
        text:
          failed.code === APP_THROTTLED
            ? `${label} asks the app of this installation to slow down.`
            : `${label} asks this account to slow down.`,
        ...advised('slow'),
        platformCode,
      },
    }
  if (failed.code === 10 || (failed.code >= 200 && failed.code <= 299))
    return {
      kind: 'rejected',
      reason: {
        text: `${label} did not give us the right to ${doing}.`,
        advice:
          'Reconnect the channel and leave all rights switched on. The person needs a role on the account that may publish.',
        platformCode,
      },
    }
  if (failed.code === 368)
    return {
      kind: 'rejected',
      reason: {
        text: `${label} has blocked this account from doing that for now, because of its rules.`,
        advice: `Look at the account's messages at ${label}. Wait, then send the post again.`,
        platformCode,
      },
    }
  if (failed.code === 506)
    return {
      kind: 'rejected',
      reason: {
        text: `${label} says that this is the same as the post before it.`,
        advice: 'Change the text and send it again.',
        platformCode,
      },
    }
  if (failed.code === 1_609_005 || failed.subcode === 1_609_005)
    return {
      kind: 'rejected',
      reason: {
        text: `${label} could not read the page that the link leads to.`,
        advice: 'Check the link, or take it out.',
        platformCode,
      },
    }
  if (isPassing(failed)) {
    if (irreversible)
      return {
        kind: 'unknown',
        reason: {
          text: `${label} had trouble while it was to ${doing}: it may have managed to.`,
          advice: 'We look at the account to find out.',
          platformCode,
        },
      }
    return {
      kind: 'retry',
      ...(failed.waitSeconds !== undefined && { afterSeconds: failed.waitSeconds }),
      reason: {
        text: `${label} did not ${doing}: it has trouble of its own.`,
        ...advised('retry'),
        platformCode,
      },
    }
  }
  // a refusal that is not the API's comes from something in between, such as a gateway: it never got to the post
  if (failed.code === 0)
    return {
      kind: 'retry',
      reason: {
        text: `Something in front of ${label} did not let us ${doing}.`,
        ...advised('retry'),
        platformCode,
      },
    }
  return {
    kind: 'rejected',
    reason: {
      text: `${label} refused to ${doing}: ${sentence(failed.forPeople || failed.message || platformCode)}`,
      ...advised('change'),
      platformCode,
    },
  }
}

/** A look that told nothing. It refuses no post: what cannot be read may still be there. */
export function unclear(failed: GraphFailed, label: string): Refusal {
  const refusal = refusalOfGraph(failed, { label, doing: 'show the post', irreversible: false })
  return refusal.kind === 'rejected' ? { kind: 'unknown', reason: refusal.reason } : refusal
}

/** Such as 190/463. */
export function codeOf({ code, subcode, status }: Answered): string {
  if (code === 0) return String(status)
  return subcode ? `${code}/${subcode}` : String(code)
}
