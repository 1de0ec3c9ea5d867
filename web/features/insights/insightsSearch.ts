import { HASHTAG, INSIGHTS_MOST_DAYS, type InsightsFilter } from '#contract/analytics/filter.ts'
import type { insightsSummary, InsightsCard } from '#contract/analytics/overview.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { spanText } from '#contract/days.ts'
import { addDays, addMonths, daysBetween, type Day } from '#web/lib/dates.ts'

export { spanText }

/** What every section's address can hold. Without a range, it's the last 7 days against the 7 before. */
export type InsightsFilters = {
  range?: InsightsRangeKey | undefined
  /** The days of a custom range. */
  from?: Day | undefined
  to?: Day | undefined
  compare?: 'off' | 'year' | 'custom' | undefined
  compareFrom?: Day | undefined
  compareTo?: Day | undefined
  channelIds?: string[] | undefined
  platforms?: PlatformKey[] | undefined
  hashtag?: string | undefined
  campaignId?: string | undefined
  labelId?: string | undefined
}
export const insightsRanges = ['7', '28', '30', '90', 'month', 'custom'] as const
export type InsightsRangeKey = (typeof insightsRanges)[number]

export type Span = { from: Day; to: Day }

/** The days of the range, as of today in the project's zone. */
export function spanOf({ range = '7', from, to }: InsightsFilters, today: Day): Span {
  if (range === 'month') {
    const first = addMonths(`${today.slice(0, 7)}-01`, -1)
    return { from: first, to: addDays(addMonths(first, 1), -1) }
  }
  if (range === 'custom' && from !== undefined && to !== undefined && from <= to) return { from, to }
  return { from: addDays(today, 1 - (range === 'custom' ? 7 : Number(range))), to: today }
}

/** The days that the range is compared with; undefined if it isn't. */
export function comparedSpan(filters: InsightsFilters, today: Day): Span | undefined {
  const { from, to } = spanOf(filters, today)
  const { compare, compareFrom, compareTo } = filters
  if (compare === 'off') return undefined
  if (compare === 'custom' && compareFrom !== undefined && compareTo !== undefined && compareFrom <= compareTo)
    return { from: compareFrom, to: compareTo }
  if (compare === 'year') return { from: addMonths(from, -12), to: addMonths(to, -12) }
  // a whole month against the month before, whatever their lengths
  if (filters.range === 'month') return { from: addMonths(from, -1), to: addDays(from, -1) }
  return { from: addDays(from, -(daysBetween(from, to) + 1)), to: addDays(from, -1) }
}

/** What stays from one section to the next. */
export const filtersOf = (search: InsightsFilters): InsightsFilters => ({
  range: search.range,
  from: search.from,
  to: search.to,
  compare: search.compare,
  compareFrom: search.compareFrom,
  compareTo: search.compareTo,
  channelIds: search.channelIds,
  platforms: search.platforms,
  hashtag: search.hashtag,
  campaignId: search.campaignId,
  labelId: search.labelId,
})

/** A filter of the address that no call takes: which one, and what is wrong with it. */
export type WrongFilter = { filter: 'days' | 'compare' | 'hashtag'; text: string }
export function wrongFilters(filters: InsightsFilters, today: Day): WrongFilter[] {
  const tooLong = (span: Span | undefined) =>
    span !== undefined && daysBetween(span.from, span.to) + 1 > INSIGHTS_MOST_DAYS
  const wrong: WrongFilter[] = []
  if (tooLong(spanOf(filters, today)))
    wrong.push({ filter: 'days', text: `The range is too long. Choose at most ${INSIGHTS_MOST_DAYS} days.` })
  else if (tooLong(comparedSpan(filters, today)))
    wrong.push({
      filter: 'compare',
      text: `The range to compare with is too long. Choose at most ${INSIGHTS_MOST_DAYS} days.`,
    })
  if (filters.hashtag !== undefined && !HASHTAG.test(filters.hashtag.trim()))
    wrong.push({ filter: 'hashtag', text: 'A hashtag has only letters, numbers and underscores.' })
  return wrong
}

/** The filters as calls take them. */
export function queryOf(filters: InsightsFilters, today: Day): InsightsFilter {
  const span = spanOf(filters, today)
  const compared = comparedSpan(filters, today)
  return {
    ...span,
    ...(compared ? { compareFrom: compared.from, compareTo: compared.to } : {}),
    ...(filters.channelIds?.length ? { channelIds: filters.channelIds } : {}),
    ...(filters.platforms?.length ? { platforms: filters.platforms } : {}),
    ...(filters.campaignId ? { campaignId: filters.campaignId } : {}),
    ...(filters.labelId ? { labelId: filters.labelId } : {}),
    ...(filters.hashtag ? { hashtag: filters.hashtag } : {}),
  }
}

/** What a change is compared with, after "more": "than 10 Nov to 16 Nov 2026". */
export const thanText = (compare: Span | null): string => (compare ? `than ${spanText(compare)}` : '')

/** Whether anything but the days is narrowed down. */
export const isFiltering = ({ channelIds, platforms, hashtag, campaignId, labelId }: InsightsFilters): boolean =>
  Boolean(channelIds?.length || platforms?.length || hashtag || campaignId || labelId)

export const noFilters = {
  channelIds: undefined,
  platforms: undefined,
  hashtag: undefined,
  campaignId: undefined,
  labelId: undefined,
} satisfies InsightsFilters

/** The figures of one platform or one channel: those that may not be added to others' are its own here. */
export function ownCards({ cards, apart }: Pick<ReplyOf<typeof insightsSummary>, 'cards' | 'apart'>): InsightsCard[] {
  const own = apart.flatMap(({ figures }) => figures.map((figure): InsightsCard => ({ ...figure, holds: [] })))
  const isOwn = ({ base, name }: InsightsCard) => own.some((one) => one.base === base && one.name === name)
  // what is worked out has no value where that's forbidden, and never will
  const others = cards.filter((card) => !isOwn(card) && (own.length === 0 || card.value !== null))
  return [...others, ...own]
}
