import type { AiHelpAnswer, aiHelp } from '#contract/aiHelp.ts'
import { rulesFor } from '#contract/platforms/registry.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { channelsById, limitsOf } from '../access/channels.ts'
import { fail } from '../errors.ts'
import type { DetachedContext, ProjectContext } from '../http/route.ts'
import { loadAsset } from '../media/access.ts'
import { fitImage } from '../media/fitImage.ts'
import { mustBeReady } from '../media/refused.ts'
import type { MediaStore } from '../media/store.ts'
import { askCharged, type ModelDeps } from './charge.ts'
import { questionFor, type HelpContext, type Target } from './helpQuestions.ts'
import { profileOf } from './runs.ts'

type Ask = DetachedContext<typeof aiHelp>
export type HelpDeps = ModelDeps & { media: MediaStore }

/** Enough to see what an image shows, and little to send. Bytes. */
const PICTURE = 400_000

/**
 * Asks the model for a suggestion and returns it within the limits of its targets. Nothing is stored but the credits,
 * which are charged before the model is asked and refunded when it gives no suggestion. Throws NOT_FOUND for channels
 * and files that the caller doesn't see, PLAN_LIMIT without credits, AI_PROMPT_GENERATION_ERROR with `meta.why` when
 * there is none.
 */
export async function help(c: Ask, { model, media, log, databases }: HelpDeps): Promise<AiHelpAnswer> {
  const seen = await c.inTenant((t) => see(t, c.body))
  if (!model) throw fail('AI_NOT_SET_UP')
  const picture = seen.storeKey === undefined ? undefined : await readPicture(media, seen.storeKey)
  const question = questionFor(c.body, { ...seen, ...(picture && { picture }) })
  const { found, creditsLeft } = await askCharged(
    c,
    { model, log, databases },
    {
      ask: question.ask,
      credits: question.texts,
      read: (given) => {
        const { declined, ...answer } = question.read(given)
        return {
          found: answer.suggestions.length > 0 || answer.hashTags.length > 0 ? answer : undefined,
          declined,
        }
      },
    },
  )
  return { ...found, creditsLeft }
}

/** What the request is about, as far as the caller may see it. */
async function see(t: ProjectContext, body: Ask['body']): Promise<HelpContext & { storeKey?: string }> {
  const channels = await channelsById(
    t,
    body.targets.map(({ channelId }) => channelId),
  )
  const found: Target[] = body.targets.map(({ channelId, postType }) => {
    const channel = channels.get(channelId)
    if (!channel)
      throw fail('NOT_FOUND', { detail: "One of these channels doesn't exist, or you don't have access to it." })
    const platform = PlatformKey.parse(channel.platform)
    const rules = rulesFor(platform, postType, limitsOf(channel))
    if (!rules)
      throw fail('NOT_FOUND', { detail: `You can't publish a post of the type "${postType}" to ${channel.handle}.` })
    return { channelId, platform, rules }
  })
  const profile = await profileOf(
    t.tx,
    t.org.orgId,
    found.map(({ channelId }) => channelId),
  )
  if (body.kind !== 'altText') return { targets: found, profile }
  const asset = await loadAsset(t, body.assetId)
  mustBeReady(asset)
  if (!asset.content_type.startsWith('image/')) throw fail('MEDIA_REFUSED', { detail: 'Only images can be described.' })
  return { targets: found, profile, storeKey: asset.store_key }
}

async function readPicture(media: MediaStore, key: string): Promise<NonNullable<HelpContext['picture']>> {
  const small = await fitImage(() => media.read(key), { types: ['image/jpeg'], bytes: PICTURE })
  if (!small) throw fail('MEDIA_REFUSED', { detail: "This image can't be made small enough to describe." })
  return { bytes: small.bytes, contentType: small.contentType }
}
