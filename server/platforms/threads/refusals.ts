import type { Doing } from '#contract/failures/calls.ts'
import { because, type Reason } from '#contract/failures/catalog.ts'
import { type GraphFailed } from '../graph.ts'
import { codeOf, refusalOfGraph } from '../graphRefusals.ts'
import type { Refusal } from '../platform.ts'

export const LABEL = 'Threads'
export type Step = { doing: Doing; irreversible: boolean }

/** Errors that the API names inside its message (Threads, troubleshooting and changelog). */
const named: Record<string, Reason> = {
  THREADS_API__LINK_LIMIT_EXCEEDED: because('threads-links'),
  THREADS_API__FEATURE_NOT_AVAILABLE: because('threads-feature-missing'),
}

/** Publishing a container that isn't ready, or no longer exists (code 24): reading it tells which. */
const NOT_FOUND = 24

/** What a failed call means for this action. */
export function refusalOf(failed: GraphFailed, step: Step): Refusal {
  if (failed.cause === 'answered') {
    const name = Object.keys(named).find((one) => `${failed.message} ${failed.forPeople}`.includes(one))
    const reason = name === undefined ? undefined : named[name]
    if (reason) return { kind: 'rejected', reason: { ...reason, platformCode: name } }
    if (failed.code === NOT_FOUND)
      return {
        kind: 'retry',
        first: 'prepare',
        reason: { ...because('prepared-gone', { platform: LABEL }), platformCode: codeOf(failed) },
      }
  }
  return refusalOfGraph(failed, { label: LABEL, ...step })
}

/** The reason for each problem with files (Threads, troubleshooting). */
const problems: Record<string, Reason> = {
  FAILED_DOWNLOADING_VIDEO: because('fetch-failed', { platform: LABEL, file: 'file' }),
  FAILED_PROCESSING_AUDIO: because('threads-audio'),
  FAILED_PROCESSING_VIDEO: because('threads-video'),
  INVALID_ASPEC_RATIO: because('threads-video-shape'),
  INVALID_ASPECT_RATIO: because('threads-video-shape'),
  INVALID_BIT_RATE: because('threads-bit-rate'),
  INVALID_DURATION: because('threads-video-too-long'),
  INVALID_FRAME_RATE: because('frame-rate', { platform: LABEL }),
  INVALID_AUDIO_CHANNELS: because('threads-audio-channels'),
  INVALID_AUDIO_CHANNEL_LAYOUT: because('threads-audio-channels'),
}

/** What a container's error means; without a cause, it may succeed the next time. */
export function refusalOfContainer(problem: string): Refusal | 'again' {
  const name = Object.keys(problems).find((one) => problem.includes(one))
  const reason = name === undefined ? undefined : problems[name]
  return reason ? { kind: 'rejected', reason: { ...reason, platformCode: name } } : 'again'
}
