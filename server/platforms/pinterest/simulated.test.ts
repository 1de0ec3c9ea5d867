import { sentenceOf } from '#contract/failures/catalog.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { listOwn } from '../../testing/adapter/listOwn.ts'
import { publishLike } from '../../testing/adapter/publishLike.ts'
import { standsOnce } from '../../testing/adapter/standsOnce.ts'
import { outgoingPost, syntheticFile } from '../../testing/outgoing.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import type { MediaFile, Outgoing } from '../platform.ts'
import { createPinterest } from './adapter.ts'

/* Pinterest against the simulator, written independently from its documentation: what server/platforms/conformance.test.ts does not play. */

let visit: Visitor
let channel: Channel
let boardId: string
beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signIn(visit, createPinterest())
  const { platform, reach, secret, account } = channel
  const found = await platform.lookups?.boards?.(reach, secret, account, { query: '', limit: 50 })
  boardId = (found?.kind === 'found' && found.items[0]?.id) || ''
})
afterAll(() => visit.stop())

const photo = (more: Partial<MediaFile> = {}) =>
  syntheticFile('image/jpeg', { altText: 'A rook', url: () => 'https://files.test/1000.jpg', ...more })
const pin = (title: string, media: readonly MediaFile[], more: Partial<Outgoing> = {}): Outgoing =>
  outgoingPost({
    postType: 'pin',
    contents: [{ title, text: `${title}, baked today`, media }],
    details: { boardId, link: 'https://example.com/rye' },
    ...more,
  })

it("finds boards by name, and the sign-in doesn't end", async () => {
  const { platform, reach, secret, account } = channel
  expect(boardId).not.toBe('')
  expect(await platform.lookups?.boards?.(reach, secret, account, { query: 'no such board', limit: 50 })).toEqual({
    kind: 'found',
    items: [],
  })
  expect(await platform.connect.check?.(reach, secret, account)).toEqual({
    kind: 'works',
    endsAt: null,
    pictureUrl: channel.signedIn[0]?.account.pictureUrl,
  })
  expect(visit.platform('pinterest').violations).toEqual([])
})

it("lists permissions that weren't granted", async () => {
  expect((await signIn(visit, createPinterest(), { consent: { without: ['boards:read'] } })).missing).toEqual([
    'boards:read',
  ])
})

it('renews its sign-in, and uses each refresh token once', async () => {
  const own = await signIn(visit, createPinterest())
  const first = await own.platform.connect.refresh(own.reach, own.secret, own.account)
  if (first.kind !== 'refreshed') throw new Error(sentenceOf(first.reason))
  expect(first.secret.refreshToken).not.toBe(own.secret.refreshToken)
  expect(await own.platform.connect.check?.(own.reach, first.secret, own.account)).toMatchObject({ kind: 'works' })
  expect(await own.platform.connect.refresh(own.reach, own.secret, own.account)).toMatchObject({ kind: 'reconnect' })
})

const ways: [string, () => MediaFile[]][] = [
  ['a picture in the call', () => [photo({ url: () => null })]],
  ['five pictures', () => Array.from({ length: 5 }, () => photo())],
]

it.each(ways)('publishes %s once, whichever response is lost', async (name, media) => {
  for (const drop of ['after', 'before'] as const) {
    const once = await standsOnce(visit, channel, (words) => pin(words, media()), { drop })
    expect({ name, drop, ...once }).toMatchObject({ whole: 1, wrong: null, leftToAPerson: 0 })
    expect(once.calls).toBeGreaterThan(0)
  }
  expect(visit.platform('pinterest').violations).toEqual([])
})

it('reads metrics, edits texts but not pictures, and deletes a Pin, also twice', async () => {
  const { platform, reach, secret, account } = channel
  const { remoteId, permalink, post } = await publishLike(channel, visit.clock, pin('Later', [photo()]))
  expect(permalink).toBe(`https://www.pinterest.com/pin/${remoteId}/`)
  const figures = await platform.metrics?.read(reach, secret, account, [
    { remoteId, postType: 'pin', publishedAt: new Date(visit.clock.now) },
  ])
  expect(figures?.kind === 'metrics' && figures.of.get(remoteId)).toMatchObject({ impressions: expect.any(Number) })
  expect((await listOwn(channel)).posts[0]).toMatchObject({ remoteId, text: 'Later\n\nLater, baked today' })
  expect(
    await platform.publish.edit?.(
      reach,
      secret,
      account,
      { ...post, contents: [{ title: 'Changed', text: 'New words', media: post.contents[0]?.media ?? [] }] },
      remoteId,
    ),
  ).toEqual({ kind: 'edited', remoteId })
  expect((await listOwn(channel)).posts[0]).toMatchObject({ remoteId, text: 'Changed\n\nNew words' })
  expect(
    await platform.publish.edit?.(
      reach,
      secret,
      account,
      pin('Changed', [photo()], { progress: post.progress }),
      remoteId,
    ),
  ).toMatchObject({ kind: 'rejected' })
  for (let times = 0; times < 2; times++)
    expect(await platform.publish.remove?.(reach, secret, account, remoteId)).toEqual({ kind: 'removed' })
  expect(await platform.publish.readBack(reach, secret, account, post, remoteId)).toEqual({ kind: 'missing' })
  expect(visit.platform('pinterest').violations).toEqual([])
})

it('publishes only in the sandbox with an app with trial access, and says so', async () => {
  const app = { clientId: 'app-on-trial', clientSecret: 'hush' }
  const trial = await signIn(visit, createPinterest(), { app })
  const publish = (channel: Channel) =>
    channel.platform.publish.send(channel.reach, channel.secret, channel.account, pin('Rye', [photo()]))
  expect(await publish(trial)).toMatchObject({
    kind: 'rejected',
    reason: {
      code: 'pinterest-trial-access',
      platformCode: '403/29',
    },
  })
  expect(await publish(await signIn(visit, createPinterest(), { app: { ...app, sandbox: true } }))).toMatchObject({
    kind: 'sent',
  })
})

it('changes the name, description and privacy of a board', async () => {
  const { platform, reach, secret, account } = channel
  expect(
    await platform.changes?.boards?.(reach, secret, account, boardId, {
      name: 'Sourdough',
      description: 'Slow bread',
      privacy: 'SECRET',
    }),
  ).toMatchObject({ kind: 'changed', item: { id: boardId, name: 'Sourdough', detail: 'Not public' } })
  expect(await platform.lookups?.boards?.(reach, secret, account, { query: 'sourdough', limit: 5 })).toMatchObject({
    items: [{ id: boardId, name: 'Sourdough' }],
  })
  expect(await platform.changes?.boards?.(reach, secret, account, '1', { name: 'Sourdough' })).toMatchObject({
    kind: 'rejected',
    reason: { code: 'pinterest-board-gone' },
  })
  expect(visit.platform('pinterest').violations).toEqual([])
})
