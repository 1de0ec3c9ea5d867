/*
 * How much a level such as followers grew in a range, and how often posts were published. The one rule for channels and competitors,
 * on the server and on screen.
 */

/** A level is the last value that is at most this many days old. */
export const LEVEL_DAYS = 7

export type Level = { value: number; day: string }
type Days = { from: string; to: string }

/** `isWhole`: it began before the range. Otherwise it's only from the first day on that has a value. */
export type Growth = { first: Level; last: Level; gained: number; isWhole: boolean }

const daysFrom = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000

/**
 * What a level gained in a range: its value at the end of the last day less the one at the end of the day before the first, each of
 * them at most 7 days old. Without the latter, it's counted from the first day of the range that has a value. Null without two values.
 * `levels` are those that were read, by day, from a week before the range on.
 */
export function growthIn({ from, to }: Days, levels: readonly Level[]): Growth | null {
  // a value of the day before the range is a day old on its first one
  const before = levels.findLast(({ day }) => day < from && daysFrom(day, from) <= LEVEL_DAYS + 1)
  const last = levels.findLast(({ day }) => day >= from && day <= to && daysFrom(day, to) <= LEVEL_DAYS)
  const first = before ?? levels.find(({ day }) => day >= from && day <= to)
  if (!first || !last || first.day >= last.day) return null
  return { first, last, gained: last.value - first.value, isWhole: before !== undefined }
}

/** In fewer days, a post more or less would change the number of posts a week by one or more. */
const PACE_LEAST_DAYS = 14

/** Posts a week with one decimal, over at least 14 days; null for fewer. */
export const postsPerWeek = (posts: number, days: number): number | null =>
  days < PACE_LEAST_DAYS ? null : Math.round((posts * 70) / days) / 10
