import { expect, it } from 'vitest'
import { queueSlot } from './queueSlot.ts'

const now = new Date('2026-11-21T10:00:00.000Z')
const post = (at: string | null) => ({ postId: 'p', excerpt: '', at })
const queue = {
  paused: false,
  posts: [post('2026-11-21T09:00:00.000Z'), post('2026-11-22T09:00:00.000Z'), post('2026-11-23T09:00:00.000Z')],
  next: ['2026-11-24T09:00:00.000Z'],
}

it('the next slot is that of the first post that still waits, the last one the first free one', () => {
  expect(queueSlot(queue, 'NEXT', now)).toBe('2026-11-22T09:00:00.000Z')
  expect(queueSlot(queue, 'LAST', now)).toBe('2026-11-24T09:00:00.000Z')
  // a slot may be free before the first post, as after a move
  expect(queueSlot({ ...queue, next: ['2026-11-21T12:00:00.000Z'] }, 'NEXT', now)).toBe('2026-11-21T12:00:00.000Z')
})

it('there is none while nothing is given', () => {
  expect(queueSlot({ ...queue, paused: true }, 'NEXT', now)).toBeUndefined()
  expect(queueSlot({ paused: false, posts: [post(null)], next: [] }, 'NEXT', now)).toBeUndefined()
})
