import { addsOf } from '#contract/analytics/labels.ts'
import type { ComparedFigure, InsightsRange } from '#contract/analytics/filter.ts'
import { daysBetween } from '#web/lib/dates.ts'
import { isCompared } from '#contract/analytics/coverageText.ts'

type Values = readonly (number | null)[]
type Figure = Pick<ComparedFigure, 'name' | 'compared' | 'whyNotComparable' | 'coverage'>

/** Fewer days are no line. */
const LEAST_DAYS = 3

/**
 * The days of a small line: those that the change beside it compares, else those that are final, because the others would look like a
 * fall. Undefined if these are less than half of the range. A level has none that aren't known.
 */
export function sparkOf(
  { name, coverage, ...figure }: Figure,
  values: Values | undefined,
  { from }: Pick<InsightsRange, 'from'>,
): Values | undefined {
  if (values === undefined || addsOf(name) !== 'sum') return values
  const { finalUntil, leastComparedDays } = coverage
  const final = finalUntil === null ? 0 : daysBetween(from, finalUntil) + 1
  const days = isCompared(figure) ? (leastComparedDays ?? final) : final
  if (days < LEAST_DAYS || days * 2 < values.length) return undefined
  return values.map((value, i) => (i < days ? value : null))
}
