import type { InsightsFilter } from '#contract/analytics/filter.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { InsightsChannel } from '#contract/analytics/overview.ts'
import { isReported } from '#contract/analytics/sources.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

/** So many are shown first; one more is shown at once. */
export const FIRST_CHANNELS = 8
const MANY: readonly FigureKey[] = ['followers', 'viewsAndImpressions', 'engagements', 'engagementRate']
/** What filters for posts leave: only posts have it. */
const OF_POSTS: readonly FigureKey[] = ['viewsAndImpressions', 'engagements', 'engagementRate', 'reactions', 'comments']
/** The columns: of one platform, those that its channels can have, with the next ones instead. */
export const channelColumns = (
  platform: PlatformKey | undefined,
  { isApart, postsOnly }: { isApart: boolean; postsOnly: boolean },
): readonly FigureKey[] => {
  const first = postsOnly ? OF_POSTS : MANY
  return platform === undefined
    ? first.slice(0, MANY.length)
    : [...new Set<FigureKey>([...first, 'reactions', 'comments', 'profileActions'])]
        .filter(
          (name) =>
            isReported(platform, { base: 'inTheseDays', name }, { postsOnly }) &&
            !(isApart && (name === 'engagements' || name === 'engagementRate')),
        )
        .slice(0, MANY.length)
}

/** A filter chose posts, so figures of channels aren't known. */
export const isOfPosts = ({ campaignId, labelId, hashtag }: InsightsFilter): boolean =>
  campaignId !== undefined || labelId !== undefined || hashtag !== undefined

/**
 * The rows to show: the first ones, unless all are wanted; those with the most of a figure first if that's their order, without
 * ranking platforms whose terms forbid it.
 */
export function shownChannels(
  rows: readonly InsightsChannel[],
  {
    all,
    by,
    apart,
    total,
  }: {
    all: boolean
    /** How many there are with those that weren't asked for. */ total: number
    by: FigureKey | undefined
    apart: readonly PlatformKey[]
  },
): readonly InsightsChannel[] {
  const valueOf = (row: InsightsChannel) =>
    by && !apart.includes(row.platformName) ? (figureOf(row, by)?.value ?? -1) : -2
  const sorted = by ? rows.toSorted((one, other) => valueOf(other) - valueOf(one)) : rows
  return all || total <= FIRST_CHANNELS + 1 ? sorted : sorted.slice(0, FIRST_CHANNELS)
}

/** Whether the channel has any: of a filter's posts, most channels have none. */
export const hasFigures = ({ figures }: InsightsChannel): boolean => figures.some(({ value }) => value !== null)

export const figureOf = ({ figures }: InsightsChannel, name: FigureKey) =>
  figures.find((one) => one.base === 'inTheseDays' && one.name === name)
