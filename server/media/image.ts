import type { Sharp } from 'sharp'
import { describeMediaProblem, type MediaProblem } from '#contract/mediaProblems.ts'
import type { ImageRules } from '#contract/platforms/rules.ts'
import { mediaRefused } from './refused.ts'
import { imageTypes, pictureTypeOf, type ImageType } from './fileType.ts'
import { NOBODYS, fairQueue } from './fairQueue.ts'

export type ImageFacts = { contentType: ImageType; width: number; height: number }
export type Inspected = { kind: 'image'; facts: ImageFacts } | { kind: 'refused'; problem: MediaProblem }

/** Of anything that isn't an image, by its announced type or by its bytes. */
export const NOT_AN_IMAGE: MediaProblem = { code: 'unsupported-type', kind: 'image', types: [...imageTypes] }
const DAMAGED: MediaProblem = { code: 'damaged', kind: 'image' }
/** Pictures of more pixels are refused before they fill the memory. */
const PIXELS = 64_000_000
const TOO_MANY_PIXELS: MediaProblem = { code: 'too-many-pixels', pixels: PIXELS }
const isTooLarge = (error: unknown): boolean => error instanceof Error && /pixel limit/.test(error.message)

/** sharp and its libraries take 30 MB: loaded with the first picture. */
async function decoder(input: string | Uint8Array, { animated = false } = {}): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return sharp(input, { limitInputPixels: PIXELS, failOn: 'error', animated })
}

/** A decoded picture takes hundreds of megabytes, whatever its file weighs: one is worked on at a time, and organizations take turns. */
const inTurn = fairQueue()

/** A picture, or how to read it, which is done when its turn has come. */
type Input = Uint8Array | (() => Promise<Uint8Array>)
const bytesOf = async (input: Input): Promise<Uint8Array> => (typeof input === 'function' ? await input() : input)

/**
 * Says what a file is by its bytes, never by its name: an image that can be read to its end, with its sides as they are
 * shown (turned as its camera says), or why it is none. `whose`: the organization that waits for it.
 */
export async function inspectImage(input: string | Uint8Array, whose: string = NOBODYS): Promise<Inspected> {
  const contentType = await pictureTypeOf(input)
  if (!contentType) return { kind: 'refused', problem: NOT_AN_IMAGE }
  return await inTurn(whose, () => inspectPixels(input, contentType))
}

async function inspectPixels(input: string | Uint8Array, contentType: ImageType): Promise<Inspected> {
  try {
    const image = await decoder(input)
    const { width, height, autoOrient } = await image.metadata()
    if (!width || !height) return { kind: 'refused', problem: DAMAGED }
    // reading it to its end finds what is cut off or broken
    await image.clone().resize(8, 8, { fit: 'inside' }).raw().toBuffer()
    return { kind: 'image', facts: { contentType, width: autoOrient.width, height: autoOrient.height } }
  } catch (error) {
    return { kind: 'refused', problem: isTooLarge(error) ? TOO_MANY_PIXELS : DAMAGED }
  }
}

/** Whether the camera was held otherwise than the picture is shown. What moves wasn't taken so. */
export async function isTurned(path: string): Promise<boolean> {
  const { orientation = 1, pages = 1 } = await (await decoder(path)).metadata()
  return orientation !== 1 && pages === 1
}

/**
 * Draws a picture again into another file of its kind: upright, without metadata, all of what moves. Returns its bytes.
 * Throws MEDIA_REFUSED when that is too much.
 */
export function drawAnew(
  path: string,
  to: string,
  contentType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif',
): Promise<number> {
  return inTurn(NOBODYS, async () => {
    const moves = contentType === 'image/webp' || contentType === 'image/gif'
    const picture = await decoder(path, { animated: moves })
    // of what moves all pictures count, together
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

/** Far more than a picture of this size needs, and still little to decode. */
const SQUARE_PIXELS = 40_000_000

/** `firstFrame` draws an animated picture's first frame instead of refusing it. `whose`: the organization that waits for it. */
export type SquareOptions = { firstFrame?: boolean; pixels?: number; whose?: string }

/**
 * Draws a still picture again as a square WebP of `side` pixels: upright, its middle, without metadata. What it is is
 * read from its bytes; what is animated, damaged or too large is refused before it is decoded.
 */
export async function squarePicture(
  input: Uint8Array,
  side: number,
  { firstFrame = false, pixels = SQUARE_PIXELS, whose = NOBODYS }: SquareOptions = {},
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
      return {
        kind: 'picture',
        bytes: await image.autoOrient().resize(side, side, { fit: 'cover' }).webp({ quality: 86 }).toBuffer(),
      }
    } catch (error) {
      return { kind: 'refused', reason: isTooLarge(error) ? TOO_LARGE : describeMediaProblem(DAMAGED) }
    }
  })
}

