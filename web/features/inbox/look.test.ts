import { expect, it } from 'vitest'
import { answeringText, leftOf, nameOf, shortTimeOf, waitOf } from './look.ts'

const now = new Date('2026-11-23T09:30:00Z')

it('shows the time of today, the day of this year, and the year of others, in the zone', () => {
  expect(shortTimeOf('2026-11-22T23:30:00Z', now, 'Europe/Berlin')).toBe('12:30 AM')
  expect(shortTimeOf('2026-11-22T22:30:00Z', now, 'Europe/Berlin')).toBe('22 Nov')
  expect(shortTimeOf('2025-12-31T12:00:00Z', now, 'Europe/Berlin')).toBe('31 Dec 2025')
})

it.each([
  ['2026-11-23T09:29:50Z', '1 min'],
  ['2026-11-23T08:31:00Z', '59 min'],
  ['2026-11-23T06:30:00Z', '3 h'],
  ['2026-11-21T09:30:00Z', '2 days'],
])('says how long someone waits since %s', (since, text) => {
  expect(waitOf(since, now)).toBe(text)
})

it('says how much time is left to answer, and nothing afterwards', () => {
  expect(leftOf('2026-11-23T13:45:00Z', now)).toBe('4 h')
  expect(leftOf('2026-11-23T09:30:00Z', now)).toBe(undefined)
})

it.each([
  [null, null, undefined],
  ['2026-11-23T12:50:00Z', null, 'You can answer for another 3 h 20 min'],
  ['2026-11-23T10:00:00Z', null, 'You can answer for another 30 min'],
  ['2026-11-23T09:30:00Z', null, undefined],
  [
    '2026-11-29T12:50:00Z',
    '2026-11-23T12:50:00Z',
    'You can answer for another 3 h 20 min, and as a person for another 6 days',
  ],
  ['2026-11-25T10:00:00Z', '2026-11-23T08:00:00Z', 'You can answer for another 2 days, as a person'],
])('counts down an answering window that ends at %s, as a person from %s', (until, asPersonFrom, text) => {
  expect(answeringText(until, asPersonFrom, now)).toBe(text)
})

it('names someone by what is known of them', () => {
  const handle = '@maya.example'
  expect(nameOf({ person: { name: 'Maya', handle } })).toBe('Maya')
  expect(nameOf({ person: { name: '', handle } })).toBe(handle)
  expect(nameOf({ person: null })).toBe('Unknown person')
})
