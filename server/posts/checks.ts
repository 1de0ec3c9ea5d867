import { setImmediate } from 'node:timers/promises'
import type { ProjectContext } from '../http/route.ts'
import type { Selectable } from 'kysely'
import { channelProblem, postErrors } from '#contract/checkPost.ts'
import { assetIdsOf, type AdditionalDetails, type Mention, type PostContent } from '#contract/content.ts'
import { countedLinks } from '#contract/links/apply.ts'
import { platformRules, rulesFor } from '#contract/platforms/registry.ts'
import { platformKeys, type PlatformKey, type PostType } from '#contract/platforms/rules.ts'
import { problem, type PostProblem } from '#contract/postProblems.ts'
import { limitsOf, type ChannelRow } from '../access/channels.ts'
import { fail } from '../errors.ts'
import { assetsById } from '../media/access.ts'
import { mediaFactsOf } from '../media/facts.ts'
import { whyNotReady } from '../media/refused.ts'
import type { Database } from '../db/schema.ts'

export type Composed = {
  channel: ChannelRow
  postType: PostType
  contents: readonly PostContent[]
  details: AdditionalDetails
  firstComment?: string
  mentions?: readonly Mention[]
  /** The path of its fields in the request, such as `channels.0.`. */ at: string
}
type Assets = Map<string, Selectable<Database['asset']>>

/** The platform of a channel, as the contract defines it. */
export function platformOf(channel: Pick<ChannelRow, 'platform'>): PlatformKey {
  const key = platformKeys.find((known) => known === channel.platform)
  if (!key) throw new Error(`the database holds a channel of ${channel.platform}`)
  return key
}

/**
 * Every rule that the posts break, by field: missing files, the channel's state, the platform's limits. Same code and
 * messages as in the composer. `now` returns for which posts the channel must be connected right now. Throws
 * POST_REFUSED with all problems at once. `assets` are their files, if already read.
 */
export async function mustBeAccepted(
  c: ProjectContext,
  composed: readonly Composed[],
  now: boolean | ReadonlySet<Composed>,
  assets?: Assets,
): Promise<void> {
  const files = assets ?? (await assetsById(c, composed.flatMap(assetIdsOf)))
  const problems: Record<string, PostProblem[]> = {}
  for (const [i, post] of composed.entries()) {
    // long texts on many channels take a while to judge: others have their turn in between
    if (i > 0) await setImmediate()
    for (const [field, found] of refusals(post, files, typeof now === 'boolean' ? now : now.has(post)))
      (problems[post.at + field] ??= []).push(found)
  }
  if (Object.keys(problems).length > 0) throw fail('POST_REFUSED', { problems })
}

function* refusals(post: Composed, assets: Assets, now: boolean): Generator<[field: string, problem: PostProblem]> {
  const trouble = channelProblem(post.channel, now)
  if (trouble) yield ['channelId', trouble]
  for (const [i, content] of post.contents.entries()) {
    for (const [j, { assetId }] of content.media.entries()) {
      const missing = assetTrouble(assets.get(assetId))
      if (missing) yield [`contents.${i}.media.${j}`, missing]
    }
  }
  const picture = post.details.linkCard?.imageAssetId
  const missing = picture ? assetTrouble(assets.get(picture)) : null
  if (missing) yield ['additionalDetails.linkCard', missing]

  const platform = platformOf(post.channel)
  const finder = platformRules[platform]
  const rules = rulesFor(platform, post.postType, limitsOf(post.channel))
  if (!rules) {
    yield ['postType', problem('post-type-unsupported', { postType: post.postType, handle: post.channel.handle })]
    return
  }
  const facts = post.contents.map(({ title, text, media }) => ({
    title,
    text,
    media: media.flatMap(({ assetId, altText }) => factsOf(assets.get(assetId), altText)),
  }))
  for (const error of postErrors(rules, facts, {
    details: post.details,
    firstComment: post.firstComment,
    findSpans: finder.findSpans,
    links: countedLinks(post.details, platform, finder),
  }))
    yield [error.field, error.problem]
}

function assetTrouble(asset: Selectable<Database['asset']> | undefined): PostProblem | null {
  return asset ? whyNotReady(asset) : problem('file-gone')
}

// a missing file was reported above and counts towards nothing else
const factsOf = (asset: Selectable<Database['asset']> | undefined, altText: string | undefined) =>
  asset ? [mediaFactsOf(asset, altText)] : []
