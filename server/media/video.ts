import type { MediaProblem } from '#contract/mediaProblems.ts'
import type { VideoType } from './fileType.ts'
import { readBoxes } from './mp4Boxes.ts'

/** A video's facts. Width and height are as displayed; null if the container doesn't contain anything we can read. */
type VideoFacts = {
  contentType: VideoType
  seconds: number | null
  width: number | null
  height: number | null
  rotation: number | null
  videoCodec: string | null
  audioCodec: string | null
}
export type InspectedVideo = { kind: 'video'; facts: VideoFacts } | { kind: 'refused'; problem: MediaProblem }

const DAMAGED = { code: 'damaged', kind: 'video' } as const
/** Containers we only identify by their first bytes: the platform reads the rest. */
const UNREAD: readonly VideoType[] = ['video/x-msvideo', 'video/mpeg', 'video/x-ms-wmv']
/** Millions of samples: more than twelve hours of video need, and little enough for the memory. */
const MOST_INDEX_BYTES = 64_000_000
/** A file that takes longer was crafted to. */
const PATIENCE_MS = 60_000

/**
 * Reads a video's length, dimensions, codecs and rotation in place. Doesn't decode frames, and never has the whole file
 * in memory.
 */
export async function inspectVideo(path: string, contentType: VideoType): Promise<InspectedVideo> {
  if (UNREAD.includes(contentType))
    return {
      kind: 'video',
      facts: {
        contentType,
        seconds: null,
        width: null,
        height: null,
        rotation: null,
        videoCodec: null,
        audioCodec: null,
      },
    }
  if (contentType !== 'video/webm') {
    const boxes = await readBoxes(path)
    if (!boxes?.some(({ type, size }) => type === 'moov' && size <= MOST_INDEX_BYTES))
      return { kind: 'refused', problem: DAMAGED }
  }
  return await readTracks(path, contentType)
}

/** mediabunny loads with the first video. */
async function readTracks(path: string, contentType: VideoType): Promise<InspectedVideo> {
  const { FilePathSource, Input, MP4, QTFF, WEBM } = await import('mediabunny')
  const input = new Input({ formats: [MP4, QTFF, WEBM], source: new FilePathSource(path) })
  const giveUp = setTimeout(() => input.dispose(), PATIENCE_MS)
  try {
    const video = await input.getPrimaryVideoTrack()
    if (!video) return { kind: 'refused', problem: { code: 'no-video-track' } }
    const audio = await input.getPrimaryAudioTrack()
    // a browser's recording doesn't contain its length: then its packets are counted
    const seconds = (await input.getDurationFromMetadata()) || (await input.computeDuration())
    const facts = {
      contentType,
      seconds: Math.round(seconds * 1000) / 1000,
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
      rotation: await video.getRotation(),
      videoCodec: await video.getCodec(),
      audioCodec: audio ? await audio.getCodec() : null,
    }
    const makesSense =
      facts.seconds > 0 &&
      facts.width > 0 &&
      facts.height > 0 &&
      [facts.seconds, facts.width, facts.height].every(Number.isFinite)
    return makesSense ? { kind: 'video', facts } : { kind: 'refused', problem: DAMAGED }
  } catch {
    // players will fail wherever the reader does
    return { kind: 'refused', problem: DAMAGED }
  } finally {
    clearTimeout(giveUp)
    input.dispose()
  }
}
