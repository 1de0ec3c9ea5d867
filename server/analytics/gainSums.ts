import { isClicks } from '#contract/analytics/names.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import {
  newestRead,
  readMonths,
  readSums,
  valueOn,
  type DaysOfFigure,
  type LikeDays,
  type WindowSums,
} from './months.ts'
import type { DayValues } from './packedDays.ts'
import { comparedPostDays } from './postSums.ts'
import { addPair, noSums } from './ratePairs.ts'
import type { Reader, Scope } from './scope.ts'
import { wantedOf, wants, type Wanted, type WantedRow } from './wanted.ts'

/*
 * What posts gained in the range, added up per channel. A channel's days are covered from its first reading to its last one,
 * whether or not something was gained on them. The first one is a part of a day, and until all posts that are read once a day were
 * read after a day was over, two more days begin: so whole days are those between.
 */

/** So many days around the ranges a reading shows that they're covered: posts are read at least once a month. */
const AROUND_DAYS = 31

/** The days of a channel's first and last reading. Its whole days are from the day after the first to two days before the last. */
export type Covered = { first: string; last: string; read_at: string | null }
export const DAYS_TO_BEGIN = 1
export const DAYS_TO_END = 2
export type GainSums = {
  channel_id: string
  name: string
  value: number | null
  before: number | null
  like_value: number | null
  like_before: number | null
  /** Of a rate, the other side of each. */
  whole: number | null
  whole_before: number | null
  like_whole: number | null
  like_whole_before: number | null
  /** Of chosen posts, when the newest of these readings was taken. */
  read_at: string | null
}

/** The whole days that both ranges have, counted from the start of each; none if `high` is less than `low`. */
export function wholeDays({ from, to, compare }: Scope['range'], covered: Pick<Covered, 'first' | 'last'>): LikeDays {
  if (!compare) return NO_DAYS
  const [first, last] = [addDays(covered.first, DAYS_TO_BEGIN), addDays(covered.last, -DAYS_TO_END)]
  const offset = (start: string, day: string) => daysIn({ from: start, to: day }) - 1
  return {
    low: Math.max(0, offset(from, first), offset(compare.from, first)),
    high: Math.min(offset(from, last), offset(compare.from, last), daysIn({ from, to }) - 1, daysIn(compare) - 1),
  }
}

/** What posts gained, per channel and figure, and which days of each channel are covered. */
export async function readGainSums(
  c: Reader,
  scope: Scope,
  wanted: Wanted,
): Promise<{ covered: Map<string, Covered>; sums: GainSums[] }> {
  if (!wants(wanted, 'gain')) return { covered: new Map(), sums: [] }
  const covered = await readCovered(c, scope)
  const whole = new Map([...covered].map(([id, days]) => [id, wholeDays(scope.range, days)]))
  // clicks are counted here, whatever was read
  const counted = { low: 0, high: comparedPostDays(scope.range, scope.today).published - 1 }
  const likeOf = (id: string, name?: string) =>
    name !== undefined && isClicks(name) ? counted : (whole.get(id) ?? NO_DAYS)
  const own = wanted.rows.filter(({ kind }) => kind === 'gain')
  // of a rate, the days have to be known that have both of its sides; readings of chosen posts are read once for all
  const byDay = own.filter(
    ({ side }) => side !== null || (scope.posts !== null && own.some((row) => row.side !== null)),
  )
  const inSum = { ...wanted, rows: own.filter((row) => !byDay.includes(row)) }
  const [found, days] = await Promise.all([
    readSums(c, scope, inSum, 'gain', { likeOf, likes: [...whole.values(), counted] }),
    readMonths(c, scope, { ...wanted, rows: byDay }, 'gain'),
  ])
  const sums = [...found].flatMap(([id, figures]) => [...figures].map(([name, both]) => gainsIn(id, name, both)))
  const rowsOf = Map.groupBy(byDay, ({ of }) => of)
  for (const { id, of } of wanted.channels) {
    const figures = (rowsOf.get(of) ?? []).flatMap(({ name, side }) => {
      const values = days.get(id)?.get(name)
      return values ? [{ name, side, values }] : []
    })
    for (const { name, values } of figures) sums.push(gainsIn(id, name, sumsOf(values, likeOf(id, name))))
    sums.push(...rateIn(id, figures, likeOf(id)))
  }
  return { covered, sums }
}

/** A channel's sums; nothing gained on days that are covered is 0. */
const gainsIn = (
  id: string,
  name: string,
  { like_value: like, like_before: likeBefore, ...both }: WindowSums,
): GainSums => ({
  channel_id: id,
  name,
  ...both,
  like_value: like ?? 0,
  like_before: likeBefore ?? 0,
  whole: null,
  whole_before: null,
  like_whole: null,
  like_whole_before: null,
})

