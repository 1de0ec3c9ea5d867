import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOnServer, type Channel, type OnServer } from '../../testing/pds/onServer.ts'
import type { TestAccount } from '../../testing/pds/startPds.ts'
import type { Outgoing, Secret } from '../platform.ts'
import { CREATED_AT, outgoing, picture } from './fixtures/outgoing.ts'
import type { PostRecord } from './record.ts'

let server: OnServer
let pds: OnServer['pds']
let bluesky: OnServer['bluesky']
let proxy: OnServer['proxy']
let reach: OnServer['reach']

beforeAll(async () => {
  server = await openOnServer()
  ;({ pds, bluesky, proxy, reach } = server)
})
afterAll(() => server.close())

const channel = () => server.channel()
const prepared = (bird: Channel, post: Outgoing) => server.prepared(bird, post)
const send = ({ secret, ref }: Channel, post: Outgoing, by: Secret = secret) =>
  bluesky.publish.send(reach, by, ref, post)
const reconcile = ({ secret, ref }: Channel, post: Outgoing) => bluesky.publish.reconcile(reach, secret, ref, post)

async function onlyPost(account: TestAccount): Promise<{ uri: string; record: PostRecord }> {
  const [post, ...others] = await pds.posts(account)
  if (!post || others.length > 0) throw new Error(`${others.length + (post ? 1 : 0)} posts instead of one`)
  // the server validated it as app.bsky.feed.post
  return { uri: post.uri, record: post.value as PostRecord }
}

