import type { ComparedFigure } from '#contract/analytics/filter.ts'
import type { FigureBase, FigureKey } from '#contract/analytics/names.ts'
import type { insightsChannels, InsightsChannel } from '#contract/analytics/overview.ts'
import { isReported } from '#contract/analytics/sources.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

type Reply = ReplyOf<typeof insightsChannels>
export type Median = Reply['medians'][number]
type Figure = { base: FigureBase; name: FigureKey }

/** What channels are compared by, the most asked for first. */
const figures: readonly Figure[] = [
  ...(
    [
      'viewsAndImpressions',
      'engagements',
      'engagementRate',
      'followers',
      'followersGained',
      'reactions',
      'comments',
      'shares',
      'saves',
      'clicks',
      'videoViews',
      'profileViews',
    ] as const
  ).map((name) => ({ base: 'inTheseDays' as const, name })),
  ...(['published', 'viewsAndImpressions', 'engagements', 'engagementRate'] as const).map((name) => ({
    base: 'postsPublished' as const,
    name,
  })),
]

/** The figures that some of these platforms report. */
export const figuresOf = (platforms: readonly PlatformKey[]): Figure[] =>
  figures.filter((figure) => platforms.some((platform) => isReported(platform, figure)))

/** Whether all platforms mean the same by it, so that channels of different ones can be in one order. */
export const isSameEverywhere = (name: FigureKey): boolean =>
  name === 'followers' || name === 'published' || name === 'engagementRate'

/** A channel that has the figure. */
export type BenchmarkRow = { channel: InsightsChannel; figure: ComparedFigure & { value: number } }
/** Channels in one order, of one platform or of all. */
export type BenchmarkGroup = {
  platform: PlatformKey | null
  /** The highest first; channels without a rank, as the platform's terms demand, in the order in which they were connected. */
  rows: BenchmarkRow[]
  isRanked: boolean
  median: Median | null
}

/** The channels that have the figure: a group for each platform, or all that may be ranked together. */
export function groupsOf(
  { channels, medians, apart }: Pick<Reply, 'channels' | 'medians' | 'apart'>,
  { base, name }: Figure,
  { together }: { together: boolean },
): BenchmarkGroup[] {
  const rows = channels.flatMap((channel): BenchmarkRow[] => {
    const figure = channel.figures.find((one) => one.base === base && one.name === name)
    return figure && figure.value !== null ? [{ channel, figure: { ...figure, value: figure.value } }] : []
  })
  const isApart = ({ channel }: BenchmarkRow) => apart.includes(channel.platformName)
  const ranked = (some: readonly BenchmarkRow[]) => some.toSorted((one, other) => other.figure.value - one.figure.value)
  const byPlatform = (some: readonly BenchmarkRow[]) =>
    [...Map.groupBy(some, ({ channel }) => channel.platformName)].map(([platform, own]): BenchmarkGroup => {
      const isRanked = !apart.includes(platform)
      const median = medians.find((one) => one.platform === platform && one.base === base && one.name === name)
      return { platform, rows: isRanked ? ranked(own) : own, isRanked, median: median ?? null }
    })
  if (!together) return byPlatform(rows)
  const all = rows.filter((row) => !isApart(row))
  const one: BenchmarkGroup[] =
    all.length > 0 ? [{ platform: null, rows: ranked(all), isRanked: true, median: null }] : []
  return [...one, ...byPlatform(rows.filter(isApart))]
}

/** Where a value is against the median. */
export const standingOf = (value: number, { value: median }: Pick<Median, 'value'>): 'Above' | 'Below' | 'At' =>
  value > median ? 'Above' : value < median ? 'Below' : 'At'

/** The values from the left to the right end of a group's drawings: from zero, so that lengths can be compared. */
export function extentOf({ rows, median }: BenchmarkGroup): { from: number; to: number } {
  const values = [...rows.map(({ figure }) => figure.value), ...(median ? [median.q1, median.q3] : [])]
  const [from, to] = [Math.min(0, ...values), Math.max(0, ...values)]
  return { from, to: to > from ? to : from + 1 }
}
