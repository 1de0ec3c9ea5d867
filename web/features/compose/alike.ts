import type { Channel } from '#contract/channels.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { DetailRule, PlatformKey } from '#contract/platforms/rules.ts'
import type { Details, Variant } from './doc.ts'

/** Belongs to one account: channels of one platform can't share it. */
export const isAccountBound = ({ field, narrowedBy }: DetailRule): boolean =>
  field === 'boardId' || field === 'playlistId' || narrowedBy !== undefined

/** Whether channels of one platform have different values. Untouched ones have the rule's preset. */
export function isMixed(rule: DetailRule, details: readonly (Details | undefined)[]): boolean {
  return new Set(details.map((one) => JSON.stringify(one?.[rule.field] ?? rule.preset))).size > 1
}

type OnPlatform = Pick<Channel, 'channelId' | 'platformName'>

/**
 * The post with channels added: each gets the settings of its platform's chosen channels, because the screen shows one
 * value for all of them. What belongs to an account stays the channel's own.
 */
export function asTheOthers(
  variants: Readonly<Record<string, Variant>>,
  before: readonly string[],
  added: readonly string[],
  channels: readonly OnPlatform[],
): Readonly<Record<string, Variant>> {
  const next = { ...variants }
  for (const { channelId, platformName } of channels.filter((one) => added.includes(one.channelId))) {
    const others = channels
      .filter((one) => one.platformName === platformName && before.includes(one.channelId))
      .map((one) => variants[one.channelId] ?? {})
    if (others.length === 0) continue
    const bound = boundOn(platformName)
    const { postType: _was, details: own = {}, ...words } = next[channelId] ?? {}
    // if they differ, the screen shows each of them, and a set value counts more than an absent one
    const details = {
      ...partOf(own, (field) => bound.has(field)),
      ...partOf(
        others.reduceRight<Details>((said, one) => ({ ...said, ...one.details }), {}),
        (field) => !bound.has(field),
      ),
    }
    const postType = others.find((one) => one.postType)?.postType
    const variant = { ...words, ...(postType && { postType }), ...(Object.keys(details).length > 0 && { details }) }
    if (Object.keys(variant).length > 0) next[channelId] = variant
    else delete next[channelId]
  }
  return next
}

// the settings for links may differ by channel
const boundOn = (platform: PlatformKey): ReadonlySet<string> =>
  new Set([
    'linkTags',
    'shorten',
    ...platformRules[platform].posts.flatMap(({ details }) => details.filter(isAccountBound).map(({ field }) => field)),
  ])
const partOf = (details: Details, isWanted: (field: string) => boolean): Details =>
  Object.fromEntries(Object.entries(details).filter(([field]) => isWanted(field)))
