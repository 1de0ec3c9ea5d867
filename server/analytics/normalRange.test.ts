import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysBefore, fencesOf, normalOf, stepOf } from './normalRange.ts'

/** A line of a channel: what each day of the earlier periods has, and the days of the range. */
const lineOf = (days: number, past: (at: number) => number | null, range: readonly (number | null)[]) => [
  ...Array.from({ length: daysBefore(days) }, (_, at) => past(at)),
  ...range,
]
const week = (value: number | null) => Array.from({ length: 7 }, () => value)

describe('what is usual', () => {
  it('is held against the same weekdays, in whole weeks that do not overlap', () => {
    expect([1, 7, 8, 30].map(stepOf)).toEqual([7, 7, 14, 35])
    // only Mondays count: every other day has other values
    const mondays = lineOf(1, (at) => (at % 7 === 0 ? 100 : 9000), [101])
    expect(normalOf([mondays], 1)).toMatchObject({ value: 101, days: 1, periods: 8, standing: 'within' })
    expect(normalOf([[...mondays.slice(0, -1), 9000]], 1)).toMatchObject({ standing: 'above' })
  })

  it('is between the quartiles, and one and a half times their distance beyond', () => {
    expect(fencesOf([10_000, 11_000, 12_000, 13_000, 14_000])).toEqual({ low: 8000, high: 16_000 })
    // at least what chance does to small counts
    expect(fencesOf([100, 100, 100, 100, 100, 100])).toEqual({ low: 90, high: 110 })
    expect(fencesOf([0, 0, 0, 0, 0, 0])).toEqual({ low: 0, high: 0 })
    expect(fencesOf([1, 0, 2, 1, 1, 9]).low).toBe(0)
  })

  it('needs 6 earlier periods that have all days of all channels', () => {
    const gapIn = (...periods: number[]) =>
      lineOf(7, (at) => (periods.includes(Math.floor(at / 7)) && at % 7 === 3 ? null : 10), week(10))
    expect(normalOf([gapIn(0, 1)], 7)?.periods).toBe(6)
    expect(normalOf([gapIn(0, 1, 2)], 7)).toBeNull()
    // each channel has 6, but not the same ones
    expect(normalOf([gapIn(0, 1), gapIn(6, 7)], 7)).toBeNull()
  })

  it('takes only the days that the range has, if these are at least half of it', () => {
    const past = () => 10
    const found = normalOf([lineOf(7, past, [10, 10, 10, 10, 10, null, null])], 7)
    expect(found).toMatchObject({ value: 50, days: 5, low: 42, high: 58, standing: 'within' })
    expect(normalOf([lineOf(7, past, [10, 10, 10, null, null, null, null])], 7)).toBeNull()
    expect(normalOf([lineOf(7, past, week(null))], 7)).toBeNull()
    expect(normalOf([], 7)).toBeNull()
  })

  it('says that a constant is usual, whatever is missing', () => {
    const day = fc.option(fc.constant(20), { freq: 6 })
    const days = 7
    const line = fc.array(day, { minLength: daysBefore(days) + days, maxLength: daysBefore(days) + days })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
        const found = normalOf(lines, days)
        expect(found === null || found.standing === 'within').toBe(true)
      }),
    )
  })

  it('stays the same if days before its periods or other channels without these days are added', () => {
    const line = lineOf(7, (at) => 50 + ((at * 7) % 13), week(60))
    const silent = lineOf(7, () => 99, week(null))
    expect(normalOf([line, silent], 7)).toEqual(normalOf([line], 7))
  })
})
