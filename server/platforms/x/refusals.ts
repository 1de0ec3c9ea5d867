import { because, type Reason } from '#contract/failures/catalog.ts'
import type { ReadAnswer } from '../inbox.ts'
import { refusedBy, slowDown, troubleOf, type RestAnswered, type RestFailed, type Step } from '../jsonCalls.ts'
import type { Refusal } from '../platform.ts'
import { codeWord } from '../quotes.ts'
import { secondsUntil } from '../wire.ts'
import { Problem } from './schemas.ts'

export const LABEL = 'X'

/** The API's own message, most specific first. */
function wordsOf({ json }: RestAnswered): string {
  const { title = '', detail = '', errors = [] } = Problem.safeParse(json).data ?? {}
  const special = errors.map((one) => one.message || one.detail).find((words) => words !== '')
  return special ?? (detail || title)
}

/** Refusals of a reply whose post is gone: "You attempted to reply to a Tweet that is deleted or not visible to you." */
export const isParentGone = (failed: RestFailed): boolean =>
  failed.cause === 'answered' &&
  failed.status === 403 &&
  /reply to a (tweet|post) that (is|was|has been) (deleted|removed|not visible)/i.test(wordsOf(failed))

/** Whether the post no longer exists. */
export const isGone = (failed: RestFailed): boolean => failed.cause === 'answered' && failed.status === 404

/**
 * The text is a duplicate: a repeated send gets this too, "You are not allowed to create a Tweet with duplicate content."
 * for posts (akrherz/iembot, issue 163), "Whoops! You already said that." for messages (code 151).
 */
export const isDuplicate = (failed: RestFailed): boolean =>
  failed.cause === 'answered' &&
  failed.status === 403 &&
  /duplicate content|status is a duplicate|already said that/i.test(wordsOf(failed))

/** An uploaded file that X has dropped or doesn't know. */
export const isMediaGone = (failed: RestFailed): boolean =>
  failed.cause === 'answered' &&
  failed.status === 400 &&
  /media.?ids?.{0,40}(invalid|not found|expired)|(invalid|expired).{0,20}media.?id/i.test(wordsOf(failed))

/**
 * Refusals that are recognized by their message or type (docs.x.com, changelog of 2026-02-23 for replies, error
 * handling).
 */
const known: readonly { status: number; words: RegExp; reason: Reason }[] = [
  {
    status: 403,
    words: /reply to this|not (been )?(mentioned|summoned)|summon|repl(y|ies).{0,60}not (allowed|permitted)/i,
    reason: because('x-reply-not-allowed'),
  },
  {
    status: 403,
    words: /(permission|permitted|allowed) to (DM|send.{0,20}message)|cannot send messages/i,
    reason: because('x-message-not-allowed'),
  },
  { status: 403, words: /cashtag/i, reason: because('x-cashtags') },
  {
    status: 403,
    words: /client-forbidden|client-not-enrolled|not.{0,20}attached to a project/i,
    reason: because('x-app-not-allowed'),
  },
  { status: 403, words: /suspended|temporarily locked/i, reason: because('x-account-locked') },
  { status: 400, words: /too long|exceed.{0,30}(length|limit|characters)/i, reason: because('x-text-too-long') },
  { status: 403, words: /too long|exceed.{0,30}(length|limit|characters)/i, reason: because('x-text-too-long') },
]
const lacksRight = /oauth2?-?permissions|insufficient.?scope|not permitted to use OAuth|unsupported-authentication/i
const noCredits: Reason = because('x-no-credits')

/** The class of a failure and its reason. */
export function refusalOf(failed: RestFailed, step: Step): Refusal {
  const trouble = troubleOf(failed, LABEL, step)
  if (trouble) return trouble
  // the remaining failures have a response
  if (failed.cause !== 'answered')
    return { kind: 'unknown', reason: { ...because('no-answer', { platform: LABEL }), platformCode: failed.cause } }
  const platformCode = codeOf(failed)
  const { type = '', reason: why = '' } = Problem.safeParse(failed.json).data ?? {}
  const words = wordsOf(failed)
  const all = `${type} ${why} ${words}`
  // a usage cap, not a wait: problem type usage-capped, or 402 with prepaid credits
  if (failed.status === 402 || /usage-capped|CreditsDepleted/i.test(all))
    return { kind: 'rejected', reason: { ...noCredits, platformCode } }
  if (failed.status === 401)
    return {
      kind: 'retry',
      first: 'renew',
      reason: { ...because('sign-in-refused', { platform: LABEL }), platformCode },
    }
  if (failed.status === 429)
    return slowDown(LABEL, secondsUntil(failed.headers['x-rate-limit-reset'], failed.headers), platformCode)
  if (failed.status === 403 && lacksRight.test(all))
    return { kind: 'rejected', reason: { ...because('x-permission-missing', { doing: step.doing }), platformCode } }
  if (isMediaGone(failed))
    return {
      kind: 'retry',
      first: 'prepare',
      reason: { ...because('files-gone', { platform: LABEL }), platformCode },
    }
  if (isDuplicate(failed))
    return {
      kind: 'rejected',
      reason: { ...because('duplicate', { platform: LABEL }), platformCode },
      isDuplicate: true,
    }
  const reason = known.find((one) => one.status === failed.status && one.words.test(all))?.reason
  if (reason) return { kind: 'rejected', reason: { ...reason, platformCode } }
  // a refusal that isn't in the API's format comes from something in between, such as a firewall, so it isn't about the
  // post
  if (failed.json === undefined)
    return {
      kind: 'retry',
      reason: { ...because('blocked-on-the-way', { platform: LABEL, doing: step.doing }), platformCode },
    }
  return { kind: 'rejected', reason: refusedBy(LABEL, step.doing, words, platformCode) }
}

/** Such as 403/client-forbidden. */
function codeOf({ status, json }: RestAnswered): string {
  const type = codeWord(Problem.safeParse(json).data?.type.split('/').at(-1) ?? '')
  return type && type !== 'blank' && type !== 'about:blank' ? `${status}/${type}` : String(status)
}

/** Why the inbox can't be read: closed until a new sign-in where a permission is missing. */
export function inboxRefusalOf(failed: RestFailed): Refusal | Extract<ReadAnswer, { kind: 'closed' }> {
  const refusal = refusalOf(failed, { doing: 'show-inbox', irreversible: false })
  return refusal.kind === 'rejected' && refusal.reason.code === 'x-permission-missing'
    ? { kind: 'closed', reason: refusal.reason, reconnect: true }
    : refusal
}
