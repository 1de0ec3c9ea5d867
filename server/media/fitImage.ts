import type { ImageRules } from '#contract/platforms/rules.ts'
import { decoder, inTurn, isTooLarge, type ImageFacts } from './decode.ts'
import { NOBODYS } from './fairQueue.ts'
import { pictureTypeOf } from './fileType.ts'

/** `moving`: an animation stays one, and keeps its type. */
export type FitLimits = Pick<ImageRules, 'types' | 'bytes' | 'largest' | 'pixels'> & { moving?: boolean }
export type Fitted = ImageFacts & { bytes: Uint8Array; frames?: number | null }

/** An image, or how to read it, which happens when its turn has come. */
type Input = Uint8Array | (() => Promise<Uint8Array>)
const bytesOf = async (input: Input): Promise<Uint8Array> => (typeof input === 'function' ? await input() : input)

const QUALITIES = [92, 86, 80, 72, 64] as const
const SHRINK = 0.8
/** Anything smaller isn't a usable image. */
const SMALLEST = 64

/**
 * A copy within the limits: rotated upright, without metadata, first frame. Transparency is kept as PNG if that is
 * small enough, otherwise the background becomes white. Dimensions go down to the limits' own, then quality, then
 * dimensions again. Undefined if nothing fits. `whose`: the organization that waits for it. Throws LIMIT_EXCEEDED if
 * too many of its images wait.
 */
export function fitImage(input: Input, limits: FitLimits, whose: string = NOBODYS): Promise<Fitted | undefined> {
  return inTurn(whose, async () => {
    const bytes = await bytesOf(input)
    return limits.moving ? await fitMoving(bytes, limits) : await fitStill(bytes, limits)
  })
}

/** The same for a moving one, which only gets smaller; undefined also if it's too large to be decoded. */
async function fitMoving(input: Uint8Array, limits: FitLimits): Promise<Fitted | undefined> {
  const contentType = await pictureTypeOf(input)
  if (contentType !== 'image/gif' && contentType !== 'image/webp') return undefined
  try {
    const film = await decoder(input, { animated: true })
    const { width, pageHeight: height = 0, pages: frames = 1 } = await film.metadata()
    for (let scale = scaleInto(limits, { width, height }); Math.min(width, height) * scale >= SMALLEST;) {
      const sized = scale === 1 ? film.clone() : film.clone().resize(side(width * scale), side(height * scale))
      const { data, info } = await (contentType === 'image/gif' ? sized.gif() : sized.webp()).toBuffer({
        resolveWithObject: true,
      })
      if (data.length <= limits.bytes)
        return { bytes: data, contentType, width: info.width, height: info.pageHeight ?? info.height, frames }
      scale *= Math.min(SHRINK, Math.sqrt(limits.bytes / data.length))
    }
  } catch (error) {
    if (!isTooLarge(error)) throw error
  }
  return undefined
}

/** Fits what is in memory already, for whoever has its turn. */
export async function fitStill(input: Uint8Array, limits: FitLimits): Promise<Fitted | undefined> {
  const upright = (await decoder(input)).autoOrient()
  const { autoOrient } = await upright.metadata()
  const start = scaleInto(limits, autoOrient)
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
    // an image's size depends on its area: go down as far as the last try suggests, and at least a step
    scale *= Math.min(SHRINK, Math.sqrt(limits.bytes / size))
  }
  return undefined
}

// both sides are given: calculated, the other one may come out a little longer
const side = (length: number): number => Math.max(1, Math.floor(length))

/** The scale that makes an image as large as allowed: 1 if it's small enough. */
function scaleInto({ largest, pixels }: FitLimits, { width, height }: { width: number; height: number }): number {
  const sides = largest ? [largest.longer / Math.max(width, height), largest.shorter / Math.min(width, height)] : []
  return Math.min(1, ...sides, pixels === undefined ? 1 : Math.sqrt(pixels / (width * height)))
}
