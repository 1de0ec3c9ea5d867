import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sharedPds, type TestAccount, type TestPds } from '../../testing/pds/startPds.ts'
import type { Platform, Reach } from '../platform.ts'
import { createSafeFetch } from '../safeFetch.ts'
import type { FoundPost, OwnPosts } from '../ownPosts.ts'
import { createBluesky } from './adapter.ts'
import { outgoing } from './fixtures/outgoing.ts'
import { OwnRecord } from './ownRecord.ts'
import { timeOf } from './tid.ts'

let pds: TestPds
let bluesky: Platform
let reach: Reach
beforeAll(async () => {
  pds = await sharedPds()
  bluesky = createBluesky({ plcDirectory: pds.directory })
  reach = { fetch: createSafeFetch({ allow: [pds.host, pds.directoryHost] }), signal: new AbortController().signal }
})

async function channel() {
  const account = await pds.createAccount()
  const answer = await bluesky.connect.withCredentials?.(reach, {
    handle: account.handle,
    appPassword: account.appPassword,
    service: pds.url,
  })
  if (answer?.kind !== 'connected') throw new Error('not connected')
  return {
    account,
    secret: answer.secret,
    ref: { remoteId: account.did, handle: `@${account.handle}`, service: pds.url },
  }
}
type Channel = Awaited<ReturnType<typeof channel>>

const Created = z.object({ uri: z.string(), cid: z.string() })

/** Writes a record as the account's own app does, at its own time. */
async function write(
  { account }: { account: TestAccount },
  record: Record<string, unknown>,
  collection = 'app.bsky.feed.post',
) {
  const answer = await fetch(`${pds.url}/xrpc/com.atproto.repo.createRecord`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${account.accessJwt}` },
    body: JSON.stringify({
      repo: account.did,
      collection,
      record: { $type: collection, createdAt: '2026-11-01T09:00:00.000Z', ...record },
    }),
  })
  return Created.parse(await answer.json())
}
const read = ({ secret, ref }: Channel) => bluesky.ownPosts?.list(reach, secret, ref, { cursor: null })

/** Every page. `between` happens after each but the last. */
async function listAll(
  { secret, ref }: Channel,
  between: (seen: readonly FoundPost[]) => Promise<void> = async () => undefined,
) {
  const posts: FoundPost[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<OwnPosts['list']>> | undefined = await bluesky.ownPosts?.list(reach, secret, ref, {
      cursor,
    })
    if (page?.kind !== 'posts') throw new Error(JSON.stringify(page))
    posts.push(...page.posts)
    cursor = page.next
    if (cursor !== null) await between(page.posts)
  } while (cursor !== null)
  return posts
}

async function erase({ account }: { account: TestAccount }, uri: string) {
  await fetch(`${pds.url}/xrpc/com.atproto.repo.deleteRecord`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${account.accessJwt}` },
    body: JSON.stringify({ repo: account.did, collection: 'app.bsky.feed.post', rkey: uri.split('/').at(-1) }),
  })
}

describe('the own posts of an account', () => {
  it('are those that were published here and elsewhere, each once under the ID that publishing stores, newest first', async () => {
    const bird = await channel()
    const before = await write(bird, { text: 'From the app' })
    const now = new Date()
    const post = outgoing('From here', { createdAt: now, sendKey: bluesky.publish.chooseSendKey(now) })
    const sent = await bluesky.publish.send(reach, bird.secret, bird.ref, post)
    if (sent.kind !== 'sent') throw new Error(JSON.stringify(sent))
    const after = await write(bird, { text: 'From the app again', createdAt: new Date().toISOString() })
    const posts = await listAll(bird)
    // by their keys: ours is later than any other that this process chose, whose clock another test may have advanced
    const all = [after.uri, sent.remoteId, before.uri].toSorted().toReversed()
    expect(posts.map(({ remoteId }) => remoteId)).toEqual(all)
    expect(posts.find(({ remoteId }) => remoteId === sent.remoteId)).toEqual({
      remoteId: sent.remoteId,
      postType: 'post',
      publishedAt: now,
      text: 'From here',
      permalink: `https://bsky.app/profile/${bird.account.did}/post/${post.sendKey}`,
      pictureUrl: null,
    })
  })

  it("aren't doubled or skipped when posts are added and deleted between two pages", async () => {
    const bird = await channel()
    const uris: string[] = []
    for (let n = 0; n < 45; n++) uris.push((await write(bird, { text: `Number ${n}` })).uri)
    const posts = await listAll(bird, async (seen) => {
      await erase(bird, seen[3]?.remoteId ?? '')
      await erase(bird, seen.at(-1)?.remoteId ?? '')
      await write(bird, { text: 'Meanwhile' })
    })
    expect(posts.map(({ remoteId }) => remoteId)).toEqual(uris.toReversed())
  })

  it('have the picture of their files, and no later time than their key', async () => {
    const bird = await channel()
    const picture = { $type: 'blob', ref: { $link: 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku' } }
    const shown = OwnRecord.parse({
      $type: 'app.bsky.feed.post',
      text: '',
      embed: { $type: 'app.bsky.embed.recordWithMedia', media: { images: [{ image: picture, alt: '' }] } },
    })
    expect(shown.picture).toBe(picture.ref.$link)
    const { uri } = await write(bird, { text: 'From the future', createdAt: '2999-01-01T00:00:00Z' })
    const [post] = await listAll(bird)
    expect(post?.publishedAt).toEqual(timeOf(uri.split('/').at(-1) ?? ''))
  })

  it("are the account's own: no replies, no reposts", async () => {
    const bird = await channel()
    const first = await write(bird, { text: 'The rooks are back.' })
    await write(bird, { text: 'Yes, all of them.', reply: { root: first, parent: first } })
    await write(bird, { subject: first }, 'app.bsky.feed.repost')
    const last = await write(bird, { text: 'Sticks 👩‍👩‍👧‍👦 everywhere.', createdAt: '2026-11-02T10:00:00Z' })
    expect(await read(bird)).toMatchObject({
      kind: 'posts',
      posts: [
        { remoteId: last.uri, text: 'Sticks 👩‍👩‍👧‍👦 everywhere.', publishedAt: new Date('2026-11-02T10:00:00Z') },
        { remoteId: first.uri, text: 'The rooks are back.', publishedAt: new Date('2026-11-01T09:00:00Z') },
      ],
    })
  })

  it('are none for an account without posts', async () =>
    expect(await read(await channel())).toEqual({ kind: 'posts', posts: [], next: null }))

  it("aren't available for an account that was taken down, with an explanation", async () => {
    const bird = await channel()
    await write(bird, { text: 'Hello' })
    await pds.takeDown(bird.account)
    expect(await read(bird)).toMatchObject({
      kind: 'rejected',
      reason: { code: 'bluesky-posts-hidden', platformCode: 'InvalidRequest' },
    })
  })
})
