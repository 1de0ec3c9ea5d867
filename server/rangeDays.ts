import { rangeDays, type Range, type RangeType } from '#contract/dashboard.ts'
import { wallTimeOf } from '#contract/time.ts'

const DAY_MS = 86_400_000

/**
 * The days of a range that ends today in the zone, and as many before them. Calendar days: a clock change makes none
 * longer.
 */
export function daysOf(rangeType: RangeType, now: Date, zone: string): Range {
  const { year, month, day } = wallTimeOf(now, zone)
  const back = (days: number) => new Date(Date.UTC(year, month - 1, day) - days * DAY_MS).toISOString().slice(0, 10)
  const length = rangeDays[rangeType]
  return { from: back(length - 1), to: back(0), compareFrom: back(2 * length - 1), compareTo: back(length) }
}

/** The day so many days later; earlier with a negative number. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** How many days there are from one to another, both included. */
export const daysIn = ({ from, to }: { from: string; to: string }): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
