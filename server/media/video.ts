import type { InputVideoTrack } from 'mediabunny'
import type { MediaProblem } from '#contract/mediaProblems.ts'
import type { VideoType } from './fileType.ts'
import { codecNamed, pixelsOf, type Pixels } from './codecs.ts'
import { readBoxes } from './mp4Boxes.ts'

/** A video's facts. Width and height are as displayed; null if the container doesn't contain anything we can read. */
type VideoFacts = Pixels & {
  contentType: VideoType
  seconds: number | null
  width: number | null
  height: number | null
  rotation: number | null
  videoCodec: string | null
  /** Of the first audio track; null without one. */ audioCodec: string | null
  frameRate: number | null
}
export type InspectedVideo = { kind: 'video'; facts: VideoFacts } | { kind: 'refused'; problem: MediaProblem }

const DAMAGED = { code: 'damaged', kind: 'video' } as const
/** Containers we only identify by their first bytes: the platform reads the rest. */
const UNREAD: readonly VideoType[] = ['video/x-msvideo', 'video/mpeg', 'video/x-ms-wmv']
/** Millions of samples: more than twelve hours of video need, and little enough for the memory. */
const MOST_INDEX_BYTES = 64_000_000
/** What no video has; a file may announce anything. */
const [MOST_SIDE, MOST_SECONDS] = [65_536, 10_000_000]
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
        frameRate: null,
        bitDepth: null,
        chroma: null,
      },
    }
  if (contentType !== 'video/webm') {
    const boxes = await readBoxes(path)
    if (!boxes?.some(({ type, size }) => type === 'moov' && size <= MOST_INDEX_BYTES))
      return { kind: 'refused', problem: DAMAGED }
  }
  return await readTracks(path, contentType)
}

/** Enough of them to know how many there are in a second, without reading a long video's whole index. */
const COUNTED_FRAMES = 300

/** What its codec says about its pixels; nothing if that can't be read. */
async function pixels(video: InputVideoTrack, codec: string | null): Promise<Pixels> {
  const config = await video.getDecoderConfig().catch(() => null)
  const { description } = config ?? {}
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : description && new Uint8Array(description)
  return pixelsOf(codec, config?.codec ?? null, bytes)
}

/** mediabunny loads with the first video. */
async function readTracks(path: string, contentType: VideoType): Promise<InspectedVideo> {
  const { FilePathSource, Input, Logging, LogLevel, MP4, QTFF, WEBM } = await import('mediabunny')
  // what it doesn't know is said by the facts
  Logging.level = LogLevel.Silent
  const input = new Input({ formats: [MP4, QTFF, WEBM], source: new FilePathSource(path) })
  const giveUp = setTimeout(() => input.dispose(), PATIENCE_MS)
  try {
    const video = await input.getPrimaryVideoTrack()
    if (!video) return { kind: 'refused', problem: { code: 'no-video-track' } }
    const audio = await input.getPrimaryAudioTrack()
    // a browser's recording doesn't contain its length: then its packets are counted
    const seconds = (await input.getDurationFromMetadata()) || (await input.computeDuration())
    const { averagePacketRate } = await video.computePacketStats(COUNTED_FRAMES)
    const codec = await video.getCodec()
    const facts = {
      contentType,
      seconds: Math.round(seconds * 1000) / 1000,
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
      rotation: await video.getRotation(),
      // its own name for what the reader doesn't know
      videoCodec: codec ?? codecNamed(await video.getInternalCodecId()),
      audioCodec: audio ? ((await audio.getCodec()) ?? codecNamed(await audio.getInternalCodecId())) : null,
      frameRate: averagePacketRate > 0 ? Math.round(averagePacketRate * 100) / 100 : null,
      ...(await pixels(video, codec)),
    }
    const { seconds: lasts, width, height } = facts
    const makesSense =
      lasts > 0 && lasts < MOST_SECONDS && [width, height].every((side) => side > 0 && side < MOST_SIDE)
    return makesSense ? { kind: 'video', facts } : { kind: 'refused', problem: DAMAGED }
  } catch {
    // players will fail wherever the reader does
    return { kind: 'refused', problem: DAMAGED }
  } finally {
    clearTimeout(giveUp)
    input.dispose()
  }
}
