import { expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  clockChangeBetween,
  clockFrom,
  clockParts,
  clockText,
  dayText,
  daysBetween,
  instantAt,
  isDay,
  longDay,
  monthGrid,
  monthName,
  rangeOf,
  wallOf,
  weekOf,
  weekday,
  zoneText,
  zoneTextOver,
} from './dates.ts'

const iso = (day: string, clock: string, zone: string) => instantAt(day, clock, zone).toISOString()

test('converts local times to instants and back, in all kinds of zones', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham', 'Pacific/Apia', 'UTC']) {
    for (const [day, clock] of [
      ['2026-01-01', '00:00'],
      ['2026-06-30', '23:59'],
      ['2026-11-20', '09:30'],
    ] as const) {
      expect(wallOf(instantAt(day, clock, zone), zone), `${day} ${clock} ${zone}`).toEqual({ day, clock })
    }
  }
})

test('moves a skipped time forward by the gap, and uses the first of an ambiguous one', () => {
  expect(iso('2026-03-29', '02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z') // shows as 03:30
  expect(iso('2026-10-25', '02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z') // still daylight saving time
  expect(iso('2026-03-08', '02:15', 'America/New_York')).toBe('2026-03-08T07:15:00.000Z')
  expect(iso('2026-11-01', '01:15', 'America/New_York')).toBe('2026-11-01T05:15:00.000Z')
  expect(iso('2026-04-05', '01:45', 'Australia/Lord_Howe')).toBe('2026-04-04T14:45:00.000Z') // a change of half an hour
})

test('refuses invalid days and times', () => {
  expect(() => instantAt('2026-02-30', '09:00', 'UTC')).toThrow(RangeError)
  expect(() => instantAt('2026-02-03', '24:00', 'UTC')).toThrow(RangeError)
  expect([isDay('2026-02-28'), isDay('2026-02-30'), isDay('2026-2-3'), isDay('x')]).toEqual([true, false, false, false])
})

test('makes a range of days as long as its clocks do', () => {
  const { from, to } = rangeOf('2026-10-25', '2026-10-25', 'Europe/Berlin')
  expect((to.getTime() - from.getTime()) / 3_600_000).toBe(25)
})

test('gives the month grid 35 days from a Sunday, and a sixth row only if needed', () => {
  const november = monthGrid('2026-11-20')
  expect([november.length, november[0], november.at(-1)]).toEqual([35, '2026-11-01', '2026-12-05'])
  expect(monthGrid('2026-08-01')).toHaveLength(42) // begins on Saturday
  expect(monthGrid('2026-05-31')).toHaveLength(42) // begins on Friday, 31 days
  expect(monthGrid('2026-02-14')).toHaveLength(35) // exactly four weeks still fill five rows
  for (let month = '2020-01-01'; month < '2032-01-01'; month = addMonths(month, 1)) {
    const days = monthGrid(month)
    expect(weekday(days[0] ?? ''), month).toBe(0)
    expect(days, month).toContain(addDays(addMonths(month, 1), -1))
  }
})

test('starts weeks on Sunday', () => {
  expect(weekOf('2026-11-20')).toEqual([
    '2026-11-15',
    '2026-11-16',
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
    '2026-11-20',
    '2026-11-21',
  ])
})

test('adds days and months by the calendar', () => {
  expect([
    addDays('2026-02-28', 1),
    addDays('2026-01-01', -1),
    addMonths('2026-01-31', 1),
    addMonths('2024-01-31', 1),
    addMonths('2026-01-15', -2),
  ]).toEqual(['2026-03-01', '2025-12-31', '2026-02-28', '2024-02-29', '2025-11-15'])
  expect(daysBetween('2026-10-24', '2026-10-27')).toBe(3)
})

test('converts to twelve hours and back', () => {
  for (const clock of ['00:00', '00:59', '11:59', '12:00', '12:30', '13:00', '23:59']) {
    const { hour12, minute, half } = clockParts(clock)
    expect(clockFrom(hour12, minute, half)).toBe(clock)
  }
  expect([clockText('00:05'), clockText('12:00'), clockText('21:30')]).toEqual(['12:05 AM', '12:00 PM', '09:30 PM'])
})

test('formats dates and times', () => {
  expect([dayText('2026-09-05'), monthName('2026-11-20'), longDay('2026-11-20')]).toEqual([
    '05 Sep 2026',
    'November 2026',
    'Friday 20 November 2026',
  ])
  expect(zoneText('Europe/Berlin', new Date('2026-11-20T12:00Z'))).toBe('Europe/Berlin, GMT+1')
  expect(zoneText('Europe/Berlin', new Date('2026-07-20T12:00Z'))).toBe('Europe/Berlin, GMT+2')
})

test('points out a clock change within a range', () => {
  const [from, to] = [new Date('2026-10-20T00:00Z'), new Date('2026-10-30T00:00Z')]
  expect(clockChangeBetween(from, to, 'Europe/Berlin')).toEqual({ before: 'GMT+2', after: 'GMT+1' })
  expect(clockChangeBetween(from, to, 'Asia/Kolkata')).toBeUndefined()
})

test('names the zone without an offset for a month with a clock change', () => {
  const month = (from: string, until: string) => {
    const { from: begin, to } = rangeOf(from, until, 'Europe/Berlin')
    return zoneTextOver('Europe/Berlin', begin, new Date(to.getTime() - 1))
  }
  expect(month('2027-03-01', '2027-03-31')).toBe('Europe/Berlin')
  expect(month('2027-10-01', '2027-10-31')).toBe('Europe/Berlin')
  expect(month('2027-03-01', '2027-03-27')).toBe('Europe/Berlin, GMT+1')
  expect(month('2027-04-01', '2027-04-30')).toBe('Europe/Berlin, GMT+2')
})
