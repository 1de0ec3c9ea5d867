import { expect, it } from 'vitest'
import type { BusinessHours } from './settings.ts'
import { hoursText, waitText } from './businessHours.ts'

const day: [number, number] = [540, 1020]

it.each<[BusinessHours, string | null]>([
  [[day, day, day, day, day, null, null], 'Mon–Fri 09:00 AM–05:00 PM'],
  [
    [day, null, day, day, null, [600, 840], null],
    'Mon 09:00 AM–05:00 PM, Wed–Thu 09:00 AM–05:00 PM, Sat 10:00 AM–02:00 PM',
  ],
  [[null, null, null, null, null, [0, 1440], [720, 1440]], 'Sat all day, Sun 12:00 PM–Midnight'],
  [[null, null, null, null, null, null, null], null],
])('joins days in a row with the same hours', (hours, text) => {
  expect(hoursText(hours)).toBe(text)
})

it('shows business time in hours and minutes', () => {
  expect([0, 0.4, 1, 59.6, 60, 135, 60 * 1234].map(waitText)).toEqual([
    'Under 1 min',
    'Under 1 min',
    '1 min',
    '1 h',
    '1 h',
    '2 h 15 min',
    '1,234 h',
  ])
})
