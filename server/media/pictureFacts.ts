import { open } from 'node:fs/promises'
import type { Metadata } from 'sharp'
import type { ImageType } from './fileType.ts'

/** What an image is besides its dimensions. */
export type PictureFacts = {
  /** Of one that moves; null for a still image. */ frames: number | null
  /** How long its frames take together, once. */ seconds: number | null
  /** `srgb`, `cmyk`, `b-w` and others, as libvips names them. */ colorSpace: string | null
  bitDepth: number | null
  chroma: string | null
}

/** From what the decoder says; a PNG's frames aren't decoded, so they're read from the file itself. */
export async function pictureFacts(
  input: string | Uint8Array,
  type: ImageType,
  { space, depth, chromaSubsampling = '', pages = 1, delay = [] }: Metadata,
): Promise<PictureFacts> {
  const motion =
    type === 'image/png' ? await pngMotion(input) : MOVING.includes(type) ? { frames: pages, delay } : STILL
  const moves = motion.frames > 1
  return {
    frames: moves ? motion.frames : null,
    seconds: moves ? secondsOf(motion) : null,
    colorSpace: space,
    bitDepth: depth === 'uchar' ? 8 : depth === 'ushort' ? 16 : null,
    chroma: /^\d:\d:\d$/.test(chromaSubsampling) ? chromaSubsampling : null,
  }
}

type Motion = { frames: number; delay: readonly number[] }
const STILL: Motion = { frames: 1, delay: [] }
/** Several pages of others, such as a TIFF's, don't follow each other in time. */
const MOVING: readonly ImageType[] = ['image/gif', 'image/webp']

/** `delay` is in milliseconds. Players show frames without one for a tenth of a second. */
const secondsOf = ({ frames, delay }: Motion): number => {
  const total = Array.from({ length: frames }, (_, i) => delay[i] || 100).reduce((sum, each) => sum + each, 0)
  return total / 1000
}

/** More than any animation has, and few enough to read one after the other. */
const MOST_CHUNKS = 20_000

/** PNG (third edition), 5.3 and 11.3.6: `acTL` says how many frames there are, `fcTL` how long each is shown. */
async function pngMotion(input: string | Uint8Array): Promise<Motion> {
  const { read, close } = await reader(input)
  try {
    let frames = 0
    const delay: number[] = []
    for (let [at, chunks] = [8, 0]; chunks < MOST_CHUNKS; chunks += 1) {
      const chunk = await read(at, 34)
      if (chunk.length < 12) break
      const type = chunk.toString('latin1', 4, 8)
      if (type === 'acTL') frames = chunk.readUInt32BE(8)
      // a still image: without acTL before them, its pixels are all there is
      if (type === 'IEND' || (type === 'IDAT' && frames === 0)) break
      if (type === 'fcTL' && chunk.length === 34)
        delay.push((chunk.readUInt16BE(28) / (chunk.readUInt16BE(30) || 100)) * 1000)
      at += 12 + chunk.readUInt32BE(0)
    }
    // one that announces more frames than it has is shown with those that it has
    return { frames: Math.max(1, Math.min(frames, delay.length)), delay }
  } finally {
    await close()
  }
}

async function reader(input: string | Uint8Array) {
  if (typeof input !== 'string')
    return {
      read: async (at: number, length: number) => Buffer.from(input.subarray(at, at + length)),
      close: async () => {},
    }
  const file = await open(input)
  return {
    async read(at: number, length: number) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
      return buffer.subarray(0, bytesRead)
    },
    close: () => file.close(),
  }
}
