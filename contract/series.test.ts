import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { occurrences, recurrenceErrors, timesToMake, type Recurrence } from './series.ts'

const times = (recurrence: Recurrence) => occurrences(recurrence).map(({ at }) => at.toISOString())
const weekly = (timezone: string, start: string, end: string, daysOfWeek: number[]): Recurrence => ({
  type: 'RECURRING_WEEKLY',
  details: { timezone, utcStartDate: start, utcEndDate: end, daysOfWeek },
})
const monthly = (timezone: string, start: string, end: string, dayOfMonth: number): Recurrence => ({
  type: 'RECURRING_MONTHLY',
  details: { timezone, utcStartDate: start, utcEndDate: end, dayOfMonth },
})

describe('a weekly series', () => {
  it('keeps its wall time through a change of clocks', () => {
    // Berlin leaves summer time on 25 October 2026
    expect(times(weekly('Europe/Berlin', '2026-10-23T07:00:00.000Z', '2026-10-30T07:00:00.000Z', [1, 5]))).toEqual([
      '2026-10-23T07:00:00.000Z',
      '2026-10-26T08:00:00.000Z',
      '2026-10-30T08:00:00.000Z',
    ])
  })

  it('points out a time that is skipped and one that occurs twice', () => {
    const spring = occurrences(
      weekly('America/New_York', '2027-03-12T07:30:00.000Z', '2027-03-20T07:30:00.000Z', [0, 6]),
    )
    expect(spring.map(({ shift, wall }) => [shift, wall.hour, wall.minute])).toEqual([
      [null, 2, 30],
      ['skipped', 3, 30],
      [null, 2, 30],
    ])
    const autumn = occurrences(weekly('America/New_York', '2026-10-30T05:30:00.000Z', '2026-11-08T06:30:00.000Z', [0]))
    expect(autumn.map(({ shift, at }) => [shift, at.toISOString()])).toEqual([
      ['double', '2026-11-01T05:30:00.000Z'],
      [null, '2026-11-08T06:30:00.000Z'],
    ])
  })
})

it("uses the last day of a month that doesn't have the day", () => {
  expect(times(monthly('UTC', '2026-01-31T12:00:00.000Z', '2026-04-30T12:00:00.000Z', 31))).toEqual([
    '2026-01-31T12:00:00.000Z',
    '2026-02-28T12:00:00.000Z',
    '2026-03-31T12:00:00.000Z',
    '2026-04-30T12:00:00.000Z',
  ])
})

describe('ranges', () => {
  const said = (recurrence: Recurrence) => recurrenceErrors(recurrence).map(({ message }) => message)

  it('of weeks have 7 to 60 days, of months 28 to 90', () => {
    const start = '2026-11-20T09:00:00.000Z'
    const after = (days: number) => new Date(Date.parse(start) + days * 86_400_000).toISOString()
    expect([6, 7, 60, 61].map((days) => said(weekly('UTC', start, after(days), [0, 1, 2, 3, 4, 5, 6])))).toEqual([
      ['The range must be at least 7 days'],
      [],
      [],
      ['The range can be at most 60 days'],
    ])
    expect([27, 28, 90, 91].map((days) => said(monthly('UTC', start, after(days), 1)))).toEqual([
      ['The range must be at least 28 days'],
      [],
      [],
      ['The range can be at most 90 days'],
    ])
  })

  it('count calendar days, not periods of 24 hours', () => {
    // seven days across the end of summer time are 169 hours
    expect(said(weekly('Europe/Berlin', '2026-10-23T22:30:00.000Z', '2026-10-30T23:30:00.000Z', [6]))).toEqual([])
  })

  it('of chosen times name each once', () => {
    const utc = '2026-11-20T09:00:00.000Z'
    expect(said({ type: 'RECURRING_CUSTOM', details: { timezone: 'UTC', utc: [utc, utc] } })).toEqual([
      'The same time is listed twice',
    ])
  })
})

describe('every series from 2024 to 2030, in every zone', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const begin = fc
    .integer({ min: Date.UTC(2024, 0, 1) / 60_000, max: Date.UTC(2030, 8, 1) / 60_000 })
    .map((minutes) => new Date(minutes * 60_000))

  /** The same by an independent implementation: Temporal's calendar, with our rules for skipped and repeated times. */
  function byTemporal(timezone: string, start: Date, end: Date, isDay: (day: Temporal.PlainDate) => boolean): string[] {
    const zoned = (at: Date) => Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)
    const last = zoned(end).toPlainDate()
    const plainTime = zoned(start).toPlainTime()
    const found: string[] = []
    for (let day = zoned(start).toPlainDate(); Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 }))
      if (isDay(day))
        found.push(new Date(day.toZonedDateTime({ timeZone: timezone, plainTime }).epochMilliseconds).toISOString())
    return found
  }

  it('is the one that Temporal computes', () => {
    fc.assert(
      fc.property(
        zone,
        begin,
        fc.integer({ min: 7, max: 60 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 31 }),
        (timezone, start, days, daysOfWeek, dayOfMonth) => {
          const end = new Date(start.getTime() + days * 86_400_000)
          const [from, to] = [start.toISOString(), end.toISOString()]
          expect(times(weekly(timezone, from, to, daysOfWeek))).toEqual(
            byTemporal(timezone, start, end, (day) => daysOfWeek.includes(day.dayOfWeek % 7)),
          )
          expect(times(monthly(timezone, from, to, dayOfMonth))).toEqual(
            byTemporal(timezone, start, end, (day) => day.day === Math.min(dayOfMonth, day.daysInMonth)),
          )
        },
      ),
      { numRuns: 300 },
    )
  })
})

it('creates posts for the days of a range that are still to come, and for every chosen time', () => {
  const range = weekly('Europe/Berlin', '2026-10-23T07:00:00.000Z', '2026-10-30T07:00:00.000Z', [1, 5])
  expect(timesToMake(range, new Date('2026-10-23T07:00:00.000Z')).map(({ at }) => at.toISOString())).toEqual([
    '2026-10-26T08:00:00.000Z',
    '2026-10-30T08:00:00.000Z',
  ])
  const chosen: Recurrence = {
    type: 'RECURRING_CUSTOM',
    details: { timezone: 'Europe/Berlin', utc: ['2026-10-23T07:00:00.000Z'] },
  }
  expect(timesToMake(chosen, new Date('2026-10-24T07:00:00.000Z'))).toHaveLength(1)
})
