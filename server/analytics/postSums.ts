import type { FigureKey } from '#contract/analytics/names.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { readMonths, sumOver } from './months.ts'
import type { Reader, Scope } from './scope.ts'
import { wantedOf } from './wanted.ts'

/** Posts' figures to date, added up per channel. */
export type PostSums = {
  channel_id: string
  name: FigureKey
  value: number | null
  before: number | null
  /** Of the posts published in the days that both ranges have. */
  like_value: number | null
  like_before: number | null
  /** The two sides of the engagement rate, of posts that have both. */
  part: number | null
  whole: number | null
  part_before: number | null
  whole_before: number | null
}

/** How old posts have to be until sums of their figures are compared: by then, they have most of what they get. */
const SETTLED_DAYS = 7

/**
 * How many days from the start of each range are compared: the count of posts up to yesterday; their figures on the days whose
 * posts had time, if that's at least half of them. 0: none.
 */
export function comparedPostDays(range: Scope['range'], today: string): { published: number; figures: number } {
  const { compare } = range
  if (!compare) return { published: 0, figures: 0 }
  const both = Math.min(daysIn(range), daysIn(compare))
  const until = (back: number) => Math.min(both, Math.max(0, daysIn({ from: range.from, to: addDays(today, -back) })))
  const settled = until(SETTLED_DAYS)
  return { published: until(1), figures: settled * 2 < both ? 0 : settled }
}

/** As `delayDays` of posts' figures: days that ended later aren't compared yet. */
export const POSTS_DELAY_DAYS = SETTLED_DAYS - 1

/** The figures to date of the scope's posts that were published in the range, and in the days compared. */
export async function readPostSums(
  c: Reader,
  scope: Scope,
  today: string,
  names: readonly FigureKey[],
): Promise<PostSums[]> {
  const stored = names.flatMap((name) => (name === 'engagementRate' ? RATE_SIDES : [name]))
  const found = await readMonths(c, scope, wantedOf(scope.channels, 'post', stored), 'post', { withRead: false })
  const days = comparedPostDays(scope.range, today)
  return [...found].flatMap(([id, figures]) =>
    names.flatMap((name): PostSums[] => {
      const none = { value: null, before: null, like_value: null, like_before: null }
      const sides = { part: null, whole: null, part_before: null, whole_before: null }
      if (name === 'engagementRate') {
        const [part, whole] = RATE_SIDES.map((side) => figures.get(side))
        if (!part || !whole) return []
        const [partBefore, wholeBefore] = [part.before && sumOver(part.before), whole.before && sumOver(whole.before)]
        const added = { part: sumOver(part.now), whole: sumOver(whole.now) }
        return [{ channel_id: id, name, ...none, ...added, part_before: partBefore, whole_before: wholeBefore }]
      }
      const figure = figures.get(name)
      if (!figure) return []
      const { now, before } = figure
      const like = { low: 0, high: (name === 'published' ? days.published : days.figures) - 1 }
      const sums = { value: sumOver(now), before: before && sumOver(before) }
      // the months may have other days only
      if (sums.value === null && sums.before === null) return []
      const likeSums = { like_value: sumOver(now, like), like_before: before && sumOver(before, like) }
      return [{ channel_id: id, name, ...sums, ...likeSums, ...sides }]
    }),
  )
}

/** How many posts of the scope were published on each day of the range. */
export async function readPublished(c: Reader, { range, ...scope }: Scope): Promise<Float64Array> {
  const now = { ...range, compare: null }
  const wanted = wantedOf(scope.channels, 'post', ['published'])
  const found = await readMonths(c, { ...scope, range: now }, wanted, 'post', { withRead: false })
  const counts = new Float64Array(daysIn(range))
  for (const figures of found.values())
    for (const days of figures.values())
      for (const [day, n] of days.now.counts.entries()) counts[day] = (counts[day] ?? 0) + n
  return counts
}

/** The names of the two sides of posts' engagement rate. */
export const RATE_SIDES = ['ratePart', 'rateWhole'] as const
