import type { ChartData } from '#charts/data.ts'
import { postsPerWeek } from '#contract/analytics/growth.ts'
import { addDays, daysBetween, weekday, type Day } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import { spanText } from '../insightsSearch.ts'

/** Posts by day, in the order of the days. */
type Posts = { days: readonly Day[]; values: readonly (number | null)[] }

/** On longer ranges, posts are drawn by week. */
const MOST_DAYS = 28

export type Cadence = {
  posts: number
  /** Days up to today whose posts are known. */ days: number
  /** On average; null for less than two weeks. */
  perWeek: number | null
  /** The longest time without a post in these days; null if every day has one. */
  gap: { from: Day; to: Day; days: number } | null
}

/** How often posts were published up to today. */
export function cadenceOf({ days, values }: Posts, today: Day): Cadence {
  const past = days.filter((day) => day <= today)
  const posts = past.reduce((sum, _, i) => sum + (values[i] ?? 0), 0)
  let gap: Cadence['gap'] = null
  let since: Day | undefined
  for (const [i, day] of past.entries()) {
    if (values[i] === null || (values[i] ?? 0) > 0) since = undefined
    else {
      since ??= day
      const length = daysBetween(since, day) + 1
      if (gap === null || length > gap.days) gap = { from: since, to: day, days: length }
    }
  }
  const known = past.filter((_, i) => values[i] !== null).length
  return { posts, days: known, perWeek: postsPerWeek(posts, known), gap }
}

/** "14 posts in 30 days, 3.3 a week. The longest time without a post was 6 days, 03 Nov to 08 Nov 2026." */
export function cadenceText({ posts, days, perWeek, gap }: Cadence): string {
  if (days === 0) return 'Nothing is known of these days yet.'
  if (posts === 0) return `Nothing was published in ${days === 1 ? 'this day' : `these ${days} days`}.`
  const often = perWeek === null ? '' : `, ${perWeek} a week`
  const longest =
    gap === null
      ? days === 1
        ? ''
        : ' There was a post every day.'
      : gap.days === 1
        ? ' There was never more than one day without a post.'
        : ` The longest time without a post was ${gap.days} days, ${spanText(gap)}.`
  return `${count(posts, 'post')} in ${count(days, 'day')}${often}.${longest}`
}

/** Posts by day, or by week (from Monday) on longer ranges; the first and the last week may be cut. */
export function cadenceChart({ days, values }: Posts): { by: 'day' | 'week'; data: ChartData } {
  const isByDay = days.length <= MOST_DAYS
  const sums = new Map<Day, number | null>()
  for (const [i, day] of days.entries()) {
    const monday = addDays(day, -((weekday(day) + 6) % 7))
    const key = isByDay ? day : monday < (days[0] ?? day) ? (days[0] ?? day) : monday
    const [sum, value] = [sums.get(key) ?? null, values[i] ?? null]
    sums.set(key, value === null ? sum : (sum ?? 0) + value)
  }
  return {
    by: isByDay ? 'day' : 'week',
    data: {
      axis: { kind: 'days', keys: [...sums.keys()] },
      series: [{ key: 'published', name: 'Published posts', values: [...sums.values()] }],
    },
  }
}
