import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { outgoingPost, syntheticFile } from '../../testing/outgoing.ts'
import { signInTo, takeToTheEnd, type SignedInChannel } from '../../testing/platforms/publisher.ts'
import { visitPlatforms, type Visitor } from '../../testing/platforms/visitor.ts'
import type { MediaFile, Outgoing } from '../platform.ts'
import { createTiktok } from './adapter.ts'

/* TikTok against the simulator, which was written from its documentation by somebody else. */

let visit: Visitor
let channel: SignedInChannel
beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signInTo(visit, createTiktok())
})
afterAll(() => visit.stop())
/** TikTok takes 15 posts a day of an account. */
const later = () => void (visit.clock.now += 2 * 3_600_000)
beforeEach(later)

const photo = () => syntheticFile('image/jpeg', { url: () => 'https://files.test/1000.jpg' })
const clip = (bytes: number) => syntheticFile('video/mp4', { bytes, thumbnail: photo(), thumbnailSeconds: 1.5 })
const post = (text: string, media: readonly MediaFile[], more: Partial<Outgoing> = {}): Outgoing => outgoingPost({ text, media, details: { privacy: 'PUBLIC_TO_EVERYONE', interactions: { comment: true, duet: false, stitch: true } }, ...more })
const tiktok = () => visit.platform('tiktok')
const standing = () => tiktok().state.live()

it('signs in with all rights, knows what the account may choose, and still works', async () => {
  const { platform, reach, secret, account, missing } = channel
  expect(missing).toEqual([])
  const found = await platform.lookups?.creator?.(reach, secret, account, { query: '', limit: 50 })
  expect(found).toMatchObject({ kind: 'found', items: expect.arrayContaining([expect.objectContaining({ id: 'SELF_ONLY', name: 'Only me' })]) })
  expect(await platform.connect.check?.(reach, secret, account)).toMatchObject({ kind: 'works', endsAt: expect.any(Date) })
  expect(account.handle).toMatch(/^@/)
  expect(tiktok().violations).toEqual([])
})

it('renews its sign-in', async () => {
  const own = await signInTo(visit, createTiktok())
  const fresh = await own.platform.connect.refresh(own.reach, own.secret, own.account)
  if (fresh.kind !== 'refreshed') throw new Error(fresh.reason.text)
  expect(await own.platform.connect.check?.(own.reach, fresh.secret, own.account)).toMatchObject({ kind: 'works' })
  expect(fresh.expiresAt?.getTime()).toBeGreaterThan(visit.clock.now)
  expect(tiktok().violations).toEqual([])
})

describe.each([
  ['a video of one piece', () => clip(3_000_000)],
  ['a video of two pieces', () => clip(17_000_000)],
])('%s', (name, file) => {
  it('goes out once, whichever answer is lost', async () => {
    const { faults, calls, violations } = tiktok()
    const whole = await takeToTheEnd(visit, channel, post(name, [file()]))
    expect(whole.permalink).toContain(whole.remoteId)
    for (const drop of ['after', 'before'] as const) {
      for (let lost = 0; lost < 40; lost++) {
        const [there, before] = [standing().length, calls.length]
        later()
        faults.add({ drop, after: lost })
        await takeToTheEnd(visit, channel, post(`${name} ${drop} ${lost}`, [file()]))
        expect({ lost, drop, there: standing().length - there }).toEqual({ lost, drop, there: 1 })
        faults.clear()
        if (calls.length - before <= lost) break
      }
    }
    expect(violations).toEqual([])
  })
})

it('35 pictures go out with title and text', async () => {
  const { remoteId, permalink } = await takeToTheEnd(visit, channel, outgoingPost({ contents: [{ title: 'Rye', text: 'All of them', media: Array.from({ length: 35 }, photo) }], details: { privacy: 'PUBLIC_TO_EVERYONE' } }))
  expect(permalink).toContain(remoteId)
  expect(tiktok().violations).toEqual([])
})

it('pictures whose answer is lost are never sent again while nobody knows', async () => {
  const { platform, reach, secret, account } = channel
  for (const drop of ['after', 'before'] as const) {
    const lost = post(`Lost ${drop}`, [photo()], { createdAt: new Date(visit.clock.now) })
    const prepared = await platform.publish.prepare(reach, secret, account, lost)
    if (prepared.kind !== 'prepared') throw new Error(prepared.kind)
    const ready = { ...lost, progress: prepared.progress }
    tiktok().faults.add({ on: 'POST open.tiktokapis.com*content/init*', drop })
    expect(await platform.publish.send(reach, secret, account, ready)).toMatchObject({ kind: 'unknown' })
    tiktok().faults.clear()
    visit.clock.now += 600_000
    expect((await platform.publish.settle(reach, secret, account, ready)).kind, drop).not.toBe('absent')
  }
})

it('a post for oneself goes out without a public id', async () => {
  const { remoteId, permalink } = await takeToTheEnd(visit, channel, post('For me', [clip(3_000_000)], { details: { privacy: 'SELF_ONLY' } }))
  expect(remoteId).not.toMatch(/^\d+$/)
  expect(permalink).toBe(`https://www.tiktok.com/${channel.account.handle}`)
})

it('figures are read; posts can neither be changed nor deleted', async () => {
  const { platform, reach, secret, account } = channel
  const { remoteId } = await takeToTheEnd(visit, channel, post('Figures', [clip(3_000_000)]))
  const figures = await platform.metrics?.read(reach, secret, account, [{ remoteId, postType: 'post', publishedAt: new Date(visit.clock.now) }])
  expect(figures?.kind === 'metrics' && figures.of.get(remoteId)).toMatchObject({ videoViews: expect.any(Number), reactions: expect.any(Number) })
  expect(await platform.read?.recentPosts(reach, secret, account, 1)).toMatchObject({ posts: [{ text: 'Figures' }] })
  expect([platform.publish.edit, platform.publish.remove]).toEqual([undefined, undefined])
  expect(tiktok().violations).toEqual([])
})
