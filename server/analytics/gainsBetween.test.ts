import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { instantOf } from '#contract/time.ts'
import { addDays } from '../rangeDays.ts'
import { gainByDay } from '../testing/gainByDay.ts'
import { dividedAt, gainsOf } from './gainsBetween.ts'
import { addDaysTo, dayNumber, noDays } from './packedDays.ts'

const FIRST = '2026-08-01'
const LAST = '2027-01-31'
const DAYS = 184
/** Two have days that begin twice, and three clock changes in between. */
const zones = fc.constantFrom('UTC', 'Europe/London', 'America/Havana', 'Atlantic/Azores', 'Asia/Kathmandu')
const micros = (instant: Date) => instant.getTime() * 1000

function midnightsOf(days: readonly string[], zone: string) {
  return days.map((day) => {
    const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
    return { day, at: micros(instantOf({ year, month, day: date, hour: 0, minute: 0 }, zone)) }
  })
}
const daysFrom = (first: string, count: number) => Array.from({ length: count }, (_, i) => addDays(first, i))

/** What a gain adds between these days, by the day that each part begins on. */
function divided(days: readonly string[], zone: string, gain: { gain: number; began: Date; at: Date }) {
  const gains = dividedAt(midnightsOf(days, zone), zone)
  gains.add('channel', { name: 'views', gain: gain.gain, began: micros(gain.began), at: micros(gain.at) })
  const values = noDays({ from: FIRST, to: LAST })
  for (const row of gains.rows()) addDaysTo(values, dayNumber(FIRST), row)
  return values.amounts
}

const instants = fc.integer({ min: 0, max: DAYS * 86_400 - 1 }).map((s) => new Date(Date.parse(FIRST) + s * 1000))
const gains = fc.record({
  zone: zones,
  ends: fc.tuple(instants, instants).map((both) => both.toSorted((one, other) => one.getTime() - other.getTime())),
  gain: fc.oneof(fc.integer({ min: -50, max: 500 }), fc.integer({ min: -(2 ** 50), max: 2 ** 50 })),
})

it('are divided at every midnight as between two readings in the database, to the unit', () => {
  const days = daysFrom(FIRST, DAYS + 1)
  fc.assert(
    fc.property(gains, ({ zone, ends: [began = new Date(0), at = began], gain }) => {
      const expected = new Float64Array(DAYS)
      for (const { day, part } of gainByDay(began, at, gain, zone)) {
        const nth = dayNumber(day) - dayNumber(FIRST)
        if (nth >= 0 && nth < DAYS) expected[nth] = part
      }
      expect(divided(days, zone, { gain, began, at })).toEqual(expected)
    }),
    { numRuns: 400 },
  )
})

it('between some days are what the days between them have', () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 0, max: DAYS - 1 }), { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(gains, cuts, ({ zone, ends: [began = new Date(0), at = began], gain }, places) => {
      const ordered = places.toSorted((one, other) => one - other)
      const byDay = divided(daysFrom(FIRST, DAYS + 1), zone, { gain, began, at })
      const between = divided(
        ordered.map((n) => addDays(FIRST, n)),
        zone,
        { gain, began, at },
      )
      const expected = new Float64Array(DAYS)
      for (const [nth, from] of ordered.entries()) {
        const to = ordered[nth + 1]
        if (to !== undefined) expected[from] = byDay.subarray(from, to).reduce((sum, value) => sum + value, 0)
      }
      expect(between).toEqual(expected)
    }),
    { numRuns: 200 },
  )
})

it('begin at the reading before that has the figure, at publishing, or nowhere after a gap', () => {
  const reading = (at: number, figures: Record<string, number | null>, more = {}) => ({
    at,
    since: null,
    after_gap: false,
    figures,
    ...more,
  })
  const readings = [
    reading(10, { views: 5, likes: 1 }, { since: 2 }),
    reading(20, { views: null, likes: 4 }),
    reading(30, { views: 12, likes: 3 }),
  ]
  expect(gainsOf(readings, ['views', 'likes', 'saves'], 20)).toEqual([
    { name: 'views', gain: 7, began: 10, at: 30 },
    { name: 'likes', gain: 3, began: 10, at: 20 },
    { name: 'likes', gain: -1, began: 20, at: 30 },
  ])
  expect(gainsOf(readings, ['views'], 0)[0]).toEqual({ name: 'views', gain: 5, began: 2, at: 10 })
  // nobody knows since when: all of it belongs to the reading
  expect(gainsOf([reading(10, { views: 5 })], ['views'], 0)).toEqual([{ name: 'views', gain: 5, began: 10, at: 10 }])
  expect(gainsOf([reading(10, { views: 5 }, { after_gap: true })], ['views'], 0)).toEqual([])
})
