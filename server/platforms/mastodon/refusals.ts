import type { Doing } from '#contract/failures/calls.ts'
import { because, type Reason } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { refusedBy, troubleOf, type RestAnswered, type RestFailed } from '../jsonCalls.ts'
import type { Refusal } from '../platform.ts'
import { sentence } from '../quotes.ts'
import { retryAfter } from '../wire.ts'

/** `host` is the server, whose name people know. */
export type Step = { host: string; doing: Doing; irreversible: boolean }

const Problem = z.object({ error: z.string().catch(''), error_description: z.string().catch('') })

/** The server's own message: `error` is a sentence, or a code with a description. */
function wordsOf({ json }: RestAnswered): string {
  const { error = '', error_description: description = '' } = Problem.safeParse(json).data ?? {}
  return description || error
}

/** A status, file or account that doesn't exist or isn't visible to us. */
export const isGone = (failed: RestFailed): boolean =>
  failed.cause === 'answered' && (failed.status === 404 || failed.status === 410)

/** The server no longer has a file, or it already belongs to a status: a repeated send gets this too. */
export const isAttached = (failed: RestFailed): boolean =>
  failed.cause === 'answered' && failed.status === 422 && /not found or already attached/i.test(wordsOf(failed))

/** Refusals that are recognized by their message (mastodon/mastodon, config/locales/en.yml and app/controllers/api). */
const known: readonly { words: RegExp; reason: Reason }[] = [
  { words: /character limit|too long/i, reason: because('mastodon-text-too-long') },
  { words: /can(?:'|’)t be blank/i, reason: because('mastodon-empty') },
  { words: /attach more than \d+/i, reason: because('mastodon-too-many-files') },
  {
    words: /video to a (?:post|status) that already contains images|images_and_video/i,
    reason: because('mastodon-mixed-files'),
  },
  {
    words: /content type|not.{0,20}supported|unsupported|unprocessable|could not be processed/i,
    reason: because('mastodon-file-type'),
  },
  { words: /less than \d|too large|size must/i, reason: because('file-too-large') },
  { words: /trying to reply to|in_reply_to/i, reason: because('parent-gone', { platform: 'Mastodon' }) },
]
const gone: Reason = because('mastodon-reference-gone')
const notFinished = /not finished processing|not ready/i
const needsPerson = /login is|currently disabled|pending approval|confirmed e-?mail|suspended|moved/i
const scopeLacks = /outside the authorized scopes|insufficient.?scope/i

/** What a failed call means for this action. */
export function refusalOf(failed: RestFailed, { host, doing, irreversible }: Step): Refusal {
  const trouble = troubleOf(failed, host, { doing, irreversible })
  if (trouble) return trouble
  return failed.cause === 'answered'
    ? refusalOfAnswer(failed, host, doing)
    : { kind: 'unknown', reason: { ...because('no-answer', { platform: host }), platformCode: failed.cause } }
}

const DAY_SECONDS = 86_400

/**
 * Seconds until the time that the server names, by its own clock (docs.joinmastodon.org, api/rate-limits); 5 minutes
 * without one.
 */
function waitIn(headers: Record<string, string>): number {
  const seconds = Math.ceil((Date.parse(headers['x-ratelimit-reset'] ?? '') - Date.parse(headers.date ?? '')) / 1000)
  return retryAfter(headers) ?? (Number.isNaN(seconds) ? 300 : Math.min(Math.max(1, seconds), DAY_SECONDS))
}

function refusalOfAnswer(failed: RestAnswered, host: string, doing: Doing): Refusal {
  const platformCode = String(failed.status)
  const words = wordsOf(failed)
  if (failed.status === 429)
    return {
      kind: 'retry',
      afterSeconds: waitIn(failed.headers),
      closesBudget: true,
      reason: { ...because('slow-down', { platform: host }), platformCode },
    }
  if (failed.status === 401)
    return { kind: 'reconnect', reason: { ...because('sign-in-refused', { platform: host }), platformCode } }
  if (failed.status === 403 && scopeLacks.test(words))
    return { kind: 'reconnect', reason: { ...because('mastodon-permission-missing', { host, doing }), platformCode } }
  if (failed.status === 403 && needsPerson.test(words))
    return {
      kind: 'reconnect',
      reason: { ...because('mastodon-account-closed', { host, words: sentence(words) }), platformCode },
    }
  if (failed.status === 413) return { kind: 'rejected', reason: { ...because('file-too-large'), platformCode } }
  if (notFinished.test(words))
    return {
      kind: 'retry',
      first: 'prepare',
      afterSeconds: 15,
      reason: { ...because('files-in-progress', { platform: host }), platformCode },
    }
  if (isAttached(failed))
    return { kind: 'retry', first: 'prepare', reason: { ...because('files-gone', { platform: host }), platformCode } }
  const reason = known.find((one) => one.words.test(words))?.reason
  if (reason) return { kind: 'rejected', reason: { ...reason, platformCode } }
  if (failed.status === 403 && /action is not allowed/i.test(words))
    return { kind: 'rejected', reason: { ...because('mastodon-not-allowed', { host }), platformCode } }
  // a refusal that isn't in the API's format comes from something in between, such as a gateway, so it isn't about the
  // post
  if (failed.json === undefined && failed.status !== 404)
    return { kind: 'retry', reason: { ...because('blocked-on-the-way', { platform: host, doing }), platformCode } }
  if (failed.status === 404 && words) return { kind: 'rejected', reason: { ...gone, platformCode } }
  return { kind: 'rejected', reason: refusedBy(host, doing, words, platformCode) }
}
