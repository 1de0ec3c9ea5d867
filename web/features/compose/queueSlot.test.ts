import { expect, it } from 'vitest'
import { queueSlot } from './queueSlot.ts'

const now = new Date('2026-11-21T10:00:00.000Z')
const post = (at: string | null) => ({ postId: 'p', excerpt: '', at })
const queue = {
  paused: false,
  posts: [post('2026-11-21T09:00:00.000Z'), post('2026-11-22T09:00:00.000Z'), post('2026-11-23T09:00:00.000Z')],
  next: ['2026-11-24T09:00:00.000Z'],
}

it("is the first waiting post's for the front, and the first free one for the end", () => {
  expect(queueSlot(queue, 'NEXT', now)).toBe('2026-11-22T09:00:00.000Z')
  expect(queueSlot(queue, 'LAST', now)).toBe('2026-11-24T09:00:00.000Z')
  // a slot may be free before the first post, such as after a move
  expect(queueSlot({ ...queue, next: ['2026-11-21T12:00:00.000Z'] }, 'NEXT', now)).toBe('2026-11-21T12:00:00.000Z')
})

it("doesn't exist while there are none", () => {
  expect(queueSlot({ ...queue, paused: true }, 'NEXT', now)).toBeUndefined()
  expect(queueSlot({ paused: false, posts: [post(null)], next: [] }, 'NEXT', now)).toBeUndefined()
})
