/** The two sides of a rate, of the days that have both: null without such a day. */
type RateSums = { part: number | null; whole: number | null; days: number }

export const noSums = (): RateSums => ({ part: null, whole: null, days: 0 })

/** Adds the two sides of a day if it has both; returns whether it has. */
export function addPair(sums: RateSums, part: number | null, whole: number | null): boolean {
  if (part === null || whole === null) return false
  sums.part = (sums.part ?? 0) + part
  sums.whole = (sums.whole ?? 0) + whole
  sums.days += 1
  return true
}
