import { advised } from '../advice.ts'
import { z } from 'zod'
import { refusedBy, troubleOf, type RestAnswered, type RestFailed, type Step } from '../jsonCalls.ts'
import type { Reason, Refusal } from '../platform.ts'
import { codeWord } from '../words.ts'
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

/** Not there, or no longer. */
export const isGone = (failed: RestFailed): boolean =>
  failed.cause === 'answered' && (failed.status === 404 || failed.status === 410)
/** Posts and comments of members may be read by few apps (r_member_social is closed). */
export const isClosed = (failed: RestFailed): boolean => failed.cause === 'answered' && failed.status === 403

/** The post that is the same as the refused one, by LinkedIn's own words. */
export function duplicateOf(failed: RestFailed): string | undefined {
  if (failed.cause !== 'answered' || (failed.status !== 422 && failed.status !== 409 && failed.status !== 400))
    return undefined
  const { message } = problemOf(failed)
  return /duplicate/i.test(message) ? /urn:li:(?:share|ugcPost):\d+/.exec(message)?.[0] : undefined
}

/** Words for dead tokens, by serviceErrorCode. */
const dead: Partial<Record<number, string>> = {
  65_601: 'Our sign-in at LinkedIn was revoked.',
  65_602: 'Our sign-in at LinkedIn has run out.',
}

const known: readonly { words: RegExp; reason: Omit<Reason, 'platformCode'> }[] = [
  {
    words: /LENGTH_TOO_LONG|too long|exceed.*(length|characters)/i,
    reason: {
      text: 'A text is longer than LinkedIn takes.',
      advice: 'Shorten it. Some characters, such as brackets and underscores, may count twice.',
    },
  },
  {
    words: /duplicate/i,
    reason: {
      text: 'LinkedIn says that this is the same as an earlier post.',
      advice: 'Change the text and send it again.',
    },
  },
  {
    words:
      /NONEXISTENT_VERSION|VERSION_MISSING|\bversion\b.{0,40}\b(not active|not supported|no longer|sunset|deprecated|does not exist|missing)/i,
    reason: {
      text: 'LinkedIn no longer speaks the version of its interface that this Rookery uses.',
      advice: 'Whoever runs this installation updates Rookery.',
    },
  },
]

/** What a failed call means for what was being done. */
export function refusalOf(failed: RestFailed, step: Step): Refusal {
  const trouble = troubleOf(failed, LABEL, step)
  if (trouble) return trouble
  return failed.cause === 'answered'
    ? refusalOfAnswer(failed, step)
    : {
        kind: 'unknown',
        reason: {
          text: 'LinkedIn did not answer.',
          advice: 'We look at the account to find out.',
          platformCode: failed.cause,
        },
      }
}

function refusalOfAnswer(failed: RestAnswered, { doing }: Step): Refusal {
  const { code, message, serviceErrorCode, errorDetails } = problemOf(failed)
  const codes = [code, ...(errorDetails?.inputErrors ?? []).map((one) => one.code)].filter(Boolean)
  const platformCode = [failed.status, ...(serviceErrorCode ? [serviceErrorCode] : codes.slice(0, 1))].join('/')
  if (failed.status === 401)
    return {
      kind: 'reconnect',
      reason: {
        text: dead[serviceErrorCode] ?? 'LinkedIn no longer accepts our sign-in to this account.',
        advice: 'Reconnect the channel.',
        platformCode,
      },
    }
  if (failed.status === 429)
    return {
      kind: 'retry',
      afterSeconds: retryAfter(failed.headers) ?? untilMidnight(failed.headers),
      closesBudget: true,
      reason: {
        text: 'LinkedIn takes no more from this account today.',
        ...advised('slow'),
        platformCode,
      },
    }
  if (failed.status === 426)
    return {
      kind: 'rejected',
      reason: {
        text: 'LinkedIn no longer speaks the version of its interface that this Rookery uses.',
        advice: 'Whoever runs this installation updates Rookery.',
        platformCode,
      },
    }
  const reason = known.find(({ words }) => words.test(`${codes.join(' ')} ${message}`))?.reason
  if (reason) return { kind: 'rejected', reason: { ...reason, platformCode } }
  // a refusal that is not the API's comes from something in between, such as a gateway: it never got to the post
  if (failed.json === undefined && failed.status !== 404)
    return {
      kind: 'retry',
      reason: {
        text: `Something in front of LinkedIn did not let us ${doing}.`,
        ...advised('retry'),
        platformCode,
      },
    }
  if (failed.status === 403)
    return {
      kind: 'rejected',
      reason: {
        text: `LinkedIn did not give us the right to ${doing}.`,
        advice:
          'Reconnect the channel and leave all rights switched on. To publish to a Page, the person needs the role of an admin there.',
        platformCode,
      },
    }
  return { kind: 'rejected', reason: refusedBy(LABEL, doing, message, platformCode) }
}

/** Quotas begin anew at midnight UTC (learn.microsoft.com/linkedin, rate limits), by LinkedIn's own clock. An hour where it tells none. */
function untilMidnight({ date = '' }: Record<string, string>): number {
  const now = Date.parse(date)
  return Number.isNaN(now) ? 3600 : Math.max(60, 86_400 - (Math.floor(now / 1000) % 86_400))
}

/** What LinkedIn will not take of a file. */
export const fileRefused: Refusal = {
  kind: 'rejected',
  reason: {
    text: 'LinkedIn could not use a file of this post.',
    advice: 'Save pictures as JPEG or PNG, videos as MP4 with H.264 and documents as PDF, and send the post again.',
    platformCode: 'PROCESSING_FAILED',
  },
}
