import type { Sharp } from 'sharp'
import { fairQueue } from './fairQueue.ts'
import type { ImageType } from './fileType.ts'

export type ImageFacts = { contentType: ImageType; width: number; height: number }

/** Images with more pixels are refused before they fill the memory; all frames of an animation count together. */
export const PIXELS = 64_000_000
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
