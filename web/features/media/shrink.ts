import { jpegOf } from './frames.ts'

/** Dimensions tried one after the other, with the JPEG qualities at each. */
const SIDES = [4096, 3072, 2048, 1440]
const QUALITIES = [0.9, 0.8, 0.7]

/**
 * A JPEG of at most `most` bytes, made in the browser for files that are too large to be sent. Undefined if that isn't
 * possible.
 */
export async function shrink(file: Blob, most: number): Promise<Blob | undefined> {
  let bitmap: ImageBitmap
  try {
    bitmap = await createImageBitmap(file)
  } catch {
    // not a format this browser reads
    return undefined
  }
  try {
    const { width, height } = bitmap
    for (const side of SIDES) {
      const picture = await jpegOf(bitmap, { width, height, side, qualities: QUALITIES, most })
      if (picture) return picture
    }
    return undefined
  } finally {
    bitmap.close()
  }
}