const TOO_LARGE = `This image has more than ${SQUARE_PIXELS / 1_000_000} million pixels. Choose a smaller one.`

/** A copy for tiles and lists as WebP: upright, its first frame, without metadata, the shorter side at most `side`. */
export function smallCopy(read: () => Promise<Uint8Array>, side: number): Promise<Buffer> {
  return inTurn(NOBODYS, async () =>
    (await decoder(await read()))
      .autoOrient()
      .resize(side, side, { fit: 'outside', withoutEnlargement: true })
      .webp({ quality: 78 })
      .toBuffer(),
  )
}

export type FitLimits = Pick<ImageRules, 'types' | 'bytes' | 'largest'>
export type Fitted = ImageFacts & { bytes: Uint8Array }

const QUALITIES = [92, 86, 80, 72, 64] as const
const SHRINK = 0.8
/** Shorter than this is no picture any more. */
const SMALLEST = 64

/**
 * A copy that the limits take: turned upright, without metadata, its first frame. Transparency is kept as PNG when that
 * is small enough, otherwise it lies on white. Sides go down to the limits' own, then quality, then the sides again. Undefined when nothing fits.
 * `whose`: the organization that waits for it. Throws LIMIT_EXCEEDED when too many of its pictures wait.
 */
export function fitImage(input: Input, limits: FitLimits, whose: string = NOBODYS): Promise<Fitted | undefined> {
  return inTurn(whose, async () => await fit(await bytesOf(input), limits))
}

async function fit(input: Uint8Array, limits: FitLimits): Promise<Fitted | undefined> {
  const upright = (await decoder(input)).autoOrient()
  const { autoOrient } = await upright.metadata()
  const start = scaleInto(limits.largest, autoOrient)
  const sized = (scale: number) =>
    scale === 1
      ? upright.clone()
      : upright.clone().resize(side(autoOrient.width * scale), side(autoOrient.height * scale), { fit: 'fill' })
  if (limits.types.includes('image/png') && !(await upright.stats()).isOpaque) {
    const { data, info } = await sized(start)
      .png({ compressionLevel: 9, effort: 8 })
      .toBuffer({ resolveWithObject: true })
    if (data.length <= limits.bytes)
      return { bytes: data, contentType: 'image/png', width: info.width, height: info.height }
  }
  if (!limits.types.includes('image/jpeg')) return undefined
  const shorter = Math.min(autoOrient.width, autoOrient.height)
  let scale = start
  while (scale === start || shorter * scale >= SMALLEST) {
    const resized = sized(scale).flatten({ background: '#ffffff' })
    let size = 0
    for (const quality of QUALITIES) {
      const { data, info } = await resized.clone().jpeg({ quality }).toBuffer({ resolveWithObject: true })
      if (data.length <= limits.bytes)
        return { bytes: data, contentType: 'image/jpeg', width: info.width, height: info.height }
      size = data.length
    }
    // a picture's size goes with its area: as far down as the last try suggests, and a step at least
    scale *= Math.min(SHRINK, Math.sqrt(limits.bytes / size))
  }
  return undefined
}

// both sides are said: left to be worked out, the other one may come out a little longer
const side = (length: number): number => Math.max(1, Math.floor(length))

/** What makes a picture as large as it may be at most: 1 where it is small enough. */
function scaleInto(largest: ImageRules['largest'], { width, height }: { width: number; height: number }): number {
  return largest ? Math.min(1, largest.longer / Math.max(width, height), largest.shorter / Math.min(width, height)) : 1
}

export type Redraw = {
  /** Degrees clockwise. */ rotate: 0 | 90 | 180 | 270
  /** In pixels of the turned picture. */ crop?: { x: number; y: number; width: number; height: number }
  type?: ImageType
  bytes?: number
}

/**
 * A copy that is turned, then cut, then written as `type`, or as what it was where that can be written. Undefined when
 * it can't be made small enough. Throws LIMIT_EXCEEDED when too many pictures of `whose` wait.
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
    return await fit(data, { types: target === 'image/png' ? ['image/png', 'image/jpeg'] : ['image/jpeg'], bytes })
  })
}
