import { addsOf } from '#contract/analytics/labels.ts'
import { NORMAL_MOST_DAYS, type InsightsFilter, type InsightsRange } from '#contract/analytics/filter.ts'
import { insightsSummary, type InsightsCard } from '#contract/analytics/overview.ts'
import { daysBetween } from '#web/lib/dates.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

/**
 * The cards with what is usual of each. It's read after the figures, so that they don't wait for 8 earlier periods, unless the cards
 * already have it.
 */
export function useUsual(
  ids: ProjectIds,
  cards: readonly InsightsCard[],
  {
    query,
    range,
    isAsked: mayAsk,
  }: { query: InsightsFilter; range: InsightsRange; /** Only then is it read. */ isAsked: boolean },
): readonly InsightsCard[] {
  const names = cards.flatMap(({ base, name, value, normal }) =>
    base === 'inTheseDays' && addsOf(name) === 'sum' && value !== null && normal === undefined ? [name] : [],
  )
  const { campaignId, labelId, hashtag } = query
  const isOfPosts = [campaignId, labelId, hashtag].some((filter) => filter !== undefined)
  const isAsked = mayAsk && names.length > 0 && !isOfPosts && daysBetween(range.from, range.to) < NORMAL_MOST_DAYS
  const found = useCall(
    insightsSummary,
    { params: ids, query: { ...query, names, postNames: ['published'], normal: 'true' } },
    { handles: true, enabled: isAsked },
  )
  const { data } = found
  if (!isAsked || data?.range.from !== range.from || data.range.to !== range.to) return cards
  return cards.map((card) => {
    const known = data.cards.find(({ base, name }) => base === card.base && name === card.name)
    return known?.normal ? { ...card, normal: known.normal } : card
  })
}
