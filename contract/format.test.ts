import { describe, expect, it } from 'vitest'
import {
  clockOr,
  dateText,
  duration,
  durationText,
  momentText,
  money,
  offsetText,
  percentChange,
  relativeText,
  shortNumber,
  timeText,
} from './format.ts'

const noon = new Date('2026-11-20T12:05:00Z')

describe('formatters', () => {
  it('shortens large numbers with K, M, B, T', () => {
    expect([0, 999, 1000, 1500, 1999, 2_000_000, 3_400_000_000, 1e12, -1500].map(shortNumber)).toEqual([
      '0',
      '999',
      '1K',
      '1.5K',
      '1.9K',
      '2M',
      '3.4B',
      '1T',
      '-1.5K',
    ])
  })
  it('writes durations with units, short ones with tenths', () => {
    expect([0, 6.8, 6.84, 45, 59.99, 60, 725, 3600, 1_704_767, 4_500_000].map(durationText)).toEqual([
      '0 s',
      '6.8 s',
      '6.8 s',
      '45 s',
      '59.9 s',
      '1 min',
      '12 min 5 s',
      '1 h',
      '473 h 32 min',
      '1,250 h',
    ])
  })
  it('writes durations as mm:ss, and hh:mm:ss above an hour', () => {
    expect([0, 59, 61, 3599, 3600, 36_061].map(duration)).toEqual([
      '00:00',
      '00:59',
      '01:01',
      '59:59',
      '01:00:00',
      '10:01:01',
    ])
  })
  it('gives the change in percent with two decimals, and nothing against zero or no number', () => {
    expect(percentChange(15, 10)).toBe('50.00')
    expect(percentChange(1, 3)).toBe('-66.67')
    expect(percentChange(1, 0)).toBeUndefined()
    expect(percentChange(1, Number.NaN)).toBeUndefined()
  })
  it('writes dates as DD MMM YYYY and times as 12-hour with AM and PM, in the zone', () => {
    expect(dateText(noon, 'UTC')).toBe('20 Nov 2026')
    expect(dateText(new Date('2026-09-01T00:00:00Z'), 'UTC')).toBe('01 Sep 2026')
    expect(timeText(noon, 'UTC')).toBe('12:05 PM')
    expect(timeText(new Date('2026-11-20T00:00:00Z'), 'UTC')).toBe('12:00 AM')
    expect(timeText(noon, 'Asia/Kolkata')).toBe('05:35 PM')
    expect(momentText(noon, 'UTC')).toBe('12:05 PM, 20 Nov 2026')
  })
  it('writes DD/MM/YYYY HH:mm for instants older than a day', () => {
    expect(relativeText(new Date('2026-11-18T09:03:00Z'), noon, 'UTC')).toBe('18/11/2026 09:03')
    expect(relativeText(new Date('2026-11-20T11:00:00Z'), noon, 'UTC')).toBe('1 h ago')
    expect(relativeText(new Date('2026-11-20T12:00:00Z'), noon, 'UTC')).toBe('5 min ago')
    expect(relativeText(new Date('2026-11-20T12:05:30Z'), noon, 'UTC')).toBe('just now')
    expect(relativeText(new Date('2026-11-20T12:30:00Z'), noon, 'UTC')).toBe('20/11/2026 12:30')
  })
  it("shows the offset of the chosen date, not today's", () => {
    expect(offsetText(new Date('2026-07-01T12:00:00Z'), 'Europe/Berlin')).toBe('GMT+2')
    expect(offsetText(new Date('2026-12-01T12:00:00Z'), 'Europe/Berlin')).toBe('GMT+1')
    expect(offsetText(noon, 'Asia/Kolkata')).toBe('GMT+5:30')
  })
  it('shows 00:00 for an invalid HH:mm', () => {
    expect(['09:30', '24:00', '9:30', '', '12:60'].map(clockOr)).toEqual(['09:30', '00:00', '00:00', '00:00', '00:00'])
  })
  it('writes minor units as money', () => expect(money(4900, 'USD')).toBe('$49.00'))
})
