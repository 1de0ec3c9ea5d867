/** Longer sides than any platform shows. */
const SIDE = 1920
const MOST_BYTES = 2_000_000
const QUALITIES = [0.9, 0.8, 0.7, 0.6]

/** What a video element shows right now, as JPEG. Undefined if the browser can't provide it. */
export async function frameOf(video: HTMLVideoElement): Promise<Blob | undefined> {
  const { videoWidth, videoHeight } = video
  return videoWidth > 0 && videoHeight > 0 ? await drawn(video, videoWidth, videoHeight) : undefined
}

/** A person's own image as JPEG of at most 2 MB. Undefined if this browser can't read it. */
export async function pictureOf(file: Blob): Promise<Blob | undefined> {
  try {
    const bitmap = await createImageBitmap(file)
    const picture = await drawn(bitmap, bitmap.width, bitmap.height)
    bitmap.close()
    return picture
  } catch {
    // not a format this browser reads
    return undefined
  }
}

const drawn = (source: CanvasImageSource, width: number, height: number): Promise<Blob | undefined> =>
  jpegOf(source, { width, height, side: SIDE, qualities: QUALITIES, most: MOST_BYTES })

/**
 * A JPEG of at most `most` bytes whose longer side is at most `side`, in the first of the qualities that is small
 * enough. Undefined if none is.
 */
export async function jpegOf(
  source: CanvasImageSource,
  {
    width,
    height,
    side,
    qualities,
    most,
  }: { width: number; height: number; side: number; qualities: readonly number[]; most: number },
): Promise<Blob | undefined> {
  const scale = Math.min(1, side / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const pen = canvas.getContext('2d')
  if (!pen) return undefined
  // JPEG has no transparency
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(source, 0, 0, canvas.width, canvas.height)
  for (const quality of qualities) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
    if (blob && blob.size <= most) return blob
  }
  return undefined
}

/** The bytes in base64, as calls contain them. */
export async function blobText(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 0x8000) parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)))
  return btoa(parts.join(''))
}
