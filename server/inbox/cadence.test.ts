import { expect, it } from 'vitest'
import { dueAfter, readingInterval } from './cadence.ts'

const NOW = new Date('2026-11-21T10:00:00Z')
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000)
const quiet = { postedAt: null, heardAt: null, pushedAt: null, isWatched: false }

it.each([
  ['every minute in the two hours after a post', { postedAt: ago(1.9), isWatched: true }, 1],
  ['every five minutes while someone is there', { postedAt: ago(3), isWatched: true }, 5],
  ['every quarter of an hour on the day after something came in', { heardAt: ago(23) }, 15],
  ['every hour in the week after it', { heardAt: ago(25) }, 60],
  ['four times a day when nothing happens', { heardAt: ago(200), postedAt: ago(300) }, 360],
  [
    'four times a day while the platform tells us by itself',
    { pushedAt: ago(1), postedAt: ago(1), isWatched: true },
    360,
  ],
  ['often again when it no longer does', { pushedAt: ago(13), postedAt: ago(1) }, 1],
])('reads %s', (_name, activity, minutes) => {
  expect(readingInterval({ ...quiet, ...activity }, NOW)).toBe(minutes * 60_000)
})

it.each([
  ['5 minutes later by the minute that a reading began in', '10:00:00.500', 5, '10:05:00'],
  ['in the next minute, however long a reading took', '10:00:59.999', 1, '10:01:00'],
  ['just as long after a reading without any time', '10:00:00.000', 15, '10:15:00'],
])('is due %s', (_name, readAt, minutes, due) => {
  expect(dueAfter(new Date(`2026-11-21T${readAt}Z`), minutes * 60_000)).toEqual(new Date(`2026-11-21T${due}Z`))
})
