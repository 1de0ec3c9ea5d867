import { advised } from '../advice.ts'
import { z } from 'zod'
import { refusedBy, troubleOf, type RestAnswered, type RestFailed } from '../jsonCalls.ts'
import type { Reason, Refusal } from '../platform.ts'
import { sentence } from '../words.ts'
import { retryAfter } from '../wire.ts'

/** `host` is the server, which people know by its name. */
export type Step = { host: string; doing: string; irreversible: boolean }

const Problem = z.object({ error: z.string().catch(''), error_description: z.string().catch('') })

/** The server's own words: `error` holds a sentence, or a code beside its description. */
function wordsOf({ json }: RestAnswered): string {
  const { error = '', error_description: description = '' } = Problem.safeParse(json).data ?? {}
  return description || error
}

/** A status, file or account that is not there, or not for us. */
export const isGone = (failed: RestFailed): boolean =>
  failed.cause === 'answered' && (failed.status === 404 || failed.status === 410)

/** The server no longer has a file, or it belongs to a status already: also what a second send of a post that went out gets. */
export const isAttached = (failed: RestFailed): boolean =>
  failed.cause === 'answered' && failed.status === 422 && /not found or already attached/i.test(wordsOf(failed))

/** Words for refusals that are known by theirs (mastodon/mastodon, config/locales/en.yml and app/controllers/api). */
const known: readonly { words: RegExp; reason: Omit<Reason, 'platformCode'> }[] = [
  {
    words: /character limit|too long/i,
    reason: {
      text: 'The text is longer than this server takes.',
      advice: 'Shorten the text or the content warning, which counts too.',
    },
  },
  {
    words: /can(?:'|’)t be blank/i,
    reason: { text: 'The server takes no post without words or files.', advice: 'Write something or attach a file.' },
  },
  {
    words: /attach more than \d+/i,
    reason: { text: 'There are more files than this server takes in a post.', advice: 'Take some files out.' },
  },
  {
    words: /video to a (?:post|status) that already contains images|images_and_video/i,
    reason: {
      text: 'The server takes pictures or one video in a post, not both.',
      advice: 'Take out the pictures or the video.',
    },
  },
  {
    words: /content type|not.{0,20}supported|unsupported|unprocessable|could not be processed/i,
    reason: {
      text: 'The server cannot use this kind of file.',
      advice: 'Save pictures as JPEG or PNG and videos as MP4 with H.264, and send the post again.',
    },
  },
  {
    words: /less than \d|too large|size must/i,
    reason: { text: 'A file is larger than this server takes.', advice: 'Shrink it or take another one.' },
  },
  {
    words: /trying to reply to|in_reply_to/i,
    reason: { text: 'The post that this follows is no longer there.', advice: 'Add it on Mastodon, or post again.' },
  },
]
const gone: Omit<Reason, 'platformCode'> = {
  text: 'Something that the post refers to is no longer there.',
  advice: 'Take it out, or add the post on Mastodon, and post again.',
}
const notFinished = /not finished processing|not ready/i
const needsPerson = /login is|currently disabled|pending approval|confirmed e-?mail|suspended|moved/i
const scopeLacks = /outside the authorized scopes|insufficient.?scope/i

/** What a failed call means for what was being done. */
export function refusalOf(failed: RestFailed, { host, doing, irreversible }: Step): Refusal {
  const trouble = troubleOf(failed, host, { doing, irreversible })
  if (trouble) return trouble
  return failed.cause === 'answered'
    ? refusalOfAnswer(failed, host, doing)
    : {
        kind: 'unknown',
        reason: {
          text: `${host} did not answer.`,
          advice: 'We look at the account to find out.',
          platformCode: failed.cause,
        },
      }
}

const DAY_SECONDS = 86_400

/** Until the instant that the server names, by its own clock (docs.joinmastodon.org, api/rate-limits); 5 minutes where it names none. */
function waitIn(headers: Record<string, string>): number {
  const seconds = Math.ceil((Date.parse(headers['x-ratelimit-reset'] ?? '') - Date.parse(headers.date ?? '')) / 1000)
  return retryAfter(headers) ?? (Number.isNaN(seconds) ? 300 : Math.min(Math.max(1, seconds), DAY_SECONDS))
}

function refusalOfAnswer(failed: RestAnswered, host: string, doing: string): Refusal {
  const platformCode = String(failed.status)
  const words = wordsOf(failed)
  if (failed.status === 429)
    return {
      kind: 'retry',
      afterSeconds: waitIn(failed.headers),
      closesBudget: true,
      reason: {
        text: `${host} asks this account to slow down.`,
        ...advised('slow'),
        platformCode,
      },
    }
  if (failed.status === 401)
    return {
      kind: 'reconnect',
      reason: {
        text: `${host} no longer accepts our sign-in to this account.`,
        advice: 'Reconnect the channel.',
        platformCode,
      },
    }
  if (failed.status === 403 && scopeLacks.test(words))
    return {
      kind: 'reconnect',
      reason: {
        text: `${host} did not give us the right to ${doing}.`,
        advice: 'Reconnect the channel and agree to all that its page asks.',
        platformCode,
      },
    }
  if (failed.status === 403 && needsPerson.test(words))
    return {
      kind: 'reconnect',
      reason: {
        text: `${host} has closed this account for now: ${sentence(words)}`,
        advice: `Sign in at ${host}, do what it asks, then reconnect the channel.`,
        platformCode,
      },
    }
  if (failed.status === 413)
    return {
      kind: 'rejected',
      reason: {
        text: 'A file is larger than this server takes.',
        advice: 'Shrink it or take another one.',
        platformCode,
      },
    }
  if (notFinished.test(words))
    return {
      kind: 'retry',
      first: 'prepare',
      afterSeconds: 15,
      reason: { text: `${host} is still working on the files.`, ...advised('retry'), platformCode },
    }
  if (isAttached(failed))
    return {
      kind: 'retry',
      first: 'prepare',
      reason: {
        text: `${host} no longer has the files.`,
        advice: 'They are uploaded again by themselves.',
        platformCode,
      },
    }
  const reason = known.find((one) => one.words.test(words))?.reason
  if (reason) return { kind: 'rejected', reason: { ...reason, platformCode } }
  if (failed.status === 403 && /action is not allowed/i.test(words))
    return {
      kind: 'rejected',
      reason: {
        text: `${host} does not allow this account to do that.`,
        advice: `Look at the account at ${host} to see whether it is limited, then send the post again.`,
        platformCode,
      },
    }
  // words that are not the API's come from something in between, such as a gateway: it never got to the post
  if (failed.json === undefined && failed.status !== 404)
    return {
      kind: 'retry',
      reason: {
        text: `Something in front of ${host} did not let us ${doing}.`,
        ...advised('retry'),
        platformCode,
      },
    }
  if (failed.status === 404 && words) return { kind: 'rejected', reason: { ...gone, platformCode } }
  return { kind: 'rejected', reason: refusedBy(host, doing, words, platformCode) }
}
