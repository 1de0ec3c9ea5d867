import { BlobSource, Input, MP4, QTFF, WEBM } from 'mediabunny'

export type Film = {
  width: number
  height: number
  seconds: number
  videoCodec: string | null
  audioCodec: string | null
  frameRate: number | null
}

/** Enough frames to know how many there are in a second (server/media/video.ts). */
const COUNTED_FRAMES = 300

/**
 * A video's length, displayed dimensions, codecs and frame rate. Codecs that the reader doesn't know are null: the
 * server names them. Throws if the container isn't supported here.
 */
export async function probeFilm(file: Blob): Promise<Film | undefined> {
  using input = new Input({ formats: [MP4, QTFF, WEBM], source: new BlobSource(file) })
  const video = await input.getPrimaryVideoTrack()
  if (!video) return undefined
  const audio = await input.getPrimaryAudioTrack()
  const seconds = (await input.getDurationFromMetadata()) || (await input.computeDuration())
  const { averagePacketRate } = await video.computePacketStats(COUNTED_FRAMES)
  return {
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    seconds: Math.round(seconds * 1000) / 1000,
    videoCodec: await video.getCodec(),
    audioCodec: audio ? await audio.getCodec() : null,
    frameRate: averagePacketRate > 0 ? Math.round(averagePacketRate * 100) / 100 : null,
  }
}
