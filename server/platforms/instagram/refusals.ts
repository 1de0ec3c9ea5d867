import type { Doing } from '#contract/failures/calls.ts'
import { because, type Reason } from '#contract/failures/catalog.ts'
import type { GraphFailed } from '../graph.ts'
import { codeOf, refusalOfGraph } from '../graphRefusals.ts'
import type { Refusal } from '../platform.ts'

export const LABEL = 'Instagram'
export type Step = { doing: Doing; irreversible: boolean }

const asJpeg: Reason = because('instagram-picture-type')

/**
 * The reason for each of Instagram's codes about content, which are subcodes of errors and parts of container statuses
 * (Instagram Platform, error codes).
 */
const rejections: Record<number, Reason> = {
  2207004: because('instagram-picture-too-large'),
  2207005: asJpeg,
  2207009: because('instagram-picture-shape'),
  2207010: because('instagram-text-too-long'),
  2207023: asJpeg,
  2207026: because('instagram-video-type'),
  2207028: because('instagram-mixed-files'),
  2207040: because('instagram-mentions'),
  2207050: because('instagram-account-restricted'),
  2207052: because('fetch-failed', { platform: 'Instagram', file: 'file' }),
  2207057: because('instagram-cover-outside'),
}
const SPAM = 2_207_051
const spam: Reason = because('instagram-spam')
const NOT_READY = 2_207_027
const DAILY_LIMIT = 2_207_042
const SERVER_ERROR = 2_207_001
/** The container no longer exists. */
const GONE = new Set([2_207_006, 2_207_008, 2_207_020])
/** A new container may succeed. */
const PASSING = new Set([SERVER_ERROR, 2_207_003, 2_207_032, 2_207_053])

const rejected = (words: Reason, platformCode: string): Refusal => ({
  kind: 'rejected',
  reason: { ...words, platformCode },
})

export const dailyLimit = (platformCode: string): Refusal => ({
  kind: 'retry',
  afterSeconds: 3600,
  closesBudget: 'posts-day',
  reason: { ...because('instagram-daily-limit'), platformCode },
})

/** Whether a container doesn't exist, or no longer does. */
export const isGoneContainer = (failed: GraphFailed): boolean => failed.cause === 'answered' && GONE.has(failed.subcode)

/** What a failed call means for this action. */
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
      reason: { ...because('files-in-progress', { platform: 'Instagram' }), platformCode },
    }
  if (GONE.has(subcode))
    return {
      kind: 'retry',
      first: 'prepare',
      reason: { ...because('prepared-gone', { platform: 'Instagram' }), platformCode },
    }
  // according to one report, the post may have been published all the same
  if (subcode === SPAM)
    return step.irreversible
      ? { kind: 'unknown', reason: { ...because('instagram-spam-maybe-done'), platformCode } }
      : rejected(spam, platformCode)
  if (PASSING.has(subcode)) return passing(step, subcode, platformCode)
  return refusalOfGraph(failed, { label: LABEL, ...step })
}

function passing({ doing, irreversible }: Step, subcode: number, platformCode: string): Refusal {
  if (irreversible && subcode === SERVER_ERROR)
    return { kind: 'unknown', reason: { ...because('trouble-maybe-done', { platform: LABEL, doing }), platformCode } }
  return {
    kind: 'retry',
    ...(irreversible && { first: 'prepare' as const }),
    reason: { ...because('platform-trouble', { platform: LABEL, doing }), platformCode },
  }
}

/** What a container's error means: its status is a sentence with a code in it. */
export function refusalOfContainer(status: string): Refusal | 'again' {
  const code = Number(/\b(2207\d{3})\b/.exec(status)?.[1] ?? 0)
  const words = code === SPAM ? spam : rejections[code]
  return words ? rejected(words, String(code)) : 'again'
}