describe('sending', () => {
  it('posts text under the chosen key, and reads it back', async () => {
    const bird = await channel()
    const post = outgoing(' First light over the rookery.\n', { details: { languages: ['en', 'de-AT'] } })
    expect(bluesky.publish.needsPrepare(post)).toBe(false)
    const uri = `at://${bird.account.did}/app.bsky.feed.post/${post.sendKey}`
    expect(await send(bird, post)).toMatchObject({ kind: 'sent', remoteId: uri })
    expect(await onlyPost(bird.account)).toEqual({
      uri,
      record: {
        $type: 'app.bsky.feed.post',
        text: 'First light over the rookery.',
        createdAt: CREATED_AT.toISOString(),
        langs: ['en', 'de-AT'],
      },
    })
    expect(await bluesky.publish.readBack(reach, bird.secret, bird.ref, post, uri)).toEqual({
      kind: 'live',
      permalink: `https://bsky.app/profile/${bird.account.did}/post/${post.sendKey}`,
    })
    expect(await bluesky.publish.readBack(reach, bird.secret, bird.ref, post, `${uri}z`)).toEqual({ kind: 'missing' })
  })

  it('posts as many at once as the server accepts', async () => {
    const bird = await channel()
    const posts = Array.from({ length: bluesky.publish.simultaneousSends ?? 0 }, (_, i) => outgoing(`At once ${i}`))
    expect(posts.length).toBeGreaterThan(1)
    const answers = await Promise.all(posts.map((post) => send(bird, post)))
    expect(answers.map(({ kind }) => kind)).toEqual(posts.map(() => 'sent'))
    const there = await pds.posts(bird.account)
    // the server validated them as app.bsky.feed.post
    expect(there.map(({ value }) => (value as PostRecord).text).toSorted()).toEqual(
      posts.map((_, i) => `At once ${i}`).toSorted(),
    )
  })

  it('converts links, mentions and hashtags after emoji to facets with byte offsets; unknown handles stay plain', async () => {
    const bird = await channel()
    const friend = await pds.createAccount()
    const text = `👩‍👩‍👧‍👦 Grüße an @${friend.handle} und @nobody.test: https://example.com/ü?a=1 example.com #Krähen 🐦‍⬛`
    const post = outgoing(text)
    expect(bluesky.publish.needsPrepare(post)).toBe(true)
    expect((await send(bird, await prepared(bird, post))).kind).toBe('sent')
    const { record } = await onlyPost(bird.account)
    const bytes = Buffer.from(record.text)
    expect(
      record.facets?.map(({ index, features }) => [
        bytes.subarray(index.byteStart, index.byteEnd).toString(),
        ...features,
      ]),
    ).toEqual([
      [`@${friend.handle}`, { $type: 'app.bsky.richtext.facet#mention', did: friend.did }],
      ['example.com/%C3%BC?a=1', { $type: 'app.bsky.richtext.facet#link', uri: 'https://example.com/ü?a=1' }],
      ['example.com', { $type: 'app.bsky.richtext.facet#link', uri: 'https://example.com' }],
      ['#Krähen', { $type: 'app.bsky.richtext.facet#tag', tag: 'Krähen' }],
    ])
  })

  it('posts four pictures with alt text and aspect ratio', async () => {
    const bird = await channel()
    const media = await Promise.all(
      ['red', 'green', 'blue', 'black'].map((color) => picture(color, `A ${color} square`)),
    )
    expect((await send(bird, await prepared(bird, outgoing('', { media })))).kind).toBe('sent')
    const { embed } = (await onlyPost(bird.account)).record
    const images = embed?.$type === 'app.bsky.embed.images' ? embed.images : []
    expect(images.map(({ alt, aspectRatio, image }) => [alt, aspectRatio, image.mimeType, image.size])).toEqual(
      media.map((file) => [file.altText, { width: 40, height: 30 }, 'image/png', file.bytes]),
    )
    expect(new Set(images.map(({ image }) => image.ref.$link)).size).toBe(4)
  })

  it('posts a link card with its picture', async () => {
    const bird = await channel()
    const thumb = await picture('gold')
    const linkCard = {
      uri: 'https://example.com/a',
      title: 'Rooks',
      description: 'All about them',
      imageAssetId: thumb.assetId,
    }
    const post = outgoing('Read https://example.com/a', {
      details: { linkCard },
      extraMedia: new Map([[thumb.assetId, thumb]]),
    })
    expect(bluesky.publish.needsPrepare(post)).toBe(true)
    expect((await send(bird, await prepared(bird, post))).kind).toBe('sent')
    const { embed } = (await onlyPost(bird.account)).record
    expect(embed).toMatchObject({
      $type: 'app.bsky.embed.external',
      external: {
        uri: linkCard.uri,
        title: 'Rooks',
        description: 'All about them',
        thumb: { mimeType: 'image/png', size: thumb.bytes },
      },
    })
  })

  it("refuses text that is too long, with the server's message", async () => {
    const bird = await channel()
    expect(await send(bird, outgoing('x'.repeat(301)))).toMatchObject({
      kind: 'rejected',
      reason: { params: { words: expect.stringMatching(/grapheme.*300/) }, platformCode: 'InvalidRequest' },
    })
    expect(await pds.posts(bird.account)).toEqual([])
  })

  it('refuses a picture that is too large, as the server does without this check', async () => {
    const bird = await channel()
    const bytes = Buffer.concat([Buffer.from(await (await picture('red')).read()), Buffer.alloc(2_000_000)])
    const large = { ...(await picture('red')), bytes: bytes.length, read: async () => bytes }
    expect(await bluesky.publish.prepare(reach, bird.secret, bird.ref, outgoing('', { media: [large] }))).toMatchObject(
      { kind: 'rejected', reason: { platformCode: 'BlobTooLarge' } },
    )
    const post = await prepared(bird, outgoing('', { media: [{ ...large, bytes: 100 }] }))
    expect(await send(bird, post)).toMatchObject({
      kind: 'rejected',
      reason: { params: { words: expect.stringMatching(/2000000|too (?:big|large)/) }, platformCode: 'InvalidRequest' },
    })
    expect(await pds.posts(bird.account)).toEqual([])
  })

  it('asks for the pictures again if the server dropped them', async () => {
    const bird = await channel()
    const post = await prepared(bird, outgoing('', { media: [await picture('pink')] }))
    expect(await send(bird, { ...post, progress: {} })).toMatchObject({ kind: 'retry', first: 'prepare' })
    const other = await channel()
    expect(await send(other, post)).toMatchObject({
      kind: 'retry',
      first: 'prepare',
      reason: { platformCode: 'BlobNotFound' },
    })
    expect((await send(other, await prepared(other, post))).kind).toBe('sent')
  })

  it('asks for a new token if this one has expired, and posts with it', async () => {
    const bird = await channel()
    const post = outgoing('Late')
    const expired = { ...bird.secret, accessJwt: pds.tokenFor(bird.account, new Date(Date.now() - 60_000)) }
    expect(await send(bird, post, expired)).toMatchObject({
      kind: 'retry',
      first: 'renew',
      reason: { platformCode: 'ExpiredToken' },
    })
    expect(await send(bird, post, { ...bird.secret, accessJwt: 'nonsense' })).toMatchObject({
      kind: 'retry',
      first: 'renew',
      reason: { platformCode: 'InvalidToken' },
    })
    expect(await pds.posts(bird.account)).toEqual([])
    const renewed = await bluesky.connect.refresh(reach, expired, bird.ref)
    expect(renewed.kind === 'refreshed' && (await send(bird, post, renewed.secret)).kind).toBe('sent')
  })

  it("asks a person to reconnect while the account is unavailable, and can't reconcile meanwhile", async () => {
    const bird = await channel()
    const post = outgoing('Hello')
    await send(bird, post)
    await pds.deactivate(bird.account)
    expect(await send(bird, outgoing('Hello again'))).toMatchObject({
      kind: 'reconnect',
      reason: { platformCode: 'AccountDeactivated' },
    })
    expect((await reconcile(bird, post)).kind).toBe('unknown')
    await pds.activate(bird.account)
    await pds.takeDown(bird.account)
    expect(await send(bird, outgoing('Hello again'))).toMatchObject({
      kind: 'reconnect',
      reason: { platformCode: 'AccountTakedown' },
    })
  })
})

