import type { FigureKey } from '#contract/analytics/names.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { knownDaysOf, type KnownPosts } from './knownPosts.ts'
import { readMonths, readSums, type WindowSums } from './months.ts'
import type { Reader, Scope } from './scope.ts'
import { wantedOf } from './wanted.ts'

/** Posts' figures to date, added up per channel. */
export type PostSums = {
  channel_id: string
  name: FigureKey
  value: number | null
  before: number | null
  /** How many posts of the range have it; absent where that isn't counted. */
  posts?: number
  /** Of the posts published in the days that both ranges have. */
  like_value: number | null
  like_before: number | null
  /** The two sides of the engagement rate, of posts that have both. */
  part: number | null
  whole: number | null
  part_before: number | null
  whole_before: number | null
  like_part: number | null
  like_whole: number | null
  like_part_before: number | null
  like_whole_before: number | null
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
  names: readonly FigureKey[],
  known: KnownPosts,
): Promise<PostSums[]> {
  const stored = storedNames(names)
  const days = comparedPostDays(scope.range, scope.today)
  const lowOf = (id: string) => knownDaysOf(scope.range, known.get(id)).low
  const lows = [...new Set([0, ...scope.channels.map(({ channelId }) => lowOf(channelId))])]
  const found = await readSums(c, scope, wantedOf(scope.channels, 'post', stored), 'post', {
    likeOf: (id, name) => ({ low: lowOf(id), high: (name === 'published' ? days.published : days.figures) - 1 }),
    likes: lows.flatMap((low) => [days.published, days.figures].map((end) => ({ low, high: end - 1 }))),
  })
  return [...found].flatMap(([id, figures]) => postSumsOf(id, names, figures))
}

/** A channel's figures to date, from what is stored under each name. */
export const postSumsOf = (
  id: string,
  names: readonly FigureKey[],
  stored: ReadonlyMap<string, WindowSums>,
): PostSums[] =>
  names.flatMap((name): PostSums[] => {
    const none = { value: null, before: null, like_value: null, like_before: null }
    if (name === 'engagementRate') {
      const [part, whole] = RATE_SIDES.map((side) => stored.get(side))
      if (!part || !whole) return []
      const before = { part_before: part.before, whole_before: whole.before }
      const like = {
        like_part: part.like_value,
        like_whole: whole.like_value,
        like_part_before: part.like_before,
        like_whole_before: whole.like_before,
      }
      const sides = { part: part.value, whole: whole.value, ...before, ...like }
      return [{ channel_id: id, name, ...none, ...sides, ...postsOf(whole) }]
    }
    const sums = stored.get(name)
    // the months may have other days only
    if (!sums || (sums.value === null && sums.before === null)) return []
    return [{ channel_id: id, name, ...sums, ...NO_SIDES, ...postsOf(sums) }]
  })
const NO_SIDES = {
  part: null,
  whole: null,
  part_before: null,
  whole_before: null,
  like_part: null,
  like_whole: null,
  like_part_before: null,
  like_whole_before: null,
}
const postsOf = ({ count }: WindowSums) => (count === undefined ? {} : { posts: count })

/** How many posts of the scope were published on each day of the range. */
export async function readPublished(c: Reader, { range, ...scope }: Scope): Promise<Float64Array> {
  const now = { ...range, compare: null }
  const wanted = wantedOf(scope.channels, 'post', ['published'])
  const found = await readMonths(c, { ...scope, range: now }, wanted, 'post')
  const counts = new Float64Array(daysIn(range))
  for (const figures of found.values())
    for (const days of figures.values())
      for (const [day, n] of days.now.counts.entries()) counts[day] = (counts[day] ?? 0) + n
  return counts
}

/** How many posts of the scope were published in the range. */
export async function countPosts(c: Reader, scope: Scope): Promise<number> {
  return (await readPublished(c, scope)).reduce((sum, count) => sum + count, 0)
}

/** Under which names these figures are stored: of the rate, its two sides. */
export const storedNames = (names: readonly FigureKey[]): string[] =>
  names.flatMap((name) => (name === 'engagementRate' ? RATE_SIDES : [name]))

/** The names of the two sides of posts' engagement rate. */
const RATE_SIDES = ['ratePart', 'rateWhole'] as const
