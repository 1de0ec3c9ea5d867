import type { Sharp } from 'sharp'
import { describeMediaProblem, type MediaProblem } from '#contract/mediaProblems.ts'
import { mediaRefused } from './refused.ts'
import { imageTypes, pictureTypeOf, type ImageType } from './fileType.ts'
import { decoder, inTurn, isTooLarge, PIXELS, pixelsFor, type ImageFacts } from './decode.ts'
import { NOBODYS } from './fairQueue.ts'
import { fitStill, type Fitted } from './fitImage.ts'
import { pictureFacts, type PictureFacts } from './pictureFacts.ts'

export type Inspected = { kind: 'image'; facts: ImageFacts & PictureFacts } | { kind: 'refused'; problem: MediaProblem }

/** For anything that isn't an image, by its announced type or its bytes. */
export const NOT_AN_IMAGE: MediaProblem = { code: 'unsupported-type', kind: 'image', types: [...imageTypes] }
const DAMAGED: MediaProblem = { code: 'damaged', kind: 'image' }
/** A quarter of an hour at ten a second; each takes the decoder a while, however small it is. */
const MOST_FRAMES = 10_000
const TOO_MANY_PIXELS: MediaProblem = { code: 'too-many-pixels', pixels: PIXELS }

/**
 * Identifies a file by its bytes, never by its name: an image that can be decoded completely, with its displayed
 * dimensions (rotated as its camera says), or why it isn't one. `whose`: the organization that waits for it.
 */
export async function inspectImage(input: string | Uint8Array, whose: string = NOBODYS): Promise<Inspected> {
  const contentType = await pictureTypeOf(input)
  if (!contentType) return { kind: 'refused', problem: NOT_AN_IMAGE }
  return await inTurn(whose, () => inspectPixels(input, contentType))
}

async function inspectPixels(input: string | Uint8Array, contentType: ImageType): Promise<Inspected> {
  try {
    const image = await decoder(input)
    const metadata = await image.metadata()
    const { width, height, autoOrient, pages = 1 } = metadata
    if (!width || !height) return { kind: 'refused', problem: DAMAGED }
    const pixels = pixelsFor(metadata)
    if (width * height > pixels) return { kind: 'refused', problem: { code: 'too-many-pixels', pixels } }
    if (pages > MOST_FRAMES) return { kind: 'refused', problem: { code: 'too-many-frames', frames: MOST_FRAMES } }
    // decoding it completely reveals truncated and damaged files
    await image.clone().resize(8, 8, { fit: 'inside' }).raw().toBuffer()
    const more = await pictureFacts(input, contentType, metadata)
    return { kind: 'image', facts: { contentType, width: autoOrient.width, height: autoOrient.height, ...more } }
  } catch (error) {
    return { kind: 'refused', problem: isTooLarge(error) ? TOO_MANY_PIXELS : DAMAGED }
  }
}

/** Whether the camera was held differently than the image is shown. Animations weren't taken that way. */
export async function isTurned(path: string): Promise<boolean> {
  const { orientation = 1, pages = 1 } = await (await decoder(path)).metadata()
  return orientation !== 1 && pages === 1
}

/**
 * Redraws an image into another file of its type: upright, without metadata, with all frames. Returns its size in
 * bytes. Throws MEDIA_REFUSED if that is too much.
 */
export function redrawToFile(
  path: string,
  to: string,
  contentType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif',
): Promise<number> {
  return inTurn(NOBODYS, async () => {
    const moves = contentType === 'image/webp' || contentType === 'image/gif'
    const picture = await decoder(path, { animated: moves })
    // all frames of an animation count, together
    const { pages = 1 } = await picture.metadata().catch((error: unknown) => {
      throw isTooLarge(error) ? mediaRefused(TOO_MANY_PIXELS) : error
    })
    const upright = pages === 1 ? picture.autoOrient() : picture
    const encode = {
      'image/jpeg': () => upright.jpeg({ quality: 92 }),
      'image/png': () => upright.png(),
      'image/webp': () => upright.webp({ quality: 92 }),
      'image/gif': () => upright.gif(),
    }
    const { size } = await encode[contentType]().toFile(to)
    return size
  })
}

export type Drawn = { kind: 'picture'; bytes: Buffer } | { kind: 'refused'; reason: string }

/** Far more than an image of this size needs, and still quick to decode. */
const SQUARE_PIXELS = 40_000_000

/**
 * `firstFrame` draws an animation's first frame instead of refusing it. `whose`: the organization that waits for it.
 */
