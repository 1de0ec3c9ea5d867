import { describe, expect, it } from 'vitest'
import type { PostState } from '#contract/postStates.ts'
import type { PostRow } from '#contract/postLists.ts'
import { undoneMessage, undoRequest, undoRequests } from './undoRequest.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const soon = '2026-11-26T11:00:00.000Z'
const later = '2026-11-27T11:00:00.000Z'
const passed = '2026-11-20T11:00:00.000Z'
const row = (postId: string, status: PostState, dueAt: string | null): PostRow => ({
  postId,
  batchId: null,
  status,
  postType: 'post',
  at: dueAt ?? passed,
  dueAt,
  timezone: 'Europe/London',
  excerpt: '',
  images: 0,
  channel: null,
  draftChannels: [],
  author: null,
  labels: [],
  campaigns: [],
  series: null,
  permalink: null,
  failure: null,
  ai: false,
  version: 1,
})
const tomorrow = { type: 'ONCE', details: { utc: '2026-11-22T09:00:00.000Z', timezone: 'Europe/London' } } as const

describe("undoing a post's move", () => {
  it("restores its time, if that's in the future", () => {
    expect(undoRequest(row('a', 'SCHEDULED', soon), now)).toEqual({
      schedule: { type: 'ONCE', details: { utc: soon, timezone: 'Europe/London' } },
      words: 'Back at Thu 26 Nov, 11:00 AM',
    })
    expect(undoRequest(row('a', 'SCHEDULED', passed), now)).toBeUndefined()
    expect(undoRequest(row('a', 'DRAFTS', null), now)).toBeUndefined()
  })

  it("restores a queued post's place in the queue", () => {
    expect(undoRequest(row('a', 'QUEUED', soon), now)).toEqual({
      schedule: { type: 'QUEUE', details: { position: 'LAST', slot: soon } },
      words: 'Back in the queue',
    })
    expect(undoRequest(row('a', 'QUEUED', null), now)?.schedule).toEqual({
      type: 'QUEUE',
      details: { position: 'LAST' },
    })
  })

  it.each(['FAILED', 'APPROVED'] as const)(
    "isn't possible for one that was %s: at any time it would be scheduled",
    (status) => {
      expect(undoRequest(row('a', status, soon), now)).toBeUndefined()
    },
  )
})

describe("undoing many posts' moves", () => {
  const body = { action: 'reschedule', postIds: [], schedule: tomorrow } as const

  it("isn't offered if none can be undone", () => {
    expect(
      undoRequests([row('a', 'FAILED', passed), row('b', 'APPROVED', passed)], { ...body, postIds: ['a', 'b'] }, now),
    ).toEqual([])
  })

  it('moves those with the same time together, queued ones in the order of their slots', () => {
    const done = [
      row('q2', 'QUEUED', later),
      row('a', 'SCHEDULED', soon),
      row('f', 'FAILED', passed),
      row('q1', 'QUEUED', soon),
      row('b', 'NEEDS_APPROVAL', soon),
    ]
    expect(undoRequests(done, { ...body, postIds: [] }, now)).toEqual([
      {
        action: 'reschedule',
        postIds: ['a', 'b'],
        schedule: { type: 'ONCE', details: { utc: soon, timezone: 'Europe/London' } },
      },
      { action: 'reschedule', postIds: ['q1'], schedule: { type: 'QUEUE', details: { position: 'LAST', slot: soon } } },
      {
        action: 'reschedule',
        postIds: ['q2'],
        schedule: { type: 'QUEUE', details: { position: 'LAST', slot: later } },
      },
    ])
  })

  it('reports only those that were restored', () => {
    const moved = { ...body, postIds: [] }
    expect(undoneMessage(20, 20, moved)).toBe('Undone')
    expect(undoneMessage(19, 20, moved)).toBe('19 of 20 undone, the other one stays at Sun 22 Nov, 09:00 AM')
    expect(undoneMessage(0, 3, moved)).toBe('0 of 3 undone, the others stay at Sun 22 Nov, 09:00 AM')
    expect(undoneMessage(1, 3, { action: 'delete', postIds: [] })).toBe('1 of 3 undone, the others stay as they are')
  })
})
