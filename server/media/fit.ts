import type { z } from 'zod'
import { mediaErrors } from '#contract/checkMedia.ts'
import type { Asset, fitAsset } from '#contract/media.ts'
import { rulesFor } from '#contract/platforms/registry.ts'
import { limitsOf, seeChannel } from '../access/channels.ts'
import { problem } from '#contract/postProblems.ts'
import { fail, Failure } from '../errors.ts'
import type { DetachedContext } from '../http/route.ts'
import { loadAsset } from './access.ts'
import { copiesOf } from './copies.ts'
import { mediaFactsOf } from './facts.ts'
import { presentAsset } from './present.ts'
import { mustBeReady } from './refused.ts'
import type { MediaStore } from './store.ts'

/**
 * The copy that a channel of the platform gets, made if it isn't there, or the file itself if it's accepted as it is.
 * Throws MEDIA_REFUSED, also for an image that can't be made to fit, and LIMIT_EXCEEDED if too many images of the
 * organization wait.
 */
export async function fit(c: DetachedContext<typeof fitAsset>, store: MediaStore): Promise<z.output<typeof Asset>> {
  const { platform, postType, channelId } = c.body
  const copied = c.inTenant(async (t) => {
    const asset = await loadAsset(t, c.params.assetId)
    const channel = channelId === undefined ? undefined : await seeChannel(t, channelId)
    mustBeReady(asset)
    const rules = rulesFor(platform, postType, channel && limitsOf(channel))
    if (!rules || rules.images.most === 0) throw fail('MEDIA_REFUSED', { detail: 'images are not supported' })
    if (!mediaErrors(rules, mediaFactsOf(asset), 'media').some((error) => error.fix === 'fit'))
      return presentAsset(asset)
    const [copy] = await copiesOf(t, store, [{ asset, rules: rules.images, at: 'media' }])
    return presentAsset(copy ?? asset)
  })
  return await copied.catch((error: unknown) => {
    const isUnfit = error instanceof Failure && error.code === 'POST_REFUSED'
    throw isUnfit ? fail('MEDIA_REFUSED', { problem: problem('image-not-small-enough') }) : error
  })
}
