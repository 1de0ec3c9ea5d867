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
