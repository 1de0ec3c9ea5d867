/** Larger files aren't opened: decoding one may crash the page. Bytes. */
const MOST_BYTES = 40_000_000
/** What a logo is drawn into, as the server stores it. Pixels. */
const MOST = { width: 720, height: 300 }

/** A picture as a small PNG in base64, with what is transparent; or why it can't be one. */
export async function readLogo(file: Blob): Promise<{ logo: string } | { problem: string }> {
  if (file.size > MOST_BYTES) return { problem: 'This file is larger than 40 MB. Choose a smaller picture.' }
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, MOST.width / picture.width, MOST.height / picture.height)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    const pen = canvas.getContext('2d')
    if (pen) pen.imageSmoothingQuality = 'high'
    pen?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const address = canvas.toDataURL('image/png')
    return { logo: address.slice(address.indexOf(',') + 1) }
  } catch {
    // its name may claim something else: its content counts
    return { problem: "We can't read this file as a picture. Choose a JPEG, PNG or WebP." }
  }
}
