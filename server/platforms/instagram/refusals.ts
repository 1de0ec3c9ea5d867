import { advised } from '../advice.ts'
import type { GraphFailed } from '../graph.ts'
import { codeOf, refusalOfGraph } from '../graphRefusals.ts'
import type { Reason, Refusal } from '../platform.ts'

export const LABEL = 'Instagram'
export type Step = { doing: string; irreversible: boolean }

type Words = Omit<Reason, 'platformCode'>
const asJpeg: Words = {
  text: 'Instagram does not take this kind of picture.',
  advice: 'Save it as JPEG and send it again.',
}

/** What Instagram says of content by its own codes, which come as subcodes of errors and in the status of containers (Instagram Platform, error codes). */
const rejections: Record<number, Words> = {
  2207004: {
    text: 'A picture is larger than the 8 MB that Instagram takes.',
    advice: 'Shrink it and send the post again.',
  },
  2207005: asJpeg,
  2207009: {
    text: 'The shape of a picture does not suit Instagram.',
    advice: 'Cut it to something between 4:5 and 1.91:1.',
  },
  2207010: { text: 'The text is longer than Instagram takes.', advice: 'Shorten it to 2200 characters.' },
  2207023: asJpeg,
  2207026: {
    text: 'Instagram does not take this kind of video.',
    advice: 'Save it as MP4 with H.264 and AAC and send it again.',
  },
  2207028: { text: 'Instagram does not take these files together.', advice: 'Use 2 to 10 pictures and videos.' },
  2207040: { text: 'The text mentions more people than Instagram takes.', advice: 'Leave at most 20 mentions.' },
  2207050: {
    text: 'Instagram has restricted this account.',
    advice: 'Open the Instagram app and do what it asks there.',
  },
  2207052: {
    text: 'Instagram could not fetch a file from here.',
    advice:
      'Whoever runs this installation checks that its address can be reached from the outside. Then send the post again.',
  },
  2207057: { text: 'The moment of the cover lies outside the video.', advice: 'Choose another cover.' },
}
const SPAM = 2_207_051
const spam: Words = {
  text: 'Instagram takes this for spam and has blocked it.',
  advice: 'Open the Instagram app and see what it says. Wait, then change the post.',
}
const NOT_READY = 2_207_027
const DAILY_LIMIT = 2_207_042
const SERVER_ERROR = 2_207_001
/** The container is gone. */
const GONE = new Set([2_207_006, 2_207_008, 2_207_020])
/** A new container may go well. */
const PASSING = new Set([SERVER_ERROR, 2_207_003, 2_207_032, 2_207_053])

const rejected = (words: Words, platformCode: string): Refusal => ({
  kind: 'rejected',
  reason: { ...words, platformCode },
})

export const dailyLimit = (platformCode: string): Refusal => ({
  kind: 'retry',
  afterSeconds: 3600,
  closesBudget: 'posts-day',
  reason: {
    text: 'This account has published as many posts in 24 hours as Instagram takes.',
    advice: 'It is tried again every hour.',
    platformCode,
  },
})

/** Whether a container is not there, or not any more. */
export const isGoneContainer = (failed: GraphFailed): boolean => failed.cause === 'answered' && GONE.has(failed.subcode)

/** What a failed call means for what was being done. */
export function refusalOf(failed: GraphFailed, step: Step): Refusal {
  if (failed.cause !== 'answered') return refusalOfGraph(failed, { label: LABEL, ...step })
  const { subcode } = failed
  const platformCode = codeOf(failed)
  const words = rejections[subcode]
  if (words) return rejected(words, platformCode)
  if (failed.code === 36_000) return rejected(rejections[2_207_004] ?? asJpeg, platformCode)
  if (subcode === DAILY_LIMIT) return dailyLimit(platformCode)
  if (subcode === NOT_READY)
    return {
      kind: 'retry',
      afterSeconds: 30,
      first: 'prepare',
      reason: {
        text: 'Instagram is still working on the files.',
        ...advised('retry'),
        platformCode,
      },
    }
  if (GONE.has(subcode))
    return {
      kind: 'retry',
      first: 'prepare',
      reason: {
        text: 'Instagram does not have what the post is made of any more.',
        advice: 'It is made ready again by itself.',
        platformCode,
      },
    }
  // one report: the post may still have gone out
  if (subcode === SPAM)
    return step.irreversible
      ? {
          kind: 'unknown',
          reason: { ...spam, advice: 'We look at the account to find out whether it went out.', platformCode },
        }
      : rejected(spam, platformCode)
  if (PASSING.has(subcode)) return passing(step, subcode, platformCode)
  return refusalOfGraph(failed, { label: LABEL, ...step })
}

function passing({ doing, irreversible }: Step, subcode: number, platformCode: string): Refusal {
  if (irreversible && subcode === SERVER_ERROR)
    return {
      kind: 'unknown',
      reason: {
        text: `Instagram had trouble while it was to ${doing}: it may have managed to.`,
        advice: 'We look at the account to find out.',
        platformCode,
      },
    }
  return {
    kind: 'retry',
    ...(irreversible && { first: 'prepare' as const }),
    reason: {
      text: `Instagram did not ${doing}: it has trouble of its own.`,
      ...advised('retry'),
      platformCode,
    },
  }
}

/** What it means that a container ended in an error: its status says so in words with a code in them. */
export function refusalOfContainer(status: string): Refusal | 'again' {
  const code = Number(/\b(2207\d{3})\b/.exec(status)?.[1] ?? 0)
  const words = code === SPAM ? spam : rejections[code]
  return words ? rejected(words, String(code)) : 'again'
}
