import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openOnServer, type Channel, type OnServer } from '../../testing/pds/onServer.ts'
import type { MediaFile, Outgoing, FollowUp, FollowUpToSend, Platform } from '../platform.ts'
import { film, outgoing, picture } from './fixtures/outgoing.ts'
import type { PostRecord } from './record.ts'
import { formerTidFrom } from './tid.ts'

/* Threads, first comments and videos, on the real server. */

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

type Sent = FollowUpToSend['sent'][number]

const threadOf = (
  texts: readonly string[],
  media: readonly MediaFile[] = [],
  firstComment: string | null = null,
): Outgoing => ({
  ...outgoing(''),
  contents: texts.map((text, i) => ({ text, media: i === 1 ? media : [] })),
  firstComment,
})

const partsOf = (post: Outgoing): readonly FollowUp[] => bluesky.publish.followUps?.(post) ?? []
const toSend = (
  post: Outgoing,
  part: FollowUp,
  sent: readonly Sent[],
  progress: Record<string, unknown> = {},
): FollowUpToSend => ({ ...part, sendKey: bluesky.publish.followUpSendKey?.(post.sendKey, part) ?? '', progress, sent })

async function sendFollowUp(
  { secret, ref }: Pick<Channel, 'secret' | 'ref'>,
  post: Outgoing,
  part: FollowUpToSend,
  through = secret,
): Promise<Awaited<ReturnType<NonNullable<Platform['publish']['sendFollowUp']>>>> {
  const answer = await bluesky.publish.sendFollowUp?.(reach, through, ref, post, part)
  if (!answer) throw new Error('no parts')
  return answer.kind === 'preparing'
    ? await sendFollowUp({ secret, ref }, post, { ...part, progress: answer.progress }, through)
    : answer
}

/** The post and everything that follows it, as the engine sends them. */
async function sendAll(bird: Channel, post: Outgoing): Promise<Sent[]> {
  const root = await bluesky.publish.send(reach, bird.secret, bird.ref, post)
  if (root.kind !== 'sent') throw new Error(root.kind)
  const sent: Sent[] = [{ key: 'post', remoteId: root.remoteId, progress: root.progress }]
  for (const part of partsOf(post)) {
    const answer = await sendFollowUp(bird, post, toSend(post, part, sent))
    if (answer.kind !== 'sent') throw new Error(answer.kind)
    sent.push({ key: part.key, remoteId: answer.remoteId, progress: answer.progress })
  }
  return sent
}

const DIGITS = '234567abcdefghijklmnopqrstuvwxyz'
const microsecondOf = (key: string): number =>
  Number(Array.from(key).reduce((value, digit) => value * 32n + BigInt(DIGITS.indexOf(digit)), 0n) >> 10n)

async function recordsOf({ account }: Channel): Promise<Map<string, PostRecord & { cid: string }>> {
  const posts = await pds.posts(account)
  // the server validated each as app.bsky.feed.post
  return new Map(posts.map(({ uri, cid, value }) => [uri, { ...(value as PostRecord), cid }]))
}

