import { expect, it } from 'vitest'
import { BusinessHours, businessMinutesAgo } from './settings.ts'

const nineToFive: [number, number] = [540, 1020]
const weekdays: BusinessHours = [nineToFive, nineToFive, nineToFive, nineToFive, nineToFive, null, null]
const ago = (now: string, hours: number, open = weekdays, zone = 'UTC') =>
  businessMinutesAgo(new Date(now), hours * 60, open, zone)?.toISOString() ?? null

it.each([
  // Monday noon
  ['2026-11-23T12:00:00Z', 2, '2026-11-23T10:00:00.000Z'],
  // three hours of Monday, one of Friday
  ['2026-11-23T12:00:00Z', 4, '2026-11-20T16:00:00.000Z'],
  // a whole week of 40 hours
  ['2026-11-23T12:00:00Z', 40, '2026-11-16T12:00:00.000Z'],
  // on Sunday the hours of Friday are the last ones
  ['2026-11-22T12:00:00Z', 1, '2026-11-20T16:00:00.000Z'],
  // before the day begins
  ['2026-11-23T08:00:00Z', 8, '2026-11-20T09:00:00.000Z'],
])('at %s, %i business hours ago was %s', (now, hours, then) => {
  expect(ago(now, hours)).toBe(then)
})

it('follows the calendar of the zone over a change of clocks', () => {
  // clocks go back on Sunday, October 25, 2026: 17:00 in London was 16:00 in UTC on the Friday before
  expect(ago('2026-10-26T10:00:00Z', 2, weekdays, 'Europe/London')).toBe('2026-10-23T15:00:00.000Z')
})

it('counts a whole day to its end', () => {
  const always: BusinessHours = Array.from({ length: 7 }, (): [number, number] => [0, 1440])
  expect(ago('2026-11-23T12:00:00Z', 48, always)).toBe('2026-11-21T12:00:00.000Z')
})

it('has no answer without business hours', () => {
  expect(
    ago(
      '2026-11-23T12:00:00Z',
      1,
      Array.from({ length: 7 }, () => null),
    ),
  ).toBe(null)
})

it('takes seven days whose end is after their start', () => {
  expect(BusinessHours.safeParse(weekdays).success).toBe(true)
  for (const wrong of [weekdays.slice(1), [[600, 600], ...weekdays.slice(1)], [[0, 1441], ...weekdays.slice(1)]])
    expect(BusinessHours.safeParse(wrong).success).toBe(false)
})
