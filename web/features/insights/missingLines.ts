import type { InsightsCard, MissingReason } from '#contract/analytics/overview.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { isFixedByReconnecting } from './insightWords.ts'
import type { NamedChannels } from './useChannels.ts'

type Line = {
  key: string
  platform: PlatformKey | undefined
  /** One channel's name, or how many channels of the platform. */
  name: string | number
  reason: MissingReason
  /** The channel to reconnect. */
  reconnect: string | null
}

/** What is missing, with one line for all channels of a platform that share a reason, unless each can be reconnected. */
export function missingLines(missing: InsightsCard['missing'], channels: NamedChannels): Line[] {
  const groups = Map.groupBy(missing, ({ channelId, reason }) =>
    isFixedByReconnecting(reason) ? channelId : `${channels.get(channelId)?.platformName ?? ''} ${reason}`,
  )
  return [...groups].flatMap(([key, [first, ...more]]): Line[] => {
    if (!first) return []
    const { channelId, reason } = first
    const channel = channels.get(channelId)
    return [
      {
        key,
        platform: channel?.platformName,
        name: more.length > 0 ? more.length + 1 : (channel?.shownName ?? 'A deleted channel'),
        reason,
        reconnect: isFixedByReconnecting(reason) ? channelId : null,
      },
    ]
  })
}
