import { describe, expect, it } from 'vitest'
import type { PostRow } from '#contract/postLists.ts'
import { byDay, daysOf, fitting, stepped, titleOf } from './days.ts'

const row = (postId: string, at: string): PostRow => ({
  postId,
  batchId: null,
  status: 'SCHEDULED',
  postType: 'post',
  at,
  dueAt: at,
  timezone: 'Europe/Berlin',
  excerpt: postId,
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

describe('calendar days', () => {
  it('shows 35 days from a Sunday, and a sixth row only if the month needs it', () => {
    expect(daysOf('month', '2026-11-20')).toHaveLength(35)
    expect(daysOf('month', '2026-11-20')[0]).toBe('2026-11-01')
    expect(daysOf('month', '2026-08-05')).toHaveLength(42)
    expect(daysOf('week', '2026-11-20')).toEqual([
      '2026-11-15',
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
    ])
    expect(daysOf('list', '2026-11-20')).toHaveLength(30)
  })

  it('uses short names for weeks', () => {
    expect(titleOf('month', '2026-11-20')).toBe('November 2026')
    expect(titleOf('week', '2026-11-20')).toBe('15 – 21 Nov 2026')
    expect(titleOf('week', '2026-11-30')).toBe('29 Nov – 05 Dec 2026')
    expect(titleOf('week', '2027-01-01')).toBe('27 Dec 2026 – 02 Jan 2027')
    expect(stepped('week', '2026-11-20', 1)).toBe('2026-11-27')
    expect(stepped('month', '2026-10-31', 1)).toBe('2026-11-30')
  })

  it("puts posts on the zone's day, in order, also around a clock change", () => {
    const days = daysOf('week', '2026-10-25')
    const found = byDay(
      [
        row('late', '2026-10-25T22:59:00Z'),
        row('next', '2026-10-25T23:00:00Z'),
        row('first', '2026-10-24T22:00:00Z'),
        row('before', '2026-10-24T21:59:00Z'),
      ],
      days,
      'Europe/Berlin',
    )
    expect(found.get('2026-10-25')?.map((post) => post.postId)).toEqual(['first', 'late'])
    expect(found.get('2026-10-26')?.map((post) => post.postId)).toEqual(['next'])
  })

  it("keeps the arrays of days that didn't change", () => {
    const days = daysOf('month', '2026-11-20')
    const [a, b] = [row('a', '2026-11-03T09:00:00Z'), row('b', '2026-11-20T09:00:00Z')]
    const first = byDay([a, b], days, 'Europe/Berlin')
    const second = byDay([a, { ...b, at: '2026-11-21T09:00:00Z' }], days, 'Europe/Berlin', first)
    expect(second.get('2026-11-03')).toBe(first.get('2026-11-03'))
    expect(second.get('2026-11-20')).toEqual([])
    expect(second.get('2026-11-21')).toHaveLength(1)
  })

  it("leaves a line for those that don't fit", () => {
    expect(fitting(4, 147)).toBe(4)
    expect(fitting(9, 147)).toBe(3)
    expect(fitting(9, 40)).toBe(0)
  })
})
