import { type GraphFailed } from '../graph.ts'
import { codeOf, refusalOfGraph } from '../graphRefusals.ts'
import type { Reason, Refusal } from '../platform.ts'

export const LABEL = 'Threads'
export type Step = { doing: string; irreversible: boolean }

/** Errors that the API names in words inside its message (Threads, troubleshooting and changelog). */
const named: Record<string, Omit<Reason, 'platformCode'>> = {
  THREADS_API__LINK_LIMIT_EXCEEDED: {
    text: 'Threads takes at most 5 different links in a post.',
    advice: 'Take some links out.',
  },
  THREADS_API__FEATURE_NOT_AVAILABLE: {
    text: 'This account cannot do that on Threads yet.',
    advice: 'Look in the Threads app whether the feature is switched on for the account.',
  },
}

/** Publishing a container that is not there yet, or not any more (code 24): a look at it tells which. */
const NOT_FOUND = 24

/** What a failed call means for what was being done. */
export function refusalOf(failed: GraphFailed, step: Step): Refusal {
  if (failed.cause === 'answered') {
    const name = Object.keys(named).find((one) => `${failed.message} ${failed.forPeople}`.includes(one))
    const reason = name === undefined ? undefined : named[name]
    if (reason) return { kind: 'rejected', reason: { ...reason, platformCode: name } }
    if (failed.code === NOT_FOUND)
      return {
        kind: 'retry',
        first: 'prepare',
        reason: {
          text: 'Threads does not have what the post is made of.',
          advice: 'It is made ready again by itself.',
          platformCode: codeOf(failed),
        },
      }
  }
  return refusalOfGraph(failed, { label: LABEL, ...step })
}

/** What the platform says of files that it could not use (Threads, troubleshooting). */
const problems: Record<string, Omit<Reason, 'platformCode'>> = {
  FAILED_DOWNLOADING_VIDEO: {
    text: 'Threads could not fetch the file from here.',
    advice:
      'Whoever runs this installation checks that its address can be reached from the outside. Then send the post again.',
  },
  FAILED_PROCESSING_AUDIO: {
    text: 'Threads could not use the sound of the video.',
    advice: 'Save the video with AAC sound of at most 48 kHz and send it again.',
  },
  FAILED_PROCESSING_VIDEO: {
    text: 'Threads could not use the video.',
    advice: 'Save it as MP4 with H.264 and send it again.',
  },
  INVALID_ASPEC_RATIO: {
    text: 'The shape of the video does not suit Threads.',
    advice: 'Cut the video to a usual shape, such as 9:16.',
  },
  INVALID_ASPECT_RATIO: {
    text: 'The shape of the video does not suit Threads.',
    advice: 'Cut the video to a usual shape, such as 9:16.',
  },
  INVALID_BIT_RATE: {
    text: 'The video has more data per second than Threads takes.',
    advice: 'Save it with at most 100 Mbit per second.',
  },
  INVALID_DURATION: { text: 'The video is longer than Threads takes.', advice: 'Cut it to 5 minutes or less.' },
  INVALID_FRAME_RATE: {
    text: 'The video has a frame rate that Threads does not take.',
    advice: 'Save it with 23 to 60 frames per second.',
  },
  INVALID_AUDIO_CHANNELS: {
    text: 'The sound of the video has more channels than Threads takes.',
    advice: 'Save it in stereo or mono.',
  },
  INVALID_AUDIO_CHANNEL_LAYOUT: {
    text: 'The sound of the video has more channels than Threads takes.',
    advice: 'Save it in stereo or mono.',
  },
}

/** What it means that a container ended in an error; one without a cause may go well the next time. */
export function refusalOfContainer(problem: string): Refusal | 'again' {
  const name = Object.keys(problems).find((one) => problem.includes(one))
  const reason = name === undefined ? undefined : problems[name]
  return reason ? { kind: 'rejected', reason: { ...reason, platformCode: name } } : 'again'
}
