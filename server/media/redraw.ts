import type { z } from 'zod'
import type { Asset, redrawAsset } from '#contract/media.ts'
import { fail } from '../errors.ts'
import type { DetachedContext } from '../http/route.ts'
import { loadAsset } from './access.ts'
import { kindOf } from './fileType.ts'
import { redrawImage } from './image.ts'
import { keepPicture } from './keep.ts'
import { presentAsset } from './present.ts'
import { mustBeReady } from './refused.ts'
import type { MediaStore } from './store.ts'

/**
 * Makes a new file from an image: rotated, cropped, converted, shrunk. Throws MEDIA_REFUSED, LIMIT_EXCEEDED; BAD_INPUT
 * for a part outside of the image.
 */
export async function redraw(
  c: DetachedContext<typeof redrawAsset>,
  store: MediaStore,
): Promise<z.output<typeof Asset>> {
  const asset = await c.inTenant((t) => loadAsset(t, c.params.assetId))
  mustBeReady(asset)
  if (kindOf(asset.content_type) !== 'image') throw fail('MEDIA_REFUSED', { detail: 'Only images can be edited here.' })
  const { rotate, crop, type, bytes } = c.body
  const [across, down] =
    rotate % 180 === 0 ? [asset.width ?? 0, asset.height ?? 0] : [asset.height ?? 0, asset.width ?? 0]
  if (crop && (crop.x + crop.width > across || crop.y + crop.height > down))
    throw fail('BAD_INPUT', { errors: { crop: ['This selection is outside the image.'] } })
  const drawn = await redrawImage(
    () => store.read(asset.store_key),
    { rotate, ...(crop && { crop }), ...(type && { type }), ...(bytes !== undefined && { bytes }) },
    c.org.orgId,
  )
  if (!drawn) throw fail('MEDIA_REFUSED', { detail: "This image can't be made small enough." })
  return presentAsset(
    await keepPicture(c, store, drawn, { name: asset.file_name, altText: asset.alt_text, derivedFrom: asset.id }),
  )
}
