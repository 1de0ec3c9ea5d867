import { expect, it } from 'vitest'
import type { Notice } from '#contract/notices.ts'
import { seenHere } from './newest.ts'
import { freshFailures } from './useUrgentNotices.ts'

const notice = (more: Partial<Notice>): Notice => ({
  noticeId: '1',
  kind: 'post-failed',
  topic: 'failed_posts',
  title: "A post wasn't published",
  body: '',
  quote: null,
  link: '/o/project/p/post/1',
  createdAt: '2026-11-21T10:00:00.000Z',
  count: 1,
  read: false,
  ...more,
})
const here = { pathname: '/o/project/p/dashboard', search: {} }
const before = '2026-11-21T09:00:00.000Z'

it('shows at once only what is new, unread and about a post', () => {
  const fresh = notice({})
  const others = [notice({ createdAt: before }), notice({ read: true }), notice({ topic: 'channels' })]
  expect(freshFailures([fresh, ...others], before, here)).toEqual([fresh])
})

it('shows again what came up again', () => {
  const again = notice({ createdAt: '2026-11-21T11:00:00.000Z', count: 2 })
  expect(freshFailures([again], '2026-11-21T10:00:00.000Z', here)).toEqual([again])
})

it('leaves an open post to show it itself', () => {
  expect(freshFailures([notice({})], before, { pathname: '/o/project/p/post/1', search: {} })).toEqual([])
  expect(freshFailures([notice({})], before, { ...here, search: { post: '1' } })).toEqual([])
  expect(freshFailures([notice({})], before, { ...here, search: { post: '2' } })).toHaveLength(1)
})

it('leaves out of the bell what is about the conversation on screen, while someone looks at it', () => {
  const about = (id: string, more: Partial<Notice> = {}) =>
    notice({ topic: 'inbox_assigned', kind: 'inbox-new-assigned', link: `/o/project/p/inbox?c=${id}`, ...more })
  const notices = [about('1'), about('2'), about('1', { read: true }), notice({})]
  expect(seenHere(notices, '1', true)).toBe(1)
  expect([seenHere(notices, '1', false), seenHere(notices, undefined, true), seenHere(notices, '3', true)]).toEqual([
    0, 0, 0,
  ])
})
