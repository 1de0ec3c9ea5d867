import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { addNatives, listOwn, listPage } from '../../testing/adapter/listOwn.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import { createFacebook } from './adapter.ts'

/* A Page's own posts in its three lists: what server/platforms/ownPosts.test.ts does not play. */

const HOUR = 3_600_000
let visit: Visitor
let channel: Channel
beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signIn(visit, createFacebook())
})
afterAll(() => visit.stop())
beforeEach(() => {
  visit.platform('facebook').faults.clear()
  visit.platform('facebook').state.posts.clear()
})

const facebook = () => visit.platform('facebook')
const page = () => channel.account.remoteId
/** Publishes natively, an hour after the one before. */
const native = (postType: 'post' | 'video' | 'reel' | 'story'): string => {
  visit.clock.now += HOUR
  return addNatives(visit, channel, { postType })[0] ?? ''
}
const listed = async () => (await listOwn(channel)).posts.map(({ remoteId, postType }) => [remoteId, postType])

it('are one list, in which videos and reels have their own IDs and stories that of their post', async () => {
  const post = native('post')
  const video = native('video')
  const reel = facebook().state.post(native('reel')).media[0]
  const story = native('story').replace(/^\d+_/, '')
  expect(await listed()).toEqual([
    [story, 'story'],
    [reel, 'reel'],
    [video, 'post'],
    [post, 'post'],
  ])
  expect(facebook().violations).toEqual([])
  expect(visit.mistakes('facebook')).toEqual([])
})

it('show a reel once, although the feed and the reels both have it, a second apart, on two pages', async () => {
  for (let i = 0; i < 49; i++) native('post')
  const reel = facebook().state.post(native('reel'))
  reel.more.offFeed = false
  reel.createdAt -= 999
  for (let i = 0; i < 49; i++) native('post')
  const all = (await listed()).map(([id]) => id)
  expect(all.filter((id) => id === reel.media[0])).toHaveLength(1)
  expect(new Set(all).size).toBe(99)
  expect(all).toHaveLength(99)
})

it("leave out what others wrote on the Page, what it only passed on, and what isn't published", async () => {
  const own = native('post')
  const answer = {
    status: 200,
    json: {
      data: [
        { id: `${page()}_1`, from: { id: '999' }, message: 'A visitor', created_time: '2026-11-01T10:00:00+0000' },
        { id: `${page()}_2`, parent_id: '999_3', created_time: '2026-11-01T09:00:00+0000' },
        { id: `${page()}_3`, is_published: false, message: 'Later', created_time: '2026-11-01T08:00:00+0000' },
        { id: `${page()}_4`, parent_id: '999_3', message: 'Read this', created_time: '2026-11-01T07:00:00+0000' },
        { id: own, from: { id: page() }, message: 'Own', created_time: '2026-11-01T06:00:00+0000' },
      ],
    },
  }
  facebook().faults.add({ on: 'GET *published_posts', answer })
  expect(await listed()).toEqual([
    [`${page()}_4`, 'post'],
    [own, 'post'],
  ])
})

it('are listed although reels and stories are refused, but not without the feed', async () => {
  const post = native('post')
  const refused = {
    answer: { status: 400, json: { error: { code: 100, message: '(#100) Tried accessing nonexisting field' } } },
  }
  facebook().faults.add({ on: 'GET *video_reels', ...refused })
  facebook().faults.add({ on: 'GET *stories', ...refused })
  expect(await listed()).toEqual([[post, 'post']])
  facebook().faults.add({ on: 'GET *published_posts', ...refused })
  expect(await listPage(channel, null)).toMatchObject({ kind: 'rejected' })
})

it('go on after a second that has more posts than a page', async () => {
  visit.clock.now += HOUR
  const ids = Array.from({ length: 60 }, () => addNatives(visit, channel)[0])
  const older = Array.from({ length: 3 }, () => addNatives(visit, channel, { days: 1 })[0])
  const all = (await listed()).map(([id]) => id)
  expect(new Set(all).size).toBe(all.length)
  // the edge itself shows no more of one second than a page has
  expect(all.filter((id) => ids.includes(id))).toHaveLength(50)
  expect(all.filter((id) => older.includes(id))).toHaveLength(3)
})
