import type { InsightsFilter } from '#contract/analytics/filter.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { NamedChannels } from './useChannels.ts'

/** The platforms of the channels that the filters leave, each once. */
export const chosenPlatforms = (
  channels: NamedChannels,
  { channelIds, platforms }: Pick<InsightsFilter, 'channelIds' | 'platforms'>,
): PlatformKey[] => [
  ...new Set(
    [...channels].flatMap(([id, { platformName }]) =>
      (channelIds?.includes(id) ?? true) && (platforms?.includes(platformName) ?? true) ? [platformName] : [],
    ),
  ),
]
