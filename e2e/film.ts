import type { Page } from '@playwright/test'
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny'

/** Frames per second. */
const RATE = 25

/**
 * An MP4 that the journeys' browser plays: the browser draws and encodes the frames, as many a second as platforms want,
 * from blue to orange.
 */
export async function film(
  page: Page,
  { seconds, width = 320, height = 180 }: { seconds: number; width?: number; height?: number },
): Promise<Buffer> {
  const frames = await page.evaluate(encodeFrames, { count: seconds * RATE, rate: RATE, width, height })
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source)
  await output.start()
  for (const { type, at, data } of frames)
    await source.add(new EncodedPacket(new Uint8Array(Buffer.from(data, 'base64')), type, at, 1 / RATE), {
      decoderConfig: { codec: 'vp09.00.10.08', codedWidth: width, codedHeight: height },
    })
  await output.finalize()
  if (!target.buffer) throw new Error('the film was not written')
  return Buffer.from(target.buffer)
}

/** In the page. */
async function encodeFrames({
  count,
  rate,
  width,
  height,
}: {
  count: number
  rate: number
  width: number
  height: number
}): Promise<{ type: 'key' | 'delta'; at: number; data: string }[]> {
  const found: { type: 'key' | 'delta'; at: number; data: string }[] = []
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      found.push({ type: chunk.type, at: chunk.timestamp / 1e6, data: btoa(String.fromCharCode(...bytes)) })
    },
    error: (error) => {
      throw error
    },
  })
  encoder.configure({ codec: 'vp09.00.10.08', width, height, bitrate: 200_000 })
  const canvas = new OffscreenCanvas(width, height)
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas to draw on')
  for (let i = 0; i < count; i += 1) {
    pen.fillStyle = i < count / 2 ? '#1463a5' : '#c8601a'
    pen.fillRect(0, 0, width, height)
    pen.fillStyle = '#fff'
    pen.fillRect((i / count) * width, height / 3, width / 8, height / 3)
    const frame = new VideoFrame(canvas, { timestamp: (i * 1e6) / rate, duration: 1e6 / rate })
    encoder.encode(frame, { keyFrame: i % 5 === 0 })
    frame.close()
  }
  await encoder.flush()
  encoder.close()
  return found
}
