import { daysIn } from '../rangeDays.ts'

/*
 * Figures by day as `figure_month` packs them and as they're worked with: of each day the amount (8 bytes), how many values are in it
 * (4), and when it was read (4), in seconds after the day began in UTC.
 */

/** Successive days of a figure of a channel, packed. */
export type PackedRow = {
  channel_id: string
  name: string
  /** As a number since 1970. */
  first: number
  amounts: Buffer
  /** Without them, a day is there if it was read. */
  counts: Buffer | null
  read: Buffer | null
}

/** One figure of one channel on the days of a range, by their distance from its first. 0 where there's nothing. */
export type DayValues = {
  amounts: Float64Array
  /** How many values are in the amount: 1 of a channel's own days, of gains the readings, of posts the posts. */
  counts: Float64Array
  /** When it was read last, in seconds since 1970. */
  read: Float64Array
}

/** Days by their number since 1970, and what was added up on them. */
export type Window = { from: number; to: number; sum: number; count: number; read: number }

export const DAY_SECONDS = 86_400
/** Days since 1970. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000 / DAY_SECONDS

/** As `read` of a day that has nothing. */
const NEVER = -(2 ** 31)
/** As long before or after its day as a reading can be. */
const MOST_SECONDS = 2e9

/** The days of a range, without anything on them. */
export function noDays(range: { from: string; to: string }): DayValues {
  const length = daysIn(range)
  // together: each array outside of the heap costs as much as filling it
  const all = new Float64Array(3 * length)
  const part = (nth: number) => all.subarray(nth * length, (nth + 1) * length)
  return { amounts: part(0), counts: part(1), read: part(2) }
}

/** Adds those of the row's days that are in the window. An amount that no number holds is rounded. */
export function addTo(window: Window, { first, amounts, counts, read }: PackedRow): void {
  const last = Math.min(amounts.length / 8 - 1, window.to - first)
  for (let i = Math.max(0, window.from - first); i <= last; i += 1) {
    window.sum += amountAt(amounts, i)
    window.count += counts?.readInt32BE(i * 4) ?? 0
    if (read) window.read = Math.max(window.read, (first + i) * DAY_SECONDS + read.readInt32BE(i * 4))
  }
}

/** Adds what the row's days have to those from the day number `from` on. */
export function addDaysTo(days: DayValues, from: number, { first, amounts, counts, read }: PackedRow): void {
  const offset = first - from
  const end = Math.min(amounts.length / 8, days.amounts.length - offset)
  for (let i = Math.max(0, -offset); i < end; i += 1) {
    const at = read?.readInt32BE(i * 4) ?? NEVER
    const n = offset + i
    days.amounts[n] = (days.amounts[n] ?? 0) + amountAt(amounts, i)
    days.counts[n] = (days.counts[n] ?? 0) + (counts?.readInt32BE(i * 4) ?? (at === NEVER ? 0 : 1))
    if (at !== NEVER) days.read[n] = Math.max(days.read[n] ?? 0, (first + i) * DAY_SECONDS + at)
  }
}

const amountAt = (amounts: Buffer, i: number): number =>
  amounts.readInt32BE(i * 8) * 2 ** 32 + amounts.readUInt32BE(i * 8 + 4)

/** Days to pack, by their distance from the first. */
export type PackedDays = Pick<PackedRow, 'amounts'> & { counts: Buffer; read: Buffer }

export function emptyDays(length: number): PackedDays {
  const all = Buffer.alloc(16 * length)
  const read = all.subarray(12 * length)
  for (let i = 0; i < length; i += 1) read.writeInt32BE(NEVER, i * 4)
  return { amounts: all.subarray(0, 8 * length), counts: all.subarray(8 * length, 12 * length), read }
}

/** Sets a day: what was added up on it, of how many values, and how many seconds after it began they were read. */
export function setDay(
  { amounts, counts, read }: PackedDays,
  i: number,
  day: { amount: number; count: number; seconds: number },
): void {
  const high = Math.floor(day.amount / 2 ** 32)
  amounts.writeInt32BE(high, i * 8)
  amounts.writeUInt32BE(day.amount - high * 2 ** 32, i * 8 + 4)
  counts.writeInt32BE(day.count, i * 4)
  read.writeInt32BE(Math.min(Math.max(Math.round(day.seconds), -MOST_SECONDS), MOST_SECONDS), i * 4)
}

/** Some of the days, from the one at `from` to the one before `to`. */
export const someDays = ({ amounts, counts, read }: PackedDays, from: number, to: number): PackedDays => ({
  amounts: amounts.subarray(from * 8, to * 8),
  counts: counts.subarray(from * 4, to * 4),
  read: read.subarray(from * 4, to * 4),
})