export type SquareOptions = { firstFrame?: boolean; pixels?: number; whose?: string }

/**
 * Redraws a still image as a square WebP of `side` pixels: upright, its center, without metadata. Its type is read from
 * its bytes; animated, damaged and oversized ones are refused before decoding.
 */
export const squarePicture = (input: Uint8Array, side: number, options: SquareOptions = {}): Promise<Drawn> =>
  redrawStill(input, options, (image) => image.resize(side, side, { fit: 'cover' }).webp({ quality: 86 }))

/** Redraws a still image as PNG that is at most so large, keeping its proportions and transparency. Refuses like `squarePicture`. */
export const pictureInside = (
  input: Uint8Array,
  { width, height }: { width: number; height: number },
  options: SquareOptions = {},
): Promise<Drawn> =>
  redrawStill(input, options, (image) =>
    image.resize(width, height, { fit: 'inside', withoutEnlargement: true }).png({ compressionLevel: 9 }),
  )

/** The same as JPEG, on white. */
export const jpegInside = (
  input: Uint8Array,
  { width, height }: { width: number; height: number },
  options: SquareOptions = {},
): Promise<Drawn> =>
  redrawStill(input, options, (image) =>
    image
      .resize(width, height, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 82 }),
  )

async function redrawStill(
  input: Uint8Array,
  { firstFrame = false, pixels = SQUARE_PIXELS, whose = NOBODYS }: SquareOptions,
  draw: (upright: Sharp) => Sharp,
): Promise<Drawn> {
  if (!(await pictureTypeOf(input)))
    return {
      kind: 'refused',
      reason: "This image format isn't supported. Choose a JPEG, PNG, GIF, WebP, AVIF or TIFF file.",
    }
  return await inTurn(whose, async (): Promise<Drawn> => {
    try {
      const image = await decoder(input)
      const { width, height, pages = 1 } = await image.metadata()
      if (pages > 1 && !firstFrame)
        return { kind: 'refused', reason: "Animated images aren't supported here. Choose a still image." }
      if (width * height > pixels) return { kind: 'refused', reason: TOO_LARGE }
      return { kind: 'picture', bytes: await draw(image.autoOrient()).toBuffer() }
    } catch (error) {
      return { kind: 'refused', reason: isTooLarge(error) ? TOO_LARGE : describeMediaProblem(DAMAGED) }
    }
  })
}

const TOO_LARGE = `This image has more than ${SQUARE_PIXELS / 1_000_000} million pixels. Choose a smaller one.`

/** A copy for tiles and lists as WebP: upright, first frame, without metadata, the shorter side at most `side`. */
export function smallCopy(read: () => Promise<Uint8Array>, side: number): Promise<Buffer> {
  return inTurn(NOBODYS, async () =>
    (await decoder(await read()))
      .autoOrient()
      .resize(side, side, { fit: 'outside', withoutEnlargement: true })
      .webp({ quality: 78 })
      .toBuffer(),
  )
}

export type Redraw = {
  /** Degrees clockwise. */ rotate: 0 | 90 | 180 | 270
  /** In pixels of the rotated image. */ crop?: { x: number; y: number; width: number; height: number }
  type?: ImageType
  bytes?: number
}

/**
 * A copy that is rotated, then cropped, then written as `type`, or as its own type if that can be written. Undefined if
 * it can't be made small enough. Throws LIMIT_EXCEEDED if too many images of `whose` wait.
 */
export function redrawImage(
  read: () => Promise<Uint8Array>,
  { rotate, crop, type, bytes }: Redraw,
  whose: string,
): Promise<Fitted | undefined> {
  return inTurn(whose, async () => {
    const input = await read()
    const turned = (await decoder(input)).autoOrient().rotate(rotate)
    const part = crop ? turned.extract({ left: crop.x, top: crop.y, width: crop.width, height: crop.height }) : turned
    const kept = await pictureTypeOf(input)
    const target = type ?? (kept === 'image/png' || kept === 'image/webp' ? kept : 'image/jpeg')
    const { data, info } = await (
      target === 'image/png'
        ? part.png({ compressionLevel: 9 })
        : target === 'image/webp'
          ? part.webp({ quality: 92 })
          : part.flatten({ background: '#ffffff' }).jpeg({ quality: 92 })
    ).toBuffer({ resolveWithObject: true })
    if (bytes === undefined || data.length <= bytes)
      return { bytes: data, contentType: target, width: info.width, height: info.height }
    return await fitStill(data, { types: target === 'image/png' ? ['image/png', 'image/jpeg'] : ['image/jpeg'], bytes })
  })
}
