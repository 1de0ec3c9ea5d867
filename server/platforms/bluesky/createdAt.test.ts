import { expect, it } from 'vitest'
import { outgoingPost, PLANNED_AT } from '../../testing/outgoing.ts'
import type { Outgoing } from '../platform.ts'
import { composeRecord, pieceOf } from './record.ts'
import { preparedIn } from './schemas.ts'
import { tidMaker } from './tid.ts'

/* Bluesky keeps one entry of an account per creation time: a second post with the same one hides the first. */

const prepared = preparedIn({})
const createdAt = (post: Outgoing): string => composeRecord(post, prepared)?.createdAt ?? 'no record'
const ITEMS = Array.from({ length: 24 }, (_, i) => ({ key: `item ${i + 1}`, kind: 'item' as const, item: i + 1 }))
/** The creation times of a post, its thread and its comment, in order. */
const timesOf = (post: Outgoing): string[] => [
  createdAt(post),
  ...[...ITEMS, { key: 'comment', kind: 'comment' as const }].map((part, i) => createdAt(pieceOf(post, part, i + 1))),
]
const thread = (sendKey: string): Outgoing =>
  outgoingPost({
    sendKey,
    contents: Array.from({ length: 25 }, (_, i) => ({ text: `Item ${i}`, media: [] })),
    firstComment: 'More',
  })

it.each([0, 1, 249, 250, 3499, 123_456, 999_999])(
  'gives posts that are planned for the same time, with their threads, different creation times (from %i µs)',
  (start) => {
    const make = tidMaker(7, () => start % 1000)
    // the clock stands still, then goes back
    const keys = Array.from({ length: 250 }, (_, i) =>
      make(new Date(PLANNED_AT.getTime() + Math.floor(start / 1000) - (i > 100 ? 60_000 : 0))),
    )
    const times = keys.flatMap((key) => timesOf(thread(key)))
    expect(times).toHaveLength(250 * 26)
    expect(new Set(times).size).toBe(times.length)
  },
)

it('keeps the items of a thread in order, and is the same in every try', () => {
  const make = tidMaker()
  for (const key of Array.from({ length: 100 }, (_, i) => make(new Date(PLANNED_AT.getTime() + i * 61_234)))) {
    const times = timesOf(thread(key))
    expect(times.toSorted()).toEqual(times)
    expect(new Set(times).size).toBe(26)
    expect(JSON.stringify(composeRecord(thread(key), prepared))).toBe(
      JSON.stringify(composeRecord(thread(key), prepared)),
    )
  }
})

it('is within ten seconds of the planned time', () => {
  const make = tidMaker()
  for (let i = 0; i < 1000; i++) {
    const later = Date.parse(createdAt(thread(make(new Date(i * 7_654_321))))) - PLANNED_AT.getTime()
    expect(later).toBeGreaterThanOrEqual(0)
    expect(later).toBeLessThan(10_000)
  }
})
