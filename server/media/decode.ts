import type { Metadata, Sharp } from 'sharp'
import { fairQueue } from './fairQueue.ts'
import type { ImageType } from './fileType.ts'

export type ImageFacts = { contentType: ImageType; width: number; height: number }

/** Images with more pixels are refused before they fill the memory; all frames of an animation count together. */
export const PIXELS = 64_000_000
/** What a decoded image may take, in bytes: 64 megapixels of four channels with eight bits. */
const DECODED = 4 * PIXELS
const BYTES_OF = { uchar: 1, char: 1, ushort: 2, short: 2 } as const
/** An AVIF is decoded as a whole, several times over: 62 megapixels with three channels took a gigabyte. */
const TIMES = { heif: 5 } as const

/** How many pixels an image of this kind may have: fewer where each takes more memory. In whole millions. */
export function pixelsFor({ channels, depth, format }: Pick<Metadata, 'channels' | 'depth' | 'format'>): number {
  const each = channels * (depth in BYTES_OF ? BYTES_OF[depth as keyof typeof BYTES_OF] : 4)
  const times = format in TIMES ? TIMES[format as keyof typeof TIMES] : 1
  return Math.min(PIXELS, Math.floor(DECODED / (each * times) / 1_000_000) * 1_000_000)
}

export const isTooLarge = (error: unknown): boolean => error instanceof Error && /pixel limit/.test(error.message)

/** sharp and its libraries take 30 MB, so they load with the first image. */
export async function decoder(input: string | Uint8Array, { animated = false } = {}): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return sharp(input, { limitInputPixels: PIXELS, failOn: 'error', animated })
}

/**
 * A decoded image takes hundreds of megabytes, whatever its file size: one at a time is processed, and organizations
 * take turns.
 */
export const inTurn = fairQueue()
