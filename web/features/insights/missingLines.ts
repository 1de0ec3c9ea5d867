import type { InsightsCard, MissingChannels, MissingReason } from '#contract/analytics/overview.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { isFixedByReconnecting } from '#contract/analytics/insightWords.ts'
import type { NamedChannels } from './useChannels.ts'

type Line = {
  key: string
  platform: PlatformKey
  /** One channel's name, or how many channels of the platform. */
  name: string | number
  reason: MissingReason
  /** The channel to reconnect. */
  reconnect: string | null
}

/** What isn't in a card. */
export const missingFrom = (
  missing: readonly MissingChannels[],
  { base, name }: Pick<InsightsCard, 'base' | 'name'>,
): MissingChannels[] => missing.filter(({ figures }) => figures[base]?.includes(name) === true)

/** Reasons that no day and nobody changes. */
const LASTING: readonly MissingReason[] = [
  'notReported',
  'countedDifferently',
  'termsForbid',
  'nothingReported',
  'noPosts',
]

/** The figures that have a value, or may have one: not those that no channel of a filter reports. */
export const worthListing = <Card extends Pick<InsightsCard, 'base' | 'name' | 'value' | 'before'>>(
  cards: readonly Card[],
  missing: readonly MissingChannels[],
): readonly Card[] =>
  cards.filter(
    (card) =>
      card.value !== null ||
      card.before !== null ||
      missingFrom(missing, card).some(({ reason }) => !LASTING.includes(reason)),
  )

/** How many channels that are. */
export const countMissing = (missing: readonly MissingChannels[]): number =>
  missing.reduce((sum, { channelIds }) => sum + channelIds.length, 0)

/** What is missing, with one line for all channels of a platform that share a reason, unless each can be reconnected. */
export function missingLines(missing: readonly MissingChannels[], channels: NamedChannels): Line[] {
  return missing.flatMap(({ platform, reason, channelIds }): Line[] => {
    const nameOf = (id: string) => channels.get(id)?.shownName ?? 'A deleted channel'
    if (isFixedByReconnecting(reason))
      return channelIds.map((id) => ({ key: id, platform, name: nameOf(id), reason, reconnect: id }))
    const [first = ''] = channelIds
    const name = channelIds.length > 1 ? channelIds.length : nameOf(first)
    return [{ key: `${platform} ${reason} ${first}`, platform, name, reason, reconnect: null }]
  })
}