/** What the days amount to, and those that are alike. */
function sumsOf({ now, before }: DaysOfFigure, like: LikeDays): WindowSums {
  const sumIn = (days: DayValues | null, { low, high }: LikeDays) => {
    let sum: number | null = null
    const last = Math.min(high, (days?.counts.length ?? 0) - 1)
    for (let day = low; day <= last; day += 1) {
      const value = valueOn(days, day)
      if (value !== null) sum = (sum ?? 0) + value
    }
    return sum
  }
  return {
    value: sumIn(now, ALL_DAYS),
    before: sumIn(before, ALL_DAYS),
    like_value: sumIn(now, like),
    like_before: sumIn(before, like),
    read_at: newestRead([now]),
  }
}

/** The sums of a channel's rate: of the days that have both of its sides. */
function rateIn(
  id: string,
  figures: readonly { side: WantedRow['side']; values: DaysOfFigure }[],
  like: LikeDays,
): GainSums[] {
  const of = (side: WantedRow['side']) => figures.flatMap((one) => (one.side === side ? [one.values] : []))
  const [parts, wholes] = [of('part'), of('whole')]
  if (parts.length === 0 || wholes.length === 0) return []
  const sumOn = (all: readonly DaysOfFigure[], side: 'now' | 'before', day: number) =>
    all.reduce<number | null>((sum, days) => {
      const value = valueOn(days[side], day)
      return value === null ? sum : (sum ?? 0) + value
    }, null)
  const sumIn = (side: 'now' | 'before', { low, high }: LikeDays) => {
    const last = Math.min(high, (wholes[0]?.[side]?.counts.length ?? 0) - 1)
    const sums = noSums()
    for (let day = low; day <= last; day += 1) addPair(sums, sumOn(parts, side, day), sumOn(wholes, side, day))
    return sums
  }
  const [now, before] = [sumIn('now', ALL_DAYS), sumIn('before', ALL_DAYS)]
  const [likeNow, likeBefore] = [sumIn('now', like), sumIn('before', like)]
  return [
    {
      channel_id: id,
      name: 'engagementRate',
      value: now.part,
      before: before.part,
      like_value: likeNow.part,
      like_before: likeBefore.part,
      whole: now.whole,
      whole_before: before.whole,
      like_whole: likeNow.whole,
      like_whole_before: likeBefore.whole,
      read_at: null,
    },
  ]
}

const ALL_DAYS: LikeDays = { low: 0, high: Infinity }
const NO_DAYS: LikeDays = { low: 0, high: -1 }

/** From which reading to which each channel's days are covered. */
export async function readCovered(
  c: Reader,
  { range, channels, projectIds }: Pick<Scope, 'range' | 'channels' | 'projectIds'>,
): Promise<Map<string, Covered>> {
  const aroundOf = ({ from, to }: { from: string; to: string }) => ({
    from: addDays(from, -AROUND_DAYS),
    to: addDays(to, AROUND_DAYS),
  })
  // around each of them: the days compared may be years away
  const around = { ...aroundOf(range), compare: range.compare && aroundOf(range.compare) }
  const found = await readMonths(
    c,
    { range: around, projectIds, posts: null },
    wantedOf(channels, 'gain', [READINGS]),
    'gain',
  )
  return new Map(
    [...found].flatMap(([id, figures]): [string, Covered][] => {
      const read = figures.get(READINGS)
      if (!read) return []
      const days = [
        ...endsOf(read.now, around),
        ...(read.before && around.compare ? endsOf(read.before, around.compare) : []),
      ].toSorted()
      const [first, last] = [days[0], days.at(-1)]
      if (first === undefined || last === undefined) return []
      const inRange = (values: Float64Array) => values.subarray(AROUND_DAYS, AROUND_DAYS + daysIn(range))
      const { amounts, counts, read: at } = read.now
      return [[id, { first, last, read_at: newestRead([{ amounts, counts: inRange(counts), read: inRange(at) }]) }]]
    }),
  )
}

/** The first and last day that has something, of those from the start of a range on. */
function endsOf({ counts }: DayValues, { from }: { from: string }): string[] {
  const isRead = (count: number) => count > 0
  const [first, last] = [counts.findIndex(isRead), counts.findLastIndex(isRead)]
  return first < 0 ? [] : [addDays(from, first), addDays(from, last)]
}

/** The name under which readings themselves are counted. */
const READINGS = 'readings'
