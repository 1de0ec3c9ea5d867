import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { instantOf } from '#contract/time.ts'
import { addDays } from '../rangeDays.ts'
import { gainByDay } from '../testing/gainByDay.ts'
import { AFTER_GAP, dividedAt, eachGain, partOf } from './gainsBetween.ts'
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
  gains.of('channel', 'views')(gain.gain, micros(gain.began), micros(gain.at))
  const values = noDays({ from: FIRST, to: LAST })
  for (const row of gains.rows()) addDaysTo(values, dayNumber(FIRST), row)
  return values.amounts
}

const instants = fc.integer({ min: 0, max: DAYS * 86_400 - 1 }).map((s) => new Date(Date.parse(FIRST) + s * 1000))
const gains = fc.record({
  zone: zones,
  ends: fc.tuple(instants, instants).map((both) => both.toSorted((one, other) => one.getTime() - other.getTime())),
  gain: fc.oneof(
    fc.integer({ min: -50, max: 500 }),
    fc.integer({ min: -(2 ** 32), max: 2 ** 32 }),
    fc.integer({ min: -(2 ** 50), max: 2 ** 50 }),
  ),
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

it('are rounded towards 0, as whole numbers are divided', () => {
  const most = 103 * 86_400 * 1e6
  const times = fc
    .tuple(fc.integer({ min: 1, max: most }), fc.integer({ min: 0, max: most }))
    .map(([one, other]) => [Math.max(one, other), Math.min(one, other)] as const)
  const sizes = fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), fc.integer({ min: -(2 ** 50), max: 2 ** 50 }))
  // also where the division is exact, or nearly
  const near = fc
    .tuple(fc.integer({ min: 1, max: 2 ** 31 }), fc.integer({ min: 1, max: 4000 }))
    .map(([gain, share]) => {
      const length = Math.floor(most / share) * share
      return { gain, passed: length / share, length }
    })
  const any = fc.tuple(sizes, times).map(([gain, [length, passed]]) => ({ gain, passed, length }))
  fc.assert(
    fc.property(fc.oneof(any, near), ({ gain, passed, length }) => {
      for (const late of [-1, 0, 1].map((more) => Math.min(Math.max(passed + more, 0), length)))
        expect(partOf(gain, late, length) + 0).toBe(Number((BigInt(gain) * BigInt(late)) / BigInt(length)))
    }),
    { numRuns: 3000 },
  )
})

it('begin at the reading before that has the figure, at publishing, or nowhere after a gap', () => {
  const gainsOf = (
    told: readonly (readonly [at: number, value: number | null, since?: number])[],
    start: number,
    before?: { at: number; value: number },
  ) => {
    const of = (part: (one: (typeof told)[number]) => number | null | undefined) =>
      Float64Array.from(told, (one) => part(one) ?? Number.NaN)
    const found: number[][] = []
    const readings = { at: of(([at]) => at), since: of(([, , since]) => since), count: told.length }
    eachGain(
      readings,
      of(([, value]) => value),
      { start, before },
      (...gain) => found.push(gain),
    )
    return found
  }
  const views = [
    [10, 5, 2],
    [20, null],
    [30, 12],
  ] as const
  expect(gainsOf([...views], 20)).toEqual([[7, 10, 30]])
  expect(
    gainsOf(
      [
        [10, 1, 2],
        [20, 4],
        [30, 3],
      ],
      20,
    ),
  ).toEqual([
    [3, 10, 20],
    [-1, 20, 30],
  ])
  expect(gainsOf([...views], 0)[0]).toEqual([5, 2, 10])
  expect(
    gainsOf(
      [
        [10, null],
        [30, 12],
      ],
      20,
      { at: 4, value: 2 },
    ),
  ).toEqual([[10, 4, 30]])
  // nobody knows since when: all of it belongs to the reading
  expect(gainsOf([[10, 5]], 0)).toEqual([[5, 10, 10]])
  // published after it was read: as if at once
  expect(gainsOf([[10, 5, 20]], 0)).toEqual([[5, 10, 10]])
  expect(gainsOf([[10, 5, AFTER_GAP]], 0)).toEqual([])
  expect(
    gainsOf(
      [
        [10, 5],
        [20, 9, AFTER_GAP],
      ],
      15,
    ),
  ).toEqual([[4, 10, 20]])
})
