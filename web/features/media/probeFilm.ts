import { BlobSource, Input, MP4, QTFF, WEBM } from 'mediabunny'

/** A video's length and displayed dimensions. Throws if the container isn't supported here. */
export async function probeFilm(file: Blob): Promise<{ width: number; height: number; seconds: number } | undefined> {
  using input = new Input({ formats: [MP4, QTFF, WEBM], source: new BlobSource(file) })
  const video = await input.getPrimaryVideoTrack()
  if (!video) return undefined
  const seconds = (await input.getDurationFromMetadata()) || (await input.computeDuration())
  return {
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    seconds: Math.round(seconds * 1000) / 1000,
  }
}
