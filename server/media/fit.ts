import type { z } from 'zod'
import { mediaErrors } from '#contract/checkMedia.ts'
import type { Asset, fitAsset } from '#contract/media.ts'
import { rulesFor } from '#contract/platforms/registry.ts'
import { limitsOf, seeChannel } from '../access/channels.ts'
import { fail } from '../errors.ts'
import type { DetachedContext } from '../http/route.ts'
import { loadAsset } from './access.ts'
import { mediaFactsOf } from './facts.ts'
import { fitImage } from './image.ts'
import { keepPicture } from './keep.ts'
import { presentAsset } from './present.ts'
import { mustBeReady } from './refused.ts'
import type { MediaStore } from './store.ts'

/**
 * Makes a copy that the platform accepts, or returns the file itself if it's accepted already. Throws MEDIA_REFUSED,
 * and LIMIT_EXCEEDED if too many images of the organization wait.
 */
export async function fit(c: DetachedContext<typeof fitAsset>, store: MediaStore): Promise<z.output<typeof Asset>> {
  const { platform, postType, channelId } = c.body
  const { asset, channel } = await c.inTenant(async (t) => ({
    asset: await loadAsset(t, c.params.assetId),
    channel: channelId === undefined ? undefined : await seeChannel(t, channelId),
  }))
  mustBeReady(asset)
  const rules = rulesFor(platform, postType, channel && limitsOf(channel))
  if (!rules || rules.images.most === 0) throw fail('MEDIA_REFUSED', { detail: 'images are not supported' })
  if (!mediaErrors(rules, mediaFactsOf(asset), 'media').some((error) => error.fix === 'fit')) return presentAsset(asset)
  const fitted = await fitImage(() => store.read(asset.store_key), rules.images, c.org.orgId)
  if (!fitted) throw fail('MEDIA_REFUSED', { detail: "This image can't be made small enough." })
  return presentAsset(
    await keepPicture(c, store, fitted, { name: asset.file_name, altText: asset.alt_text, derivedFrom: asset.id }),
  )
}
