import { fileSide, sideOf, type Crop } from './crop.ts'

/** Larger files aren't opened: no camera creates them, and decoding one may crash the page. Bytes. */
const MOST_BYTES = 40_000_000
/** Sides of the picture that is sent; the server stores a smaller one. Pixels. */
const MOST_SIDE = 512

/** Decodes a file by its content, rotated as its camera was held; or says why it can't. */
export async function readPicture(file: Blob): Promise<{ picture: ImageBitmap } | { problem: string }> {
  if (file.size > MOST_BYTES) return { problem: 'This file is larger than 40 MB. Choose a smaller picture.' }
  try {
    return { picture: await createImageBitmap(file, { imageOrientation: 'from-image' }) }
  } catch {
    // its name may claim something else: its content counts
    return { problem: "We can't read this file as a picture. Choose a JPEG, PNG or WebP." }
  }
}

/** Draws the cropped square over the whole canvas. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void {
  const pen = canvas.getContext('2d')
  if (!pen) return
  const side = sideOf(picture, crop)
  pen.imageSmoothingQuality = 'high'
  pen.clearRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(picture, crop.x - side / 2, crop.y - side / 2, side, side, 0, 0, canvas.width, canvas.height)
}

/** The cropped square as a small file in base64: WebP, or PNG if the browser can't write WebP. */
export function cropped(picture: ImageBitmap, crop: Crop): string {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = fileSide(picture, crop, MOST_SIDE)
  drawCrop(canvas, picture, crop)
  const address = canvas.toDataURL('image/webp', 0.9)
  return address.slice(address.indexOf(',') + 1)
}
