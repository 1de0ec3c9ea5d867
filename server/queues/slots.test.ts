import { expect, test } from 'vitest'
import { comingSlots, minuteOf, tidySlots } from './slots.ts'

const at = (slots: ReturnType<typeof comingSlots>): string[] => slots.map((slot) => slot.at.toISOString().slice(0, 16))
const everyDay = (time: string) => [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, time }))

test('repeats slots every week in order of time, and one in this minute has come', () => {
  const queue = {
    zone: 'Europe/Berlin',
    slots: [
      { day: 3, time: '09:00' },
      { day: 1, time: '18:30' },
      { day: 1, time: '08:00' },
    ],
  }
  // a Monday
  expect(at(comingSlots(queue, new Date('2026-11-23T07:00:00Z'), 4))).toEqual([
    '2026-11-23T17:30',
    '2026-11-25T08:00',
    '2026-11-30T07:00',
    '2026-11-30T17:30',
  ])
})

test('keeps slots at their local time when clocks change', () => {
  const queue = { zone: 'Europe/Berlin', slots: everyDay('09:00') }
  expect(at(comingSlots(queue, new Date('2026-10-24T00:00:00Z'), 3))).toEqual([
    '2026-10-24T07:00',
    '2026-10-25T08:00',
    '2026-10-26T08:00',
  ])
})

test('moves a skipped time forward by the gap, where it becomes one with a slot there', () => {
  // 29 March 2026: 02:00 becomes 03:00 in Berlin
  const queue = {
    zone: 'Europe/Berlin',
    slots: [
      { day: 0, time: '02:30' },
      { day: 0, time: '03:15' },
      { day: 0, time: '03:30' },
    ],
  }
  const slots = comingSlots(queue, new Date('2026-03-28T12:00:00Z'), 3)
  expect(at(slots)).toEqual(['2026-03-29T01:15', '2026-03-29T01:30', '2026-04-05T00:30'])
  expect(slots[1]?.wall).toBe('2026-03-29T02:30')
})

test('uses the first occurrence of an ambiguous time', () => {
  expect(
    at(comingSlots({ zone: 'Europe/Berlin', slots: [{ day: 0, time: '02:30' }] }, new Date('2026-10-24T12:00:00Z'), 1)),
  ).toEqual(['2026-10-25T00:30'])
})

test('skips taken minutes', () => {
  const taken = new Set([minuteOf(new Date('2026-11-22T09:00:40Z'))])
  expect(
    at(comingSlots({ zone: 'UTC', slots: everyDay('09:00') }, new Date('2026-11-21T10:00:00Z'), 2, taken)),
  ).toEqual(['2026-11-23T09:00', '2026-11-24T09:00'])
})

test('uses the local day in zones far from Greenwich', () => {
  // Saturday 23:00 UTC is Sunday noon in Kiritimati
  expect(
    at(
      comingSlots(
        {
          zone: 'Pacific/Kiritimati',
          slots: [
            { day: 0, time: '14:00' },
            { day: 6, time: '23:59' },
          ],
        },
        new Date('2026-11-21T23:00:00Z'),
        2,
      ),
    ),
  ).toEqual(['2026-11-22T00:00', '2026-11-28T09:59'])
})

test('has no upcoming slots for a queue without any', () => {
  expect(comingSlots({ zone: 'UTC', slots: [] }, new Date('2026-11-21T10:00:00Z'), 3)).toEqual([])
})

test('keeps slots once each, in order', () => {
  expect(
    tidySlots([
      { day: 2, time: '09:00' },
      { day: 0, time: '10:00' },
      { day: 2, time: '09:00' },
      { day: 0, time: '09:59' },
    ]),
  ).toEqual([
    { day: 0, time: '09:59' },
    { day: 0, time: '10:00' },
    { day: 2, time: '09:00' },
  ])
})
