import { platformFigure } from '#contract/analytics/catalog/catalog.ts'
import { windowFigures } from '#contract/analytics/catalog/names.ts'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import type { InsightsReach } from '#contract/analytics/reach.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { dayText } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { spanText, type Span } from '../insightsSearch.ts'
import { missingWords } from '#contract/analytics/insightWords.ts'

/** The lengths of ranges, in days, over which the platform counts a channel's people together; none if it doesn't. */
export const reachDays = (platform: PlatformKey): number[] =>
  windowFigures.flatMap(({ name, of, days }) =>
    of === 'reach' && platformFigure(platform, 'channel', name) ? [days] : [],
  )

/** The same where the query's people are shown: a filter for posts has none. */
export const shownReachDays = (platform: PlatformKey, { campaignId, labelId, hashtag }: InsightsFilter): number[] =>
  campaignId === undefined && labelId === undefined && hashtag === undefined ? reachDays(platform) : []

/** Where a figure without a total has one after all, in a list of all figures: "For 7 and 28 days, see above". */
export const seeAboveText = (lengths: readonly number[]): string => `For ${lengths.join(' and ')} days, see above`

/** What the platform calls the people that a channel reached. */
export const reachTerm = (platform: PlatformKey): string =>
  platformFigure(platform, 'channel', 'reach')?.term ?? 'Reach'

/** Why these days have no total, and which ones have one. */
export function noTotalText(platform: PlatformKey, days: number): string {
  const name = platformName(platform)
  const told = reachDays(platform).map(String).join(' and ')
  return days < Math.min(...reachDays(platform))
    ? `No total for ${count(days, 'day')}. ${name} counts people over ${told} days, each of them once.`
    : `No total for ${count(days, 'day')}: adding up days would count people again who come back. ${name} counts them over ${told} days, each of them once.`
}

/** Which days a value covers, if they aren't those of the range. */
export const coveredText = (span: Span, range: Span): string =>
  span.to === range.to ? 'In these days' : `${spanText(span)}, the last days that are final`

/** Why a channel has none. */
export const missingText = ({ reason, since }: InsightsReach['missing'][number]): string =>
  since === null ? `${missingWords[reason]}.` : `Read since ${dayText(since)}.`
