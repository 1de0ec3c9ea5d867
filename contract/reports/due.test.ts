import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wallTimeOf } from '../time.ts'
import { dueTimes, nextDue } from './due.ts'
import type { ReportTime } from './schedules.ts'

const at = (text: string) => new Date(text)
const weekly = (day: number, time: string, timezone: string): ReportTime => ({
  frequency: 'weekly',
  day,
  time,
  timezone,
})
const monthly = (day: number, time: string, timezone: string): ReportTime => ({
  frequency: 'monthly',
  day,
  time,
  timezone,
})

describe('the next due time', () => {
  it.each([
    ['Mondays in Berlin', weekly(1, '09:00', 'Europe/Berlin'), '2026-11-21T10:00:00Z', '2026-11-23T08:00:00Z'],
    ['a Monday a minute before', weekly(1, '09:00', 'Europe/Berlin'), '2026-11-23T07:59:00Z', '2026-11-23T08:00:00Z'],
    ['that very minute', weekly(1, '09:00', 'Europe/Berlin'), '2026-11-23T08:00:00Z', '2026-11-30T08:00:00Z'],
    ['in summer time', weekly(1, '09:00', 'Europe/Berlin'), '2026-06-30T10:00:00Z', '2026-07-06T07:00:00Z'],
    ['far ahead of UTC', weekly(1, '00:30', 'Pacific/Kiritimati'), '2026-11-22T10:00:00Z', '2026-11-22T10:30:00Z'],
    ['far behind UTC', weekly(0, '23:30', 'Pacific/Pago_Pago'), '2026-11-23T10:00:00Z', '2026-11-23T10:30:00Z'],
    ['the 31st of November', monthly(31, '08:15', 'UTC'), '2026-11-21T10:00:00Z', '2026-11-30T08:15:00Z'],
    ['the 31st after the 30th', monthly(31, '08:15', 'UTC'), '2026-11-30T08:15:00Z', '2026-12-31T08:15:00Z'],
    ['the 30th of February', monthly(30, '08:15', 'UTC'), '2027-01-30T08:15:00Z', '2027-02-28T08:15:00Z'],
    ['the 30th of a leap year', monthly(30, '08:15', 'UTC'), '2028-01-30T08:15:00Z', '2028-02-29T08:15:00Z'],
    ['the first, over New Year', monthly(1, '06:00', 'Asia/Kolkata'), '2026-12-01T00:30:00Z', '2027-01-01T00:30:00Z'],
  ])('is right for %s', (_, when, after, due) => {
    expect(nextDue(when, at(after))).toEqual({ at: at(due), shift: null })
  })

  it.each([
    ['Berlin, spring', weekly(0, '02:30', 'Europe/Berlin'), '2027-03-27T12:00:00Z', '2027-03-28T01:30:00Z', 'skipped'],
    ['Berlin, autumn', weekly(0, '02:30', 'Europe/Berlin'), '2026-10-24T12:00:00Z', '2026-10-25T00:30:00Z', 'double'],
    [
      'New York, spring',
      weekly(0, '02:30', 'America/New_York'),
      '2027-03-13T12:00:00Z',
      '2027-03-14T07:30:00Z',
      'skipped',
    ],
    [
      'New York, autumn',
      weekly(0, '01:30', 'America/New_York'),
      '2026-10-31T12:00:00Z',
      '2026-11-01T05:30:00Z',
      'double',
    ],
    // the 30th of December 2011 didn't exist there
    ['Samoa', monthly(30, '10:00', 'Pacific/Apia'), '2011-12-10T00:00:00Z', '2011-12-30T20:00:00Z', 'skipped'],
  ])('says what a clock change does: %s', (_, when, after, due, shift) => {
    expect(nextDue(when, at(after))).toEqual({ at: at(due), shift })
  })

  it('after a time that occurs twice is a week later, not an hour', () => {
    const when = weekly(0, '02:30', 'Europe/Berlin')
    expect(nextDue(when, at('2026-10-25T00:30:00Z')).at).toEqual(at('2026-11-01T01:30:00Z'))
  })

  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kathmandu', 'UTC']
  const anyWhen = fc
    .record({
      frequency: fc.constantFrom('weekly' as const, 'monthly' as const),
      day: fc.integer({ min: 0, max: 31 }),
      hour: fc.integer({ min: 0, max: 23 }),
      minute: fc.integer({ min: 0, max: 59 }),
      timezone: fc.constantFrom(...zones),
    })
    .map(({ frequency, day, hour, minute, timezone }) => ({
      frequency,
      day: frequency === 'weekly' ? day % 7 : Math.max(1, day),
      time: `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`,
      timezone,
    }))
  const anyInstant = fc.date({ min: at('2009-01-01T00:00:00Z'), max: at('2035-01-01T00:00:00Z'), noInvalidDate: true })

  it('is always later, on the right day and at the right time, and no due time is between', () => {
    fc.assert(
      fc.property(anyWhen, anyInstant, (when, after) => {
        const { at: due, shift } = nextDue(when, after)
        expect(due.getTime()).toBeGreaterThan(after.getTime())
        const wall = wallTimeOf(due, when.timezone)
        const date = new Date(Date.UTC(wall.year, wall.month - 1, wall.day))
        const last = new Date(Date.UTC(wall.year, wall.month, 0)).getUTCDate()
        if (shift !== 'skipped') {
          expect(`${String(wall.hour).padStart(2, '0')}:${String(wall.minute).padStart(2, '0')}`).toBe(when.time)
          if (when.frequency === 'weekly') expect(date.getUTCDay()).toBe(when.day)
          else expect(wall.day).toBe(Math.min(when.day, last))
        }
        // as found from anywhere between
        const between = new Date(after.getTime() + Math.floor((due.getTime() - after.getTime()) / 2))
        expect(nextDue(when, between).at).toEqual(due)
        expect(nextDue(when, new Date(due.getTime() - 1)).at).toEqual(due)
      }),
    )
  })

  it('follows the one before by a week or a month', () => {
    fc.assert(
      fc.property(anyWhen, anyInstant, (when, after) => {
        const first = nextDue(when, after).at
        const days = (nextDue(when, first).at.getTime() - first.getTime()) / 86_400_000
        const [least, most] = when.frequency === 'weekly' ? [7, 7] : [28, 31]
        expect(days).toBeGreaterThanOrEqual(least - 1.1)
        expect(days).toBeLessThanOrEqual(most + 1.1)
      }),
    )
  })
})

it('lists due times of a while, at most the last ones', () => {
  const when = weekly(1, '09:00', 'Europe/Berlin')
  const range = { after: at('2026-10-12T07:00:00Z'), until: at('2026-11-02T08:00:00Z') }
  expect(dueTimes(when, { ...range, most: 9 }).map((due) => due.at.toISOString())).toEqual([
    '2026-10-19T07:00:00.000Z',
    '2026-10-26T08:00:00.000Z',
    '2026-11-02T08:00:00.000Z',
  ])
  expect(dueTimes(when, { ...range, most: 1 }).map((due) => due.at)).toEqual([at('2026-11-02T08:00:00Z')])
})