describe('a lost response', () => {
  it('is reconciled by reading the key: the post exists', async () => {
    const bird = await channel()
    const post = outgoing('Once only')
    const through = { ...bird.secret, pds: proxy.url }
    proxy.set('answers')
    expect(await send(bird, post, through)).toMatchObject({ kind: 'unknown' })
    proxy.set('nothing')
    const uri = `at://${bird.account.did}/app.bsky.feed.post/${post.sendKey}`
    expect(await reconcile(bird, post)).toMatchObject({ kind: 'sent', remoteId: uri })
    expect((await onlyPost(bird.account)).uri).toBe(uri)
  })

  it("is reconciled by reading the key: the post doesn't exist", async () => {
    const bird = await channel()
    const post = outgoing('Never heard of')
    proxy.set('requests')
    expect(await send(bird, post, { ...bird.secret, pds: proxy.url })).toMatchObject({ kind: 'unknown' })
    proxy.set('nothing')
    expect(await reconcile(bird, post)).toEqual({ kind: 'absent' })
    expect((await send(bird, post)).kind).toBe('sent')
  })

  it('is harmless if the same key is sent again: the server refuses, and the post is found', async () => {
    const bird = await channel()
    const post = outgoing('Once only')
    proxy.set('answers')
    await send(bird, post, { ...bird.secret, pds: proxy.url })
    proxy.set('nothing')
    const uri = `at://${bird.account.did}/app.bsky.feed.post/${post.sendKey}`
    expect(await send(bird, post)).toMatchObject({ kind: 'sent', remoteId: uri })
    expect(await Promise.all([send(bird, post), send(bird, post)])).toMatchObject([
      { kind: 'sent', remoteId: uri },
      { kind: 'sent', remoteId: uri },
    ])
    expect((await onlyPost(bird.account)).uri).toBe(uri)
  })

  it('leaves one post of two simultaneous sends', async () => {
    const bird = await channel()
    const post = outgoing('Once only')
    const answers = await Promise.all([send(bird, post), send(bird, post), send(bird, post)])
    expect(answers.map(({ kind }) => kind)).toEqual(['sent', 'sent', 'sent'])
    await onlyPost(bird.account)
  })
})

describe('deleting', () => {
  it('deletes the post, also twice', async () => {
    const bird = await channel()
    const post = outgoing('Gone tomorrow')
    const sent = await send(bird, post)
    if (sent.kind !== 'sent') throw new Error('not sent')
    for (let i = 0; i < 2; i++)
      expect(await bluesky.publish.remove?.(reach, bird.secret, bird.ref, sent.remoteId)).toEqual({ kind: 'removed' })
    expect(await pds.posts(bird.account)).toEqual([])
    expect(await reconcile(bird, post)).toEqual({ kind: 'absent' })
  })
})
