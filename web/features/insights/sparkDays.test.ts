import { expect, it } from 'vitest'
import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { sparkOf } from './sparkDays.ts'

const range = { from: '2026-11-24' }
const week = [10, 12, 9, 11, 14, 3, 1]
const lineOf = (
  more: Partial<ComparedFigure>,
  coverage: Partial<ComparedFigure['coverage']> = {},
  values: readonly number[] = week,
) =>
  sparkOf(
    {
      name: 'viewsAndImpressions',
      compared: { value: 56, before: 40 },
      whyNotComparable: null,
      ...more,
      coverage: {
        days: 7,
        daysBefore: 7,
        reportedDays: 7,
        leastReportedDays: 5,
        reportedDaysBefore: 7,
        comparedDays: 6,
        leastComparedDays: 5,
        channels: { both: 2, onlyNow: 0, onlyBefore: 0, notComparable: 0 },
        finalUntil: '2026-11-26',
        asOfDay: null,
        ...coverage,
      },
    },
    values,
    range,
  )

it('has the days that its change compares, so that both say the same', () => {
  expect(lineOf({})).toEqual([10, 12, 9, 11, 14, null, null])
})

it('has the final days where nothing is compared, if these are half of them', () => {
  const none = { compared: null, whyNotComparable: 'nothingBefore' } as const
  expect(lineOf(none, { finalUntil: '2026-11-28' })).toEqual([10, 12, 9, 11, 14, null, null])
  expect(lineOf(none)).toBeUndefined()
  expect(lineOf(none, { finalUntil: null })).toBeUndefined()
  expect(lineOf({}, { leastComparedDays: 2 }, [10, 12, 9])).toBeUndefined()
})

it('has every day of a level, which none is missing of', () => {
  expect(lineOf({ name: 'followers' }, { finalUntil: null })).toEqual(week)
})
