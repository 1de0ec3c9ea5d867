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
    for (const side of SIDES) {
      const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
      const canvas = document.createElement('canvas')
      canvas.width = Math.max(1, Math.round(bitmap.width * scale))
      canvas.height = Math.max(1, Math.round(bitmap.height * scale))
      const pen = canvas.getContext('2d')
      if (!pen) return undefined
      // JPEG has no transparency
      pen.fillStyle = '#fff'
      pen.fillRect(0, 0, canvas.width, canvas.height)
      pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
      for (const quality of QUALITIES) {
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
        if (blob && blob.size <= most) return blob
      }
    }
    return undefined
  } finally {
    bitmap.close()
  }
}
