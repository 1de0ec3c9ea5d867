import { BlobSource, Input, MP4, QTFF, WEBM } from 'mediabunny'

/** Length and sides of a video as they are shown. Throws where the container isn't read here. */
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