describe('a thread', () => {
  it('is a chain of replies, with the first comment below the post', async () => {
    const bird = await channel()
    const post = await prepared(
      bird,
      threadOf(['One', 'Two https://example.com', 'Three'], [await picture('red', 'Red')], 'Four, a comment'),
    )
    const sent = await sendAll(bird, post)
    const records = await recordsOf(bird)
    expect(records.size).toBe(4)
    const chain = sent.map(({ remoteId }) => ({ uri: remoteId, record: records.get(remoteId) }))
    expect(chain.map(({ record }) => record?.text)).toEqual(['One', 'Two example.com', 'Three', 'Four, a comment'])
    const ref = (i: number) => ({ uri: chain[i]?.uri, cid: chain[i]?.record?.cid })
    expect(chain.map(({ record }) => record?.reply)).toEqual([
      undefined,
      { root: ref(0), parent: ref(0) },
      { root: ref(0), parent: ref(1) },
      // the first comment is a reply to the post, as on every other platform
      { root: ref(0), parent: ref(0) },
    ])
    expect(chain[1]?.record).toMatchObject({
      embed: { $type: 'app.bsky.embed.images', images: [{ alt: 'Red' }] },
      facets: [{ features: [{ uri: 'https://example.com' }] }],
    })
  })

  it("reconciles an item's lost response by its own key: it exists, or it's sent once more", async () => {
    const bird = await channel()
    const post = threadOf(['One', 'Two', 'Three'])
    const root = await bluesky.publish.send(reach, bird.secret, bird.ref, post)
    if (root.kind !== 'sent') throw new Error(root.kind)
    const [second, third] = partsOf(post)
    if (!second || !third) throw new Error('no parts')
    const through = { ...bird.secret, pds: proxy.url }
    const sent: Sent[] = [{ key: 'post', remoteId: root.remoteId, progress: root.progress }]
    const two = toSend(post, second, sent)
    const reconcile = (part: FollowUpToSend) =>
      bluesky.publish.reconcileFollowUp?.(reach, bird.secret, bird.ref, post, part)

    proxy.set('answers')
    expect((await sendFollowUp(bird, post, two, through)).kind).toBe('unknown')
    proxy.set('nothing')
    const found = await reconcile(two)
    if (found?.kind !== 'sent') throw new Error('not found')
    sent.push({ key: second.key, remoteId: found.remoteId, progress: found.progress })

    const three = toSend(post, third, sent)
    proxy.set('requests')
    expect((await sendFollowUp(bird, post, three, through)).kind).toBe('unknown')
    proxy.set('nothing')
    expect(await reconcile(three)).toEqual({ kind: 'absent' })
    // two at once: one record
    expect(
      (await Promise.all([sendFollowUp(bird, post, three), sendFollowUp(bird, post, three)])).map(({ kind }) => kind),
    ).toEqual(['sent', 'sent'])
    expect((await recordsOf(bird)).size).toBe(3)
  })

  it('reads the hash of a post that was found without one', async () => {
    const bird = await channel()
    const post = threadOf(['One', 'Two'])
    const root = await bluesky.publish.send(reach, bird.secret, bird.ref, post)
    const [part] = partsOf(post)
    if (root.kind !== 'sent' || !part) throw new Error('not sent')
    expect(
      (await sendFollowUp(bird, post, toSend(post, part, [{ key: 'post', remoteId: root.remoteId, progress: {} }])))
        .kind,
    ).toBe('sent')
    await pds.posts(bird.account)
    expect(
      await sendFollowUp(
        bird,
        post,
        toSend(post, { ...part, key: 'item 9' }, [{ key: 'post', remoteId: `${root.remoteId}z`, progress: {} }]),
      ),
    ).toMatchObject({ kind: 'rejected' })
  })

  it("uploads an item's files again if the server dropped them", async () => {
    const bird = await channel()
    const other = await channel()
    const media = [await picture('olive')]
    // the files stand in another account: here they are unknown
    const post = await prepared(other, threadOf(['One', 'Two'], media))
    const sent = await sendAll(bird, post)
    const two = (await recordsOf(bird)).get(sent[1]?.remoteId ?? '')
    expect(two?.embed).toMatchObject({ $type: 'app.bsky.embed.images', images: [{ image: { size: media[0]?.bytes } }] })
  })

  it('looks up the accounts that a first comment mentions before sending it', async () => {
    const bird = await channel()
    const friend = await pds.createAccount()
    const sent = await sendAll(bird, threadOf(['One'], [], `Thanks to @${friend.handle} and @nobody.test`))
    const comment = (await recordsOf(bird)).get(sent[1]?.remoteId ?? '')
    expect(comment?.facets).toMatchObject([
      { features: [{ $type: 'app.bsky.richtext.facet#mention', did: friend.did }] },
    ])
  })

  it('is deleted completely with its post, also twice', async () => {
    const bird = await channel()
    const sent = await sendAll(bird, threadOf(['One', 'Two', 'Three'], [], 'Comment'))
    const other = await sendAll(bird, outgoing('Another'))
    for (let i = 0; i < 2; i++)
      expect(await bluesky.publish.remove?.(reach, bird.secret, bird.ref, sent[0]?.remoteId ?? '')).toEqual({
        kind: 'removed',
      })
    expect([...(await recordsOf(bird)).keys()]).toEqual([other[0]?.remoteId])
  })

  it('is listed in order, right after its post', async () => {
    const bird = await channel()
    const post = threadOf(['One', 'Two', 'Three'], [], 'Comment')
    const sent = await sendAll(bird, post)
    // the server lists the newest key first
    expect((await pds.posts(bird.account)).map(({ uri }) => uri)).toEqual(
      sent.map(({ remoteId }) => remoteId).toReversed(),
    )
    const [first = '', ...others] = sent.map(({ remoteId }) => remoteId.slice(remoteId.lastIndexOf('/') + 1))
    const seconds = others.map((key) => (microsecondOf(key) - microsecondOf(first)) / 1_000_000)
    expect(seconds.every((after) => after > 0 && after < 3)).toBe(true)
  })

  it('is deleted completely even if its follow-ups have keys in the earlier format', async () => {
    const bird = await channel()
    const post = threadOf(['One', 'Two'], [], 'Comment')
    const [root] = await sendAll(bird, outgoing('One', { sendKey: post.sendKey }))
    if (!root) throw new Error('not sent')
    for (const part of partsOf(post))
      await sendFollowUp(bird, post, { ...toSend(post, part, [root]), sendKey: formerTidFrom(post.sendKey, part.key) })
    expect((await recordsOf(bird)).size).toBe(3)
    await bluesky.publish.remove?.(reach, bird.secret, bird.ref, root.remoteId)
    expect((await recordsOf(bird)).size).toBe(0)
  })

  it("has a different key for each follow-up, derived from the post's key", () => {
    const [one, two] = [threadOf(['a', 'b', 'c'], [], 'd'), threadOf(['a', 'b', 'c'], [], 'd')]
    const keys = [one, two].flatMap((post) => [
      post.sendKey,
      ...partsOf(post).map((part) => toSend(post, part, []).sendKey),
    ])
    expect(new Set(keys).size).toBe(8)
    expect(keys.every((key) => /^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/.test(key))).toBe(true)
    expect(partsOf(one).map((part) => toSend(one, part, []).sendKey)).toEqual(keys.slice(1, 4))
  })
})

describe('a video', () => {
  it('is streamed to a server without the video service, and shown with its alt text and aspect ratio', async () => {
    const bird = await channel()
    let pieces = 0
    const bytes = 3_000_000
    const post = await prepared(bird, outgoing('A film', { media: [film(bytes, () => (pieces += 1))] }))
    const [root] = await sendAll(bird, post)
    expect((await recordsOf(bird)).get(root?.remoteId ?? '')?.embed).toMatchObject({
      $type: 'app.bsky.embed.video',
      video: { mimeType: 'video/mp4', size: bytes },
      alt: 'Rooks at dusk',
      aspectRatio: { width: 1280, height: 720 },
    })
    expect(pieces).toBe(Math.ceil((bytes - 32) / 65_536))
  })

  it('is refused before sending anything if it has more than 50 MB', async () => {
    const bird = await channel()
    let pieces = 0
    const post = outgoing('', { media: [film(50_000_001, () => (pieces += 1))] })
    expect(await bluesky.publish.prepare(reach, bird.secret, bird.ref, post)).toMatchObject({
      kind: 'rejected',
      reason: { code: 'bluesky-file-too-large', params: { most: 50 } },
    })
    expect(pieces).toBe(0)
  })
})
