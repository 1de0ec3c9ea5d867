import { advised } from '../advice.ts'
import { refusedBy, slowDown, troubleOf, type RestAnswered, type RestFailed, type Step } from '../jsonCalls.ts'
import type { Reason, Refusal } from '../platform.ts'
import { codeWord } from '../words.ts'
import { secondsUntil } from '../wire.ts'
import { Problem } from './schemas.ts'

export const LABEL = 'X'

/** The API's own words: the most special ones come first. */
function wordsOf({ json }: RestAnswered): string {
  const { title = '', detail = '', errors = [] } = Problem.safeParse(json).data ?? {}
  const special = errors.map((one) => one.message || one.detail).find((words) => words !== '')
  return special ?? (detail || title)
}

/** Whether the post is not there any more. */
export const isGone = (failed: RestFailed): boolean => failed.cause === 'answered' && failed.status === 404

/** The same text a second time: what a second send of a post that went out gets, too. */
export const isDuplicate = (failed: RestFailed): boolean =>
  failed.cause === 'answered' && failed.status === 403 && /duplicate content/i.test(wordsOf(failed))

/** An uploaded file that X has dropped, or does not know. */
export const isMediaGone = (failed: RestFailed): boolean =>
  failed.cause === 'answered' &&
  failed.status === 400 &&
  /media.?ids?.{0,40}(invalid|not found|expired)|(invalid|expired).{0,20}media.?id/i.test(wordsOf(failed))

/** Refusals that are known by their words or types (docs.x.com, changelog of 2026-02-23 for replies, error handling). */
const known: readonly { status: number; words: RegExp; reason: Omit<Reason, 'platformCode'> }[] = [
  {
    status: 403,
    words: /duplicate content/i,
    reason: { text: 'X says that this is the same as a post before it.', advice: 'Change the text and send it again.' },
  },
  {
    status: 403,
    words: /reply to this|not (been )?(mentioned|summoned)|summon|repl(y|ies).{0,60}not (allowed|permitted)/i,
    reason: {
      text: 'X lets this app answer a post only when its author has mentioned or quoted the account.',
      advice: 'Add it on X itself, or put everything into one post. X exempts apps with an Enterprise contract.',
    },
  },
  {
    status: 403,
    words: /cashtag/i,
    reason: { text: 'X takes at most one cashtag in a post.', advice: 'Take out all but one word that begins with $.' },
  },
  {
    status: 403,
    words: /client-forbidden|client-not-enrolled|not.{0,20}attached to a project/i,
    reason: {
      text: 'X does not let the registered app publish.',
      advice: 'Whoever runs this installation checks the app, its project and its plan in the developer portal of X.',
    },
  },
  {
    status: 403,
    words: /suspended|temporarily locked/i,
    reason: {
      text: 'X has suspended or locked this account.',
      advice: 'Sign in at X, do what it asks, and send the post again.',
    },
  },
  {
    status: 400,
    words: /too long|exceed.{0,30}(length|limit|characters)/i,
    reason: {
      text: 'The text is longer than X takes from this account.',
      advice: 'Shorten the text. Only accounts with X Premium publish more than 280 characters.',
    },
  },
  {
    status: 403,
    words: /too long|exceed.{0,30}(length|limit|characters)/i,
    reason: {
      text: 'The text is longer than X takes from this account.',
      advice: 'Shorten the text. Only accounts with X Premium publish more than 280 characters.',
    },
  },
]
const lacksRight = /oauth2?-?permissions|insufficient.?scope|not permitted to use OAuth|unsupported-authentication/i
const noCredits: Omit<Reason, 'platformCode'> = {
  text: 'The app that is registered at X has used up what it paid for.',
  advice: 'Whoever runs this installation adds credits in the developer portal of X. Then send the post again.',
}

/** The class of a failure, with words for people. */
export function refusalOf(failed: RestFailed, step: Step): Refusal {
  const trouble = troubleOf(failed, LABEL, step)
  if (trouble) return trouble
  // everything that is left was answered
  if (failed.cause !== 'answered')
    return {
      kind: 'unknown',
      reason: { text: 'X did not answer.', advice: 'We look at the account to find out.', platformCode: failed.cause },
    }
  const platformCode = codeOf(failed)
  const { type = '', reason: why = '' } = Problem.safeParse(failed.json).data ?? {}
  const words = wordsOf(failed)
  const all = `${type} ${why} ${words}`
  // a cap, not a wait: problem type usage-capped, or 402 where credits are bought
  if (failed.status === 402 || /usage-capped|CreditsDepleted/i.test(all))
    return { kind: 'rejected', reason: { ...noCredits, platformCode } }
  if (failed.status === 401)
    return {
      kind: 'retry',
      first: 'renew',
      reason: {
        text: 'X no longer accepts our sign-in to this account.',
        advice: 'Reconnect the channel.',
        platformCode,
      },
    }
  if (failed.status === 429)
    return slowDown(LABEL, secondsUntil(failed.headers['x-rate-limit-reset'], failed.headers), platformCode)
  if (failed.status === 403 && lacksRight.test(all))
    return {
      kind: 'rejected',
      reason: {
        text: `X did not give us the right to ${step.doing}.`,
        advice: 'Reconnect the channel and leave all rights switched on.',
        platformCode,
      },
    }
  if (isMediaGone(failed))
    return {
      kind: 'retry',
      first: 'prepare',
      reason: {
        text: 'X no longer has the uploaded files.',
        advice: 'They are uploaded again by themselves.',
        platformCode,
      },
    }
  const reason = known.find((one) => one.status === failed.status && one.words.test(all))?.reason
  if (reason) return { kind: 'rejected', reason: { ...reason, platformCode } }
  // words that are not the API's come from something in between, such as a firewall: it never got to the post
  if (failed.json === undefined)
    return {
      kind: 'retry',
      reason: {
        text: `Something in front of X did not let us ${step.doing}.`,
        ...advised('retry'),
        platformCode,
      },
    }
  return { kind: 'rejected', reason: refusedBy(LABEL, step.doing, words, platformCode) }
}

/** Such as 403/client-forbidden. */
function codeOf({ status, json }: RestAnswered): string {
  const type = codeWord(Problem.safeParse(json).data?.type.split('/').at(-1) ?? '')
  return type && type !== 'blank' && type !== 'about:blank' ? `${status}/${type}` : String(status)
}
