import type { insightsEvents } from '#contract/analytics/events.ts'
import type { InsightsBreak, InsightsCard, insightsSeries } from '#contract/analytics/overview.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { ChartData, Series } from '#charts/data.ts'
import { lookAt, platformLook } from '#charts/style.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import type { NamedChannels } from './useChannels.ts'
import type { Lines } from './useFigures.ts'

/** What is marked on the axis of days. */
export const marksOf = (
  { posts, campaigns }: ReplyOf<typeof insightsEvents>,
  { withPosts }: { withPosts: boolean },
): NonNullable<ChartData['events']> => [
  ...campaigns.map(({ name, from, to }) => ({ kind: 'campaign' as const, name, from, to })),
  ...(withPosts ? posts.map(({ day, count }) => ({ kind: 'posts' as const, at: day, count })) : []),
]

type Line = Pick<Series, 'name' | 'look'>
type Of = {
  /** The figure's name, which a single line has. */ title: string
  channels: NamedChannels
  /** The screen shows this platform alone. */ platform: PlatformKey | undefined
}

/** What a line is called and looks like, by its key: a channel or platform keeps both whatever else is drawn. */
export function linesOf(by: Lines, { title, channels, platform }: Of): (key: string) => Line {
  let deleted = 0
  return (key) => {
    if (by === 'total')
      return { name: title, look: { ...lookAt(0), ...(platform ? { color: platformLook(platform).color } : {}) } }
    if (by === 'platform') {
      const known = PlatformKey.safeParse(key)
      return known.success ? { name: platformName(known.data), look: platformLook(known.data) } : { name: key }
    }
    const channel = channels.get(key)
    if (channel) return { name: channel.shownName, look: lookAt(channel.place) }
    deleted += 1
    return {
      name: deleted === 1 ? 'A deleted channel' : `A deleted channel (${deleted})`,
      look: lookAt(channels.size + deleted - 1),
    }
  }
}

/** The breaks of platforms whose figures are in what is drawn: a total holds fewer of them than the filter. */
export function breaksIn(
  { series, breaks }: Pick<ReplyOf<typeof insightsSeries>, 'series' | 'breaks'>,
  by: Lines,
  { holds, channels }: Pick<InsightsCard, 'holds'> & Pick<Of, 'channels'>,
): InsightsBreak[] {
  const drawn = new Set(series.map(({ key }) => key))
  const ofChannels = new Set(series.map(({ key }) => channels.get(key)?.platformName))
  return breaks.filter(({ platform }) => {
    if (by === 'total') return holds.some((one) => one.platform === platform)
    // of a deleted channel, the platform isn't known
    return by === 'platform' ? drawn.has(platform) : ofChannels.has(platform) || ofChannels.has(undefined)
  })
}
