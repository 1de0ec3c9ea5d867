import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outgoingPost, syntheticFile } from '../../testing/outgoing.ts'
import { signInTo, takeToTheEnd, type SignedInChannel } from '../../testing/platforms/publisher.ts'
import { visitPlatforms, type Visitor } from '../../testing/platforms/visitor.ts'
import type { MediaFile, Outgoing } from '../platform.ts'
import { createPinterest } from './adapter.ts'

/* Pinterest against the simulator, which was written from its documentation by somebody else. */

let visit: Visitor
let channel: SignedInChannel
let boardId: string
beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signInTo(visit, createPinterest())
  const { platform, reach, secret, account } = channel
  const found = await platform.lookups?.boards?.(reach, secret, account, { query: '', limit: 50 })
  boardId = (found?.kind === 'found' && found.items[0]?.id) || ''
})
afterAll(() => visit.stop())

const photo = (more: Partial<MediaFile> = {}) => syntheticFile('image/jpeg', { altText: 'A rook', url: () => 'https://files.test/1000.jpg', ...more })
const clip = () => syntheticFile('video/mp4', { bytes: 3_000_000, thumbnail: photo() })
const pin = (title: string, media: readonly MediaFile[], more: Partial<Outgoing> = {}): Outgoing => outgoingPost({ postType: 'pin', contents: [{ title, text: `${title}, baked today`, media }], details: { boardId, link: 'https://example.com/rye' }, ...more })
const standing = () => visit.platform('pinterest').state.live()

it('signs in with all rights, finds the boards by name, and still works', async () => {
  const { platform, reach, secret, account, missing } = channel
  expect(missing).toEqual([])
  expect(boardId).not.toBe('')
  expect(await platform.lookups?.boards?.(reach, secret, account, { query: 'no such board', limit: 50 })).toEqual({ kind: 'found', items: [] })
  expect(await platform.connect.check?.(reach, secret, account)).toEqual({ kind: 'works', endsAt: null })
  expect(visit.platform('pinterest').violations).toEqual([])
})

it('says which rights were not given', async () => {
  expect((await signInTo(visit, createPinterest(), { without: ['boards:read'] })).missing).toEqual(['boards:read'])
})

it('renews its sign-in, and each refresh token once', async () => {
  const own = await signInTo(visit, createPinterest())
  const first = await own.platform.connect.refresh(own.reach, own.secret, own.account)
  if (first.kind !== 'refreshed') throw new Error(first.reason.text)
  expect(first.secret.refreshToken).not.toBe(own.secret.refreshToken)
  expect(await own.platform.connect.check?.(own.reach, first.secret, own.account)).toMatchObject({ kind: 'works' })
  expect(await own.platform.connect.refresh(own.reach, own.secret, own.account)).toMatchObject({ kind: 'reconnect' })
})

const ways: [string, () => MediaFile[]][] = [
  ['a picture by its address', () => [photo()]],
  ['a picture in the call', () => [photo({ url: () => null })]],
  ['five pictures', () => Array.from({ length: 5 }, () => photo())],
  ['a video', () => [clip()]],
]

describe.each(ways)('%s', (name, media) => {
  it('goes out once, whichever answer is lost', async () => {
    const { faults, calls, violations } = visit.platform('pinterest')
    const whole = await takeToTheEnd(visit, channel, pin(name, media()))
    expect(whole.permalink).toBe(`https://www.pinterest.com/pin/${whole.remoteId}/`)
    for (const drop of ['after', 'before'] as const) {
      for (let lost = 0; lost < 30; lost++) {
        const [there, before] = [standing().length, calls.length]
        faults.add({ drop, after: lost })
        await takeToTheEnd(visit, channel, pin(`${name} ${drop} ${lost}`, media()))
        expect({ lost, drop, there: standing().length - there }).toEqual({ lost, drop, there: 1 })
        faults.clear()
        if (calls.length - before <= lost) break
      }
    }
    expect(violations).toEqual([])
  })
})

it('figures are read; words are changed, pictures are not; a Pin is removed, twice if need be', async () => {
  const { platform, reach, secret, account } = channel
  const { remoteId, post } = await takeToTheEnd(visit, channel, pin('Later', [photo()]))
  const figures = await platform.metrics?.read(reach, secret, account, [{ remoteId, postType: 'pin', publishedAt: new Date(visit.clock.now) }])
  expect(figures?.kind === 'metrics' && figures.of.get(remoteId)).toMatchObject({ impressions: expect.any(Number) })
  expect(await platform.read?.recentPosts(reach, secret, account, 1)).toMatchObject({ kind: 'posts', posts: [{ text: 'Later\nLater, baked today' }] })
  expect(await platform.publish.edit?.(reach, secret, account, { ...post, contents: [{ title: 'Changed', text: 'New words', media: post.contents[0]?.media ?? [] }] }, remoteId)).toEqual({ kind: 'edited', remoteId })
  expect(await platform.read?.recentPosts(reach, secret, account, 1)).toMatchObject({ posts: [{ text: 'Changed\nNew words' }] })
  expect(await platform.publish.edit?.(reach, secret, account, pin('Changed', [photo()], { progress: post.progress }), remoteId)).toMatchObject({ kind: 'rejected' })
  for (let times = 0; times < 2; times++) expect(await platform.publish.remove?.(reach, secret, account, remoteId)).toEqual({ kind: 'removed' })
  expect(await platform.publish.readBack(reach, secret, account, post, remoteId)).toEqual({ kind: 'missing' })
  expect(visit.platform('pinterest').violations).toEqual([])
})
