import { describe, expect, it } from 'vitest'
import type { BusinessHours } from '#contract/inbox/settings.ts'
import { wallTimeOf } from '#contract/time.ts'
import { businessClock, businessMinutesAgo } from './businessHours.ts'

const nineToFive: [number, number] = [540, 1020]
const weekdays: BusinessHours = [nineToFive, nineToFive, nineToFive, nineToFive, nineToFive, null, null]
const ago = (now: string, hours: number, open = weekdays, zone = 'UTC') =>
  businessMinutesAgo(new Date(now), hours * 60, open, zone)?.toISOString() ?? null

describe('how long ago a number of business hours began', () => {
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
})

const between = (from: string, to: string, open = weekdays, zone = 'UTC') => {
  const [first, last] = [Date.parse(from), Date.parse(to)]
  const clock = businessClock(first, last, open, zone)
  return (clock(last) - clock(first)) / 60_000
}

describe('the business minutes between two instants', () => {
  it.each([
    // within a Monday
    ['2026-11-23T10:00:00Z', '2026-11-23T10:20:00Z', 20],
    // before the day begins
    ['2026-11-23T02:00:00Z', '2026-11-23T09:05:00Z', 5],
    // after it ended, until the next morning
    ['2026-11-23T18:00:00Z', '2026-11-24T09:30:00Z', 30],
    // a weekend counts for nothing
    ['2026-11-20T16:00:00Z', '2026-11-23T10:00:00Z', 120],
    ['2026-11-21T10:00:00Z', '2026-11-22T20:00:00Z', 0],
    // a week of 40 hours
    ['2026-11-16T12:00:00Z', '2026-11-23T12:00:00Z', 2400],
    // half a minute
    ['2026-11-23T10:00:00Z', '2026-11-23T10:00:30Z', 0.5],
  ])('from %s to %s are %d', (from, to, minutes) => {
    expect(between(from, to)).toBe(minutes)
  })

  it('are those of the zone', () => {
    // 09:00 to 17:00 in Los Angeles is 17:00 to 01:00 UTC
    expect(between('2026-11-23T12:00:00Z', '2026-11-24T12:00:00Z', weekdays, 'America/Los_Angeles')).toBe(480)
    expect(between('2026-11-23T12:00:00Z', '2026-11-23T18:00:00Z', weekdays, 'America/Los_Angeles')).toBe(60)
  })

  it('stay eight hours a day when the clocks change at night', () => {
    for (const monday of ['2026-03-30', '2026-10-26'])
      expect(between(`${daysBefore(monday, 4)}T00:00:00Z`, `${monday}T20:00:00Z`, weekdays, 'Europe/London')).toBe(1440)
  })

  it('include an hour that comes twice, and leave out one that is skipped', () => {
    const nights: BusinessHours = Array.from({ length: 7 }, (): [number, number] => [0, 240])
    expect(between('2026-10-24T23:00:00Z', '2026-10-25T12:00:00Z', nights, 'Europe/London')).toBe(300)
    expect(between('2026-03-29T00:00:00Z', '2026-03-29T12:00:00Z', nights, 'Europe/London')).toBe(180)
  })

  it('are none without business hours', () => {
    const never: BusinessHours = Array.from({ length: 7 }, () => null)
    expect(between('2026-11-16T12:00:00Z', '2026-11-23T12:00:00Z', never)).toBe(0)
  })

  it('equal a count of every minute, around each change of clocks in zones of all kinds', () => {
    const open: BusinessHours = [[0, 1440], [540, 1020], null, [570, 1050], [330, 340], null, [1, 1439]]
    for (const [zone, around] of [
      ['Europe/London', '2026-03-29'],
      ['America/New_York', '2026-11-01'],
      ['Australia/Lord_Howe', '2026-04-05'],
      ['Asia/Kathmandu', '2026-05-05'],
      ['Pacific/Apia', '2026-12-31'],
    ] as const) {
      const from = Date.parse(`${daysBefore(around, 4)}T07:13:00Z`)
      const clock = businessClock(from, from + 8 * 86_400_000, open, zone)
      let counted = 0
      for (let at = from; at < from + 8 * 86_400_000; at += 60_000) {
        if (clock(at) !== counted * 60_000)
          expect([zone, new Date(at), clock(at) / 60_000]).toEqual([zone, new Date(at), counted])
        const { year, month, day, hour, minute } = wallTimeOf(new Date(at), zone)
        const hours = open[(new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7]
        const now = hour * 60 + minute
        if (hours && now >= (hours[0] ?? 0) && now < (hours[1] ?? 0)) counted += 1
      }
      expect(counted, zone).toBeGreaterThan(1000)
    }
  })
})

const daysBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)
