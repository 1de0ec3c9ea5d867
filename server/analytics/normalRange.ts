import type { NormalRange } from '#contract/analytics/filter.ts'
import { NORMAL_LEAST_PERIODS, NORMAL_PERIODS } from '#contract/analytics/filter.ts'
import { quartilesOf } from './quartiles.ts'

/*
 * What is usual: the days of a range against the same weekdays of the weeks before, like with like. Pure: queries read the days, and
 * this decides whether there's enough of them and what is out of the ordinary.
 */

const WEEK = 7
/** How far beyond the quartiles is still usual, in distances between them (Tukey's fences). */
const FENCE = 1.5

/** How many days before the range each earlier period begins: whole weeks, so that they have its weekdays and don't overlap. */
export const stepOf = (days: number): number => Math.ceil(days / WEEK) * WEEK

/** How many days are read before a range of so many days. */
export const daysBefore = (days: number): number => NORMAL_PERIODS * stepOf(days)

/**
 * The usual sum of the range's days. Each line is what one figure of one channel has by day, null where that isn't known, beginning
 * `daysBefore(days)` days before the range. Null without a known day, with fewer than half of them, and with fewer than 6 earlier
 * periods that have all of these days, of all of these lines.
 */
export function normalOf(lines: readonly (readonly (number | null)[])[], days: number): NormalRange | null {
  const start = daysBefore(days)
  const step = stepOf(days)
  const known = lines.map((line) => daysOf(days).filter((day) => isKnown(line[start + day])))
  const most = Math.max(0, ...known.map(({ length }) => length))
  if (most === 0 || most * 2 < days) return null
  const sumOf = (before: number): number | null => {
    let sum = 0
    for (const [nth, line] of lines.entries())
      for (const day of known[nth] ?? []) {
        const value = line[start + day - before] ?? null
        if (value === null) return null
        sum += value
      }
    return sum
  }
  const sums = Array.from({ length: NORMAL_PERIODS }, (_, n) => sumOf((n + 1) * step)).filter((sum) => sum !== null)
  const value = sumOf(0)
  if (value === null || sums.length < NORMAL_LEAST_PERIODS) return null
  const { low, high } = fencesOf(sums)
  const standing = value < low ? 'below' : value > high ? 'above' : 'within'
  return { low, high, value, days: most, periods: sums.length, standing }
}

const isKnown = (value: number | null | undefined): boolean => value !== null && value !== undefined
const daysOf = (days: number): number[] => Array.from({ length: days }, (_, day) => day)

/**
 * From where to where sums are usual: the quartiles, and one and a half times their distance beyond. Small counts scatter by chance
 * alone, by about their square root, so that's the least.
 */
export function fencesOf(sums: readonly number[]): { low: number; high: number } {
  const [q1, median, q3] = quartilesOf(sums)
  const beyond = Math.max(FENCE * (q3 - q1), Math.sqrt(Math.abs(median)))
  const low = Math.floor(q1 - beyond)
  // what can't fall below 0, and never did, isn't said to
  return { low: Math.min(...sums) >= 0 ? Math.max(0, low) : low, high: Math.ceil(q3 + beyond) }
}
