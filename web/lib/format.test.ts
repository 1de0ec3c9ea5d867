import { expect, test } from 'vitest'
import { bytes, count, dayAndTimeOf, tinyTimeOf, weekdayAndTimeOf } from './format.ts'

test('formats times as the screens do, always in a zone', () => {
  expect(dayAndTimeOf('2026-11-19T08:30:00Z', 'Europe/Berlin')).toBe('Thu 19 Nov 2026, 09:30 AM')
  expect(weekdayAndTimeOf('2026-11-16T15:12:00Z', 'Europe/Berlin')).toBe('Mon 04:12 PM')
  expect([tinyTimeOf('2026-11-19T08:30:00Z', 'Europe/Berlin'), tinyTimeOf('2026-11-19T12:00:00Z', 'UTC')]).toEqual([
    '9:30a',
    '12:00p',
  ])
})

test('formats counts and sizes', () => {
  expect([count(1, 'post'), count(0, 'post'), count(1500, 'post'), count(2, 'reply', 'replies')]).toEqual([
    '1 post',
    '0 posts',
    '1,500 posts',
    '2 replies',
  ])
  expect([bytes(0), bytes(999), bytes(3_140_000), bytes(45_000_000)]).toEqual(['0 B', '999 B', '3.1 MB', '45 MB'])
})
