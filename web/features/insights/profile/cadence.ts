import type { ChartData } from '#charts/data.ts'
import { addDays, daysBetween, weekday, type Day } from '#web/lib/dates.ts'

/** Posts by day, in the order of the days. */
type Posts = { days: readonly Day[]; values: readonly (number | null)[] }

/** On longer ranges, posts are drawn by week. */
const MOST_DAYS = 28

export type Cadence = {
  posts: number
  /** On average; null for ranges of less than a week. */
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
    if ((values[i] ?? 0) > 0) since = undefined
    else {
      since ??= day
      const length = daysBetween(since, day) + 1
      if (gap === null || length > gap.days) gap = { from: since, to: day, days: length }
    }
  }
  return { posts, perWeek: past.length < 7 ? null : Math.round((posts / past.length) * 70) / 10, gap }
}

/** Posts by day, or by week (from Monday) on longer ranges; the first and the last week may be cut. */
export function cadenceChart({ days, values }: Posts): { by: 'day' | 'week'; data: ChartData } {
  const isByDay = days.length <= MOST_DAYS
  const sums = new Map<Day, number>()
  for (const [i, day] of days.entries()) {
    const monday = addDays(day, -((weekday(day) + 6) % 7))
    const key = isByDay ? day : monday < (days[0] ?? day) ? (days[0] ?? day) : monday
    sums.set(key, (sums.get(key) ?? 0) + (values[i] ?? 0))
  }
  return {
    by: isByDay ? 'day' : 'week',
    data: {
      axis: { kind: 'days', keys: [...sums.keys()] },
      series: [{ key: 'published', name: 'Published posts', values: [...sums.values()] }],
    },
  }
}
