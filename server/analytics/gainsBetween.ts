import { wallTimeOf } from '#contract/time.ts'
import { DAY_SECONDS, dayNumber, emptyDays, setDay, someDays, type PackedRow } from './packedDays.ts'

/*
 * What posts gained from one reading to the next, divided at the days that are asked for: the arithmetic of `days_of_span` in
 * functions/figure_days.sql, which divides it at every midnight. Instants are in microseconds since 1970, as the database has them.
 */

/** When a post was read, in order. */
export type Readings = {
  at: Float64Array
  /** Since when the first figures were gained; NaN: nobody knows. `AFTER_GAP`: the figures of a first reading aren't what was gained. */
  since: Float64Array
  /** How many there are: the arrays may be longer. */
  count: number
}
/** As `since` of the first reading after others were lost. */
export const AFTER_GAP = -(2 ** 63)

/** A day, and when it begins. */
export type Midnight = { day: string; at: number }

/** Takes a gain: how much, since when, and until when. */
type AddGain = (gain: number, began: number, at: number) => void

/** Over more days nobody can say when something was gained, so it belongs to none. */
const MOST_DAYS = 100
const DAY = DAY_SECONDS * 1e6

/**
 * What a figure gained since an instant, by its values to date in the order of a post's readings, the earlier ones too; NaN where it isn't
 * told. `before` is what was told of it before all of them.
 */
export function eachGain(
  { at, since, count }: Readings,
  values: Float64Array,
  { start, before }: { start: number; before?: { at: number; value: number } | undefined },
  add: AddGain,
): void {
  let last = before?.value ?? Number.NaN
  let lastAt = before?.at ?? 0
  for (let i = 0; i < count; i += 1) {
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    const [read, first] = [at[i] ?? 0, since[i] ?? Number.NaN]
    if (!Number.isNaN(last)) {
      if (read >= start) add(value - last, lastAt, read)
      // the first figures were gained since the post was published, unless readings before are lost
    } else if (read >= start && first !== AFTER_GAP) add(value, first < read ? first : read, read)
    last = value
    lastAt = read
  }
}

/** Days that are added to: `read` is when the newest of a day's values was read. */
type Added = { amounts: Float64Array; counts: Float64Array; read: Float64Array }

/**
 * Adds gains up from each of these days to the next one; what was gained before the first day or from the last one on is left out. The
 * days are in order.
 */
export function dividedAt(midnights: readonly Midnight[], zone: string) {
  const starts = Float64Array.from(midnights, ({ at }) => at)
  const numbers = midnights.map(({ day }) => dayNumber(day))
  const length = Math.max(0, starts.length - 1)
  const found = new Map<string, Map<string, Added>>()
  // one gain begins where the one before it ended
  let [lastAt, placeOfLast] = [Number.NaN, -1]
  const placeOf = (at: number) => {
    if (at !== lastAt) [lastAt, placeOfLast] = [at, lastOf(starts, at)]
    return placeOfLast
  }
  const addTo = ({ amounts, counts, read }: Added, gain: number, began: number, at: number) => {
    if (isTooLong(began, at, zone)) return
    const low = placeOf(began)
    const high = placeOf(at)
    const [first, end] = [Math.max(low, 0), Math.min(high, length - 1)]
    let gained = low < 0 && first <= end ? partOf(gain, (starts[0] ?? 0) - began, at - began) : 0
    for (let k = first; k <= end; k += 1) {
      const next = k === high ? gain : partOf(gain, (starts[k + 1] ?? 0) - began, at - began)
      amounts[k] = (amounts[k] ?? 0) + next - gained
      counts[k] = (counts[k] ?? 0) + 1
      if (at > (read[k] ?? 0)) read[k] = at
      gained = next
    }
  }
  return {
    /** What takes the gains of a channel's figure. */
    of(channelId: string, name: string): AddGain {
      const own = found.get(channelId) ?? new Map<string, Added>()
      found.set(channelId, own)
      const all = new Float64Array(3 * length)
      const part = (nth: number) => all.subarray(nth * length, (nth + 1) * length)
      const days = own.get(name) ?? { amounts: part(0), counts: part(1), read: part(2).fill(-Infinity) }
      own.set(name, days)
      return (gain, began, at) => addTo(days, gain, began, at)
    },
    /** What was added, in rows of successive days. */
    rows(): PackedRow[] {
      const runs = runsOf(numbers)
      return [...found].flatMap(([channelId, figures]) =>
        [...figures].flatMap(([name, { amounts, counts, read }]) => {
          if (!counts.some((count) => count > 0)) return []
          const days = emptyDays(length)
          for (let k = 0; k < length; k += 1)
            if ((counts[k] ?? 0) > 0) {
              const seconds = (read[k] ?? 0) / 1e6 - (numbers[k] ?? 0) * DAY_SECONDS
              setDay(days, k, { amount: amounts[k] ?? 0, count: counts[k] ?? 0, seconds })
            }
          return runs.map(({ from, to }) => ({
            channel_id: channelId,
            name,
            first: numbers[from] ?? 0,
            ...someDays(days, from, to),
          }))
        }),
      )
    },
  }
}

/** How much of a gain there was after a part of its time, rounded towards 0. */
export function partOf(gain: number, passed: number, length: number): number {
  const product = gain * passed
  // a product that a number holds is divided exactly
  if (Number.isSafeInteger(product)) return Math.trunc(product / length)
  const size = Math.abs(gain)
  if (size >= MOST_EXACT) return Number((BigInt(gain) * BigInt(passed)) / BigInt(length))
  // nearly; what remains is then known exactly, because each of its two halves is
  const part = Math.floor(size * (passed / length))
  const [passedHigh, lengthHigh] = [Math.floor(passed / HALF), Math.floor(length / HALF)]
  const rest =
    (size * passedHigh - part * lengthHigh) * HALF +
    (size * (passed - passedHigh * HALF) - part * (length - lengthHigh * HALF))
  const exact = rest < 0 ? part - 1 : rest >= length ? part + 1 : part
  return gain < 0 ? -exact : exact
}
/** Microseconds of {@link MOST_DAYS} have 43 bits: each half of them times a smaller gain is a number that is held. */
const HALF = 2 ** 22
const MOST_EXACT = 2 ** 31

/** The place of the last instant that isn't after `at`; -1 if there's none. */
function lastOf(instants: Float64Array, at: number): number {
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
