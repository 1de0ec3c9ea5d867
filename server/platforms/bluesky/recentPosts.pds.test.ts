import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sharedPds, type TestAccount, type TestPds } from '../../testing/pds/startPds.ts'
import type { Platform, Reach } from '../platform.ts'
import { createSafeFetch } from '../safeFetch.ts'
import { createBluesky } from './adapter.ts'

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
const read = ({ secret, ref }: Channel, limit = 50) => bluesky.read?.recentPosts(reach, secret, ref, limit)

describe('the recent posts of an account', () => {
  it("are the account's own, newest first: no replies, no reposts, none without text", async () => {
    const bird = await channel()
    const first = await write(bird, { text: 'The rooks are back.' })
    await write(bird, { text: 'Yes, all of them.', reply: { root: first, parent: first } })
    await write(bird, { subject: first }, 'app.bsky.feed.repost')
    await write(bird, { text: '' })
    await write(bird, { text: 'Sticks 👩‍👩‍👧‍👦 everywhere.', createdAt: '2026-11-02T10:00:00Z' })
    expect(await read(bird)).toEqual({
      kind: 'posts',
      posts: [
        { text: 'Sticks 👩‍👩‍👧‍👦 everywhere.', createdAt: new Date('2026-11-02T10:00:00Z') },
        { text: 'The rooks are back.', createdAt: new Date('2026-11-01T09:00:00Z') },
      ],
    })
  })

  it('are empty for an account without posts', async () =>
    expect(await read(await channel())).toEqual({ kind: 'posts', posts: [] }))

  it('are found behind a page of replies, up to the requested number', async () => {
    const bird = await channel()
    for (const n of [1, 2, 3]) await write(bird, { text: `Old ${n}` })
    const parent = await write(bird, { text: 'The newest of its own' })
    for (let n = 0; n < 55; n++) await write(bird, { text: `Reply ${n}`, reply: { root: parent, parent } })
    const found = await read(bird, 3)
    expect(found?.kind === 'posts' ? found.posts.map(({ text }) => text) : found).toEqual([
      'The newest of its own',
      'Old 3',
      'Old 2',
    ])
  })

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
