import { because, type Reason } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { refusedBy, troubleOf, type RestAnswered, type RestFailed, type Step } from '../jsonCalls.ts'
import type { Refusal } from '../platform.ts'
import { codeWord } from '../quotes.ts'
import { retryAfter } from '../wire.ts'

export const LABEL = 'LinkedIn'

const Code = z.string().transform(codeWord).catch('')
const Problem = z.object({
  code: Code,
  message: z.string().catch(''),
  serviceErrorCode: z.number().catch(0),
  errorDetails: z
    .object({ inputErrors: z.array(z.object({ code: Code })).catch([]) })
    .nullable()
    .catch(null),
})
const problemOf = ({ json }: RestAnswered) =>
  Problem.safeParse(json).data ?? { code: '', message: '', serviceErrorCode: 0, errorDetails: null }

/** Doesn't exist, or no longer does. */
export const isGone = (failed: RestFailed): boolean =>
  failed.cause === 'answered' && (failed.status === 404 || failed.status === 410)
/** Few apps may read members' posts and comments (r_member_social is closed). */
export const isClosed = (failed: RestFailed): boolean => failed.cause === 'answered' && failed.status === 403

/** The post that the refused one duplicates, by LinkedIn's message. */
export function duplicateOf(failed: RestFailed): string | undefined {
  if (failed.cause !== 'answered' || (failed.status !== 422 && failed.status !== 409 && failed.status !== 400))
    return undefined
  const { message } = problemOf(failed)
  return /duplicate/i.test(message) ? /urn:li:(?:share|ugcPost):\d+/.exec(message)?.[0] : undefined
}

/** Invalid tokens, by serviceErrorCode. */
const dead: Partial<Record<number, Reason>> = {
  65_601: because('sign-in-revoked', { platform: LABEL }),
  65_602: because('sign-in-expired', { platform: LABEL }),
}

const known: readonly { words: RegExp; reason: Reason }[] = [
  { words: /LENGTH_TOO_LONG|too long|exceed.*(length|characters)/i, reason: because('linkedin-text-too-long') },
  {
    words:
      /NONEXISTENT_VERSION|VERSION_MISSING|\bversion\b.{0,40}\b(not active|not supported|no longer|sunset|deprecated|does not exist|missing)/i,
    reason: because('linkedin-version'),
  },
]

/** What a failed call means for this action. */
export function refusalOf(failed: RestFailed, step: Step): Refusal {
  const trouble = troubleOf(failed, LABEL, step)
  if (trouble) return trouble
  return failed.cause === 'answered'
    ? refusalOfAnswer(failed, step)
    : { kind: 'unknown', reason: { ...because('no-answer', { platform: LABEL }), platformCode: failed.cause } }
}

function refusalOfAnswer(failed: RestAnswered, { doing }: Step): Refusal {
  const { code, message, serviceErrorCode, errorDetails } = problemOf(failed)
  const codes = [code, ...(errorDetails?.inputErrors ?? []).map((one) => one.code)].filter(Boolean)
  const platformCode = [failed.status, ...(serviceErrorCode ? [serviceErrorCode] : codes.slice(0, 1))].join('/')
  if (failed.status === 401)
    return {
      kind: 'reconnect',
      reason: { ...(dead[serviceErrorCode] ?? because('sign-in-refused', { platform: LABEL })), platformCode },
    }
  if (failed.status === 429)
    return {
      kind: 'retry',
      afterSeconds: retryAfter(failed.headers) ?? untilMidnight(failed.headers),
      closesBudget: true,
      reason: { ...because('daily-limit', { platform: LABEL }), platformCode },
    }
  if (failed.status === 426) return { kind: 'rejected', reason: { ...because('linkedin-version'), platformCode } }
  const said = `${codes.join(' ')} ${message}`
  const reason = known.find(({ words }) => words.test(said))?.reason
  // 422 "Content is a duplicate of urn:li:share:…" (learn.microsoft.com/linkedin, Posts API)
  if (!reason && /duplicate/i.test(said))
    return {
      kind: 'rejected',
      reason: { ...because('duplicate', { platform: LABEL }), platformCode },
      isDuplicate: true,
    }
  if (reason) return { kind: 'rejected', reason: { ...reason, platformCode } }
  // a refusal that isn't in the API's format comes from something in between, such as a gateway, so it isn't about the
  // post
  if (failed.json === undefined && failed.status !== 404)
    return { kind: 'retry', reason: { ...because('blocked-on-the-way', { platform: LABEL, doing }), platformCode } }
  if (failed.status === 403)
    return { kind: 'rejected', reason: { ...because('linkedin-permission-missing', { doing }), platformCode } }
  return { kind: 'rejected', reason: refusedBy(LABEL, doing, message, platformCode) }
}

/**
 * Seconds until quotas reset at midnight UTC (learn.microsoft.com/linkedin, rate limits), by LinkedIn's own clock. An
 * hour without one.
 */
function untilMidnight({ date = '' }: Record<string, string>): number {
  const now = Date.parse(date)
  return Number.isNaN(now) ? 3600 : Math.max(60, 86_400 - (Math.floor(now / 1000) % 86_400))
}

/** For a file that LinkedIn doesn't accept. */
export const fileRefused: Refusal = {
  kind: 'rejected',
  reason: { ...because('linkedin-file'), platformCode: 'PROCESSING_FAILED' },
}
