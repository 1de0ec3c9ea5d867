import { sentenceOf } from '#contract/failures/catalog.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { listOwn, listPage } from '../../testing/adapter/listOwn.ts'
import { publishLike } from '../../testing/adapter/publishLike.ts'
import { later, standsOnce } from '../../testing/adapter/standsOnce.ts'
import { outgoingPost, syntheticFile } from '../../testing/outgoing.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import type { MediaFile, Outgoing } from '../platform.ts'
import { createTiktok } from './adapter.ts'

/* TikTok against the simulator, written independently from its documentation: what server/platforms/conformance.test.ts does not play. */

let visit: Visitor
let channel: Channel
beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signIn(visit, createTiktok())
})
afterAll(() => visit.stop())
beforeEach(() => later(visit, channel))

const photo = () => syntheticFile('image/jpeg', { url: () => 'https://files.test/1000.jpg' })
const clip = (bytes: number) => syntheticFile('video/mp4', { bytes, thumbnail: photo(), thumbnailSeconds: 1.5 })
const post = (text: string, media: readonly MediaFile[], more: Partial<Outgoing> = {}): Outgoing =>
  outgoingPost({
    text,
    media,
    details: { privacy: 'PUBLIC_TO_EVERYONE', interactions: { comment: true, duet: false, stitch: true } },
    ...more,
  })
const tiktok = () => visit.platform('tiktok')

it("reads the account's options, and when the sign-in ends", async () => {
  const { platform, reach, secret, account } = channel
  const found = await platform.lookups?.creator?.(reach, secret, account, { query: '', limit: 50 })
  expect(found).toMatchObject({
    kind: 'found',
    items: expect.arrayContaining([expect.objectContaining({ id: 'SELF_ONLY', name: 'Only me' })]),
    account: { name: 'Nora Quill', pictureUrl: expect.stringMatching(/^https:/) },
  })
  expect(await platform.connect.check?.(reach, secret, account)).toMatchObject({
    kind: 'works',
    endsAt: expect.any(Date),
  })
  expect(account.handle).toMatch(/^@/)
  expect(tiktok().violations).toEqual([])
})

it('renews its sign-in', async () => {
  const own = await signIn(visit, createTiktok())
  const fresh = await own.platform.connect.refresh(own.reach, own.secret, own.account)
  if (fresh.kind !== 'refreshed') throw new Error(sentenceOf(fresh.reason))
  expect(await own.platform.connect.check?.(own.reach, fresh.secret, own.account)).toMatchObject({ kind: 'works' })
  expect(fresh.expiresAt?.getTime()).toBeGreaterThan(visit.clock.now)
  expect(tiktok().violations).toEqual([])
})

it('sends a video of two pieces once, whichever response is lost', async () => {
  for (const drop of ['after', 'before'] as const) {
    const once = await standsOnce(visit, channel, (words) => post(words, [clip(17_000_000)]), { drop })
    expect({ drop, ...once }).toMatchObject({ whole: 1, wrong: null, leftToAPerson: 0 })
    expect(once.calls).toBeGreaterThan(1)
  }
  expect(tiktok().violations).toEqual([])
})

it("never sends photos again while it's unknown whether they were sent", async () => {
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
    expect((await platform.publish.reconcile(reach, secret, account, ready)).kind, drop).not.toBe('absent')
  }
})

it('publishes a private post without a public ID', async () => {
  const { remoteId, permalink } = await publishLike(
    channel,
    visit.clock,
    post('For me', [clip(3_000_000)], { details: { privacy: 'SELF_ONLY' } }),
  )
  expect(remoteId).not.toMatch(/^\d+$/)
  expect(permalink).toBe(`https://www.tiktok.com/${channel.account.handle}`)
})

it("reads metrics; posts can't be edited or deleted", async () => {
  const { platform, reach, secret, account } = channel
  const { remoteId, permalink } = await publishLike(channel, visit.clock, post('Figures', [clip(3_000_000)]))
  expect(permalink).toContain(remoteId)
  const figures = await platform.metrics?.read(reach, secret, account, [
    { remoteId, postType: 'post', publishedAt: new Date(visit.clock.now) },
  ])
  expect(figures?.kind === 'metrics' && figures.of.get(remoteId)).toMatchObject({
    views: expect.any(Number),
    reactions: expect.any(Number),
  })
  expect([platform.publish.edit, platform.publish.remove]).toEqual([undefined, undefined])
  expect(tiktok().violations).toEqual([])
})

it('lists public posts alone, and only with the permission', async () => {
  const shown = await publishLike(channel, visit.clock, post('Shown', [clip(3_000_000)]))
  await publishLike(channel, visit.clock, post('Hidden', [clip(3_000_000)], { details: { privacy: 'SELF_ONLY' } }))
  const { posts } = await listOwn(channel)
  expect(posts[0]).toMatchObject({ remoteId: shown.remoteId, text: 'Shown', permalink: shown.permalink })
  expect(posts.map(({ text }) => text)).not.toContain('Hidden')
  const without = await signIn(visit, createTiktok(), { consent: { without: ['video.list'] } })
  expect(await listPage(without, null)).toEqual({ kind: 'rights', missing: ['video.list'] })
})

it('labels what videos and photos promote', async () => {
  const disclosure = { yourBrand: false, brandedContent: true }
  const details = { privacy: 'PUBLIC_TO_EVERYONE', disclosure }
  for (const media of [[clip(3_000_000)], [photo()]]) {
    const { remoteId } = await publishLike(channel, visit.clock, post('Rye for a mill', media, { details }))
    expect(tiktok().state.live(({ id }) => id === remoteId)[0]?.more.info).toMatchObject({
      brand_content_toggle: true,
      brand_organic_toggle: false,
    })
  }
})
