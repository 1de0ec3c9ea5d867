import { wallTimeOf } from '#contract/time.ts'
import { addValue, DAY_SECONDS, dayNumber, emptyDays, someDays, type PackedDays, type PackedRow } from './packedDays.ts'

/*
 * What posts gained from one reading to the next, divided at the days that are asked for: the arithmetic of `days_of_span` in
 * functions/figure_days.sql, which divides it at every midnight. Instants are in microseconds since 1970, as the database has them.
 */

/** What a platform told of a post: its figures to date. */
export type Reading = {
  at: number
  /** Since when the first figures were gained; null: nobody knows. */
  since: number | null
  /** Of the first reading after others were lost: its figures aren't what was gained. */
  after_gap: boolean
  figures: Readonly<Record<string, number | null>>
}

/** A day, and when it begins. */
export type Midnight = { day: string; at: number }

type Gain = { name: string; gain: number; began: number; at: number }

/** Over more days nobody can say when something was gained, so it belongs to none. */
const MOST_DAYS = 100
const DAY = DAY_SECONDS * 1e6

/** What each of these figures gained since an instant, by a post's readings in their order, the earlier ones too. */
export function gainsOf(readings: readonly Reading[], names: readonly string[], start: number): Gain[] {
  return names.flatMap((name) => {
    const gains: Gain[] = []
    let last: { value: number; at: number } | undefined
    for (const { at, since, after_gap: isAfterGap, figures } of readings) {
      const value = figures[name]
      if (value === null || value === undefined) continue
      // the first figures were gained since the post was published, unless readings before are lost
      if (at >= start && (last || !isAfterGap))
        gains.push({ name, gain: value - (last?.value ?? 0), began: Math.min(last?.at ?? since ?? at, at), at })
      last = { value, at }
    }
    return gains
  })
}

/**
 * Adds gains up from each of these days to the next one; what was gained before the first day or from the last one on is left out. The
 * days are in order.
 */
export function dividedAt(midnights: readonly Midnight[], zone: string) {
  const [starts, numbers] = [midnights.map(({ at }) => at), midnights.map(({ day }) => dayNumber(day))]
  const found = new Map<string, Map<string, PackedDays>>()
  const daysFor = (channelId: string, name: string) => {
    const own = found.get(channelId) ?? new Map<string, PackedDays>()
    found.set(channelId, own)
    const days = own.get(name) ?? emptyDays(starts.length - 1)
    own.set(name, days)
    return days
  }
  return {
    add(channelId: string, { name, gain, began, at }: Gain): void {
      if (isTooLong(began, at, zone)) return
      const [low, high] = [lastOf(starts, began), lastOf(starts, at)]
      const days = daysFor(channelId, name)
      for (let k = Math.max(low, 0); k <= Math.min(high, starts.length - 2); k += 1) {
        const gainedBy = (midnight = 0) => partOf(gain, Math.min(Math.max(midnight - began, 0), at - began), at - began)
        const part = low === high ? gain : gainedBy(starts[k + 1]) - gainedBy(starts[k])
        addValue(days, k, part, at / 1e6 - (numbers[k] ?? 0) * DAY_SECONDS)
      }
    },
    /** What was added, in rows of successive days. */
    rows(): PackedRow[] {
      const runs = runsOf(numbers)
      return [...found].flatMap(([channelId, figures]) =>
        [...figures].flatMap(([name, days]) =>
          runs.map(({ from, to }) => ({
            channel_id: channelId,
            name,
            first: numbers[from] ?? 0,
            ...someDays(days, from, to),
          })),
        ),
      )
    },
  }
}

/** How much of a gain there was after a part of its time, rounded towards 0. */
function partOf(gain: number, passed: number, length: number): number {
  // a product that a number holds is divided exactly
  if (Number.isSafeInteger(gain * passed)) return Math.trunc((gain * passed) / length)
  return Number((BigInt(gain) * BigInt(passed)) / BigInt(length))
}

/** The place of the last instant that isn't after `at`; -1 if there's none. */
function lastOf(instants: readonly number[], at: number): number {
  let [low, high] = [0, instants.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((instants[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

function isTooLong(began: number, at: number, zone: string): boolean {
  // a day may be an hour or two shorter or longer than others
  if (at - began < (MOST_DAYS - 1) * DAY) return false
  return at - began > (MOST_DAYS + 2) * DAY || localDay(at, zone) - localDay(began, zone) > MOST_DAYS
}

/** The day of an instant in a zone, as a number since 1970. */
function localDay(at: number, zone: string): number {
  const { year, month, day } = wallTimeOf(new Date(Math.floor(at / 1000)), zone)
  return Date.UTC(year, month - 1, day) / 1000 / DAY_SECONDS
}

/** Where successive days begin and end, of those that have a next one. */
function runsOf(numbers: readonly number[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = []
  for (let i = 0; i < numbers.length - 1; i += 1) {
    const last = runs.at(-1)
    if (last && numbers[i] === (numbers[i - 1] ?? 0) + 1) last.to = i + 1
    else runs.push({ from: i, to: i + 1 })
  }
  return runs
}
