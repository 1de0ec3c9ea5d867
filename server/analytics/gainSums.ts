import { addDays, daysIn } from '../rangeDays.ts'
import { newestRead, readMonths, readSums, type LikeDays } from './months.ts'
import type { DayValues } from './packedDays.ts'
import type { Reader, Scope } from './scope.ts'
import { wantedOf, wants, type Wanted } from './wanted.ts'

/*
 * What posts gained in the range, added up per channel. A channel's days are covered from its first reading to its last one,
 * whether or not something was gained on them. The first one is a part of a day, and until all posts that are read once a day were
 * read after a day was over, two more days begin: so whole days are those between.
 */

/** So many days around the ranges a reading shows that they're covered: posts are read at least once a month. */
const AROUND_DAYS = 31

/** The days of a channel's first and last reading. Its whole days are from the day after the first to two days before the last. */
export type Covered = { first: string; last: string; read_at: string | null }
const DAYS_TO_BEGIN = 1
export const DAYS_TO_END = 2
export type GainSums = {
  channel_id: string
  name: string
  value: number | null
  before: number | null
  like_value: number | null
  like_before: number | null
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
  const found = await readSums(c, scope, wanted, 'gain', {
    likeOf: (id) => whole.get(id) ?? NO_DAYS,
    likes: [...whole.values()],
  })
  const sums = [...found].flatMap(([id, figures]) =>
    [...figures].map(([name, { like_value: like, like_before: likeBefore, ...both }]) => ({
      channel_id: id,
      name,
      ...both,
      // nothing gained on days that are covered is 0
      like_value: like ?? 0,
      like_before: likeBefore ?? 0,
    })),
  )
  return { covered, sums }
}

const NO_DAYS: LikeDays = { low: 0, high: -1 }

/** From which reading to which each channel's days are covered. */
async function readCovered(c: Reader, { range, channels, projectIds }: Scope): Promise<Map<string, Covered>> {
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
