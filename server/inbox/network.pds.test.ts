import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { connectBluesky } from '#contract/channels.ts'
import { getConversation, listConversations } from '#contract/inbox/conversations.ts'
import { reactToItem, sendReply } from '#contract/inbox/replies.ts'
import { composePlatforms } from '../platforms/registry.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startPds, type TestAccount, type TestPds } from '../testing/pds/startPds.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { readDueInboxes } from './read.ts'

/*
 * The inbox on the real network: Bluesky's own server, and its own app view behind it, which reads what the server tells
 * everyone and counts, sorts and notifies. Nothing of it is simulated.
 */

let network: TestDatabase
let pds: TestPds
let app: TestApp
let home: TestHome
beforeAll(async () => {
  network = await createTestDatabase({ empty: true })
  const { superuser } = inject('cluster')
  const database = new URL(`postgres://localhost/${network.settings.app.database}`)
  database.username = superuser.user
  database.password = superuser.password ?? ''
  database.searchParams.set('host', superuser.host)
  pds = await startPds({ network: { database: database.href } })
  const bluesky = composePlatforms({ plcDirectory: pds.directory, publicUrl: 'http://rookery.test' })('bluesky')
  app = await startApp({
    at: new Date(),
    platforms: { ...(bluesky && { bluesky }) },
    fetch: createSafeFetch({ allow: [pds.host, pds.directoryHost] }),
  })
  home = await app.signedInOwner()
})
afterAll(async () => {
  await app.close()
  await pds.stop()
  await network.drop()
})

type Strong = { uri: string; cid: string }

/** What an account does in Bluesky's own app. */
const write = async (account: TestAccount, record: { $type?: string; [field: string]: unknown }): Promise<Strong> =>
  await pds.create(account, { $type: 'app.bsky.feed.post', createdAt: new Date().toISOString(), ...record })
const mention = ({ did, handle }: TestAccount) => ({
  index: { byteStart: 0, byteEnd: handle.length + 1 },
  features: [{ $type: 'app.bsky.richtext.facet#mention', did }],
})

const Shown = z.object({
  posts: z.array(
    z.object({
      uri: z.string(),
      replyCount: z.number(),
      likeCount: z.number(),
      record: z.object({ text: z.string(), reply: z.object({ parent: z.object({ uri: z.string() }) }).optional() }),
    }),
  ),
})
/** Posts as the network shows them to an account. */
async function shownTo(account: TestAccount, ...uris: string[]) {
  const query = new URLSearchParams(uris.map((uri) => ['uris', uri]))
  const answer = await fetch(`${pds.url}/xrpc/app.bsky.feed.getPosts?${query.toString()}`, {
    headers: { authorization: `Bearer ${account.accessJwt}` },
  })
  return Shown.parse(await answer.json()).posts
}
/** The network shows a post a moment after it was written. */
const isShown = (account: TestAccount, uri: string) =>
  until(async () => (await shownTo(account, uri)).length === 1, {
    deadline: 60_000,
    what: 'the network to show a post',
  })

const conversations = async () =>
  (await app.call(listConversations, { params: home.params, query: {} }, { as: home.person })).conversations
const itemsOf = async (conversationId: string) =>
  (await app.call(getConversation, { params: { ...home.params, conversationId } }, { as: home.person })).items

/** Readings, until the network shows what is waited for. */
async function readUntil(isThere: (all: Awaited<ReturnType<typeof conversations>>) => boolean | Promise<boolean>) {
  const asked = async () => {
    // the network dates what is written by the real time
    app.clock.set(new Date())
    await app.database.owner.query("update inbox_cursor set next_at = $1 where next_at < 'infinity'", [app.clock.now()])
    await readDueInboxes(app.parts, { ...app.parts, signal: new AbortController().signal })
    const all = await conversations()
    return (await isThere(all)) && all
  }
  return await until(asked, { deadline: 60_000, what: 'the network to show it' })
}

it('reads replies, mentions and quotes of strangers but no likes, and the network shows what we answer', async () => {
  const [us, nora, otis] = [await pds.createAccount(), await pds.createAccount(), await pds.createAccount()]
  await app.call(
    connectBluesky,
    { params: home.params, body: { handle: us.handle, appPassword: us.appPassword, service: pds.url } },
    { as: home.person },
  )
  const post = await write(us, { text: 'The winter roast is back' })
  await isShown(us, post.uri)
  const comment = await write(nora, { text: 'Finally!', reply: { root: post, parent: post } })
  await write(otis, { text: `@${us.handle} do you ship?`, facets: [mention(us)] })
  await write(otis, { text: 'Look at this', embed: { $type: 'app.bsky.embed.record', record: post } })
  await write(otis, { $type: 'app.bsky.feed.like', subject: post })
  // the network tells of it as a mention only
  const both = await write(nora, {
    text: `@${us.handle} and the decaf?`,
    facets: [mention(us)],
    reply: { root: post, parent: post },
  })

  const all = await readUntil((found) => found.length === 4)
  expect(
    all.map(({ kind, preview, person, unanswered }) => ({ kind, preview, handle: person?.handle, unanswered })),
  ).toEqual(
    expect.arrayContaining([
      { kind: 'comment', preview: 'Finally!', handle: `@${nora.handle}`, unanswered: 1 },
      { kind: 'comment', preview: `@${us.handle} and the decaf?`, handle: `@${nora.handle}`, unanswered: 1 },
      { kind: 'mention', preview: `@${us.handle} do you ship?`, handle: `@${otis.handle}`, unanswered: 1 },
      { kind: 'mention', preview: 'Look at this', handle: `@${otis.handle}`, unanswered: 1 },
    ]),
  )

  // our answer, and our like of what it answers
  const { conversationId } = all.find(({ preview }) => preview.includes('decaf')) ?? { conversationId: '' }
  const [question] = await itemsOf(conversationId)
  const replyId = randomUUID()
  const params = { ...home.params, conversationId }
  await app.call(sendReply, { params, body: { replyId, text: 'Since today' } }, { as: home.person })
  await app.call(
    reactToItem,
    { params, body: { itemId: question?.itemId ?? '', reaction: 'DEFAULT' } },
    { as: home.person },
  )
  await until(
    async () => {
      const [shown] = await shownTo(nora, both.uri)
      return shown?.replyCount === 1 && shown.likeCount === 1
    },
    { deadline: 60_000, what: 'the network to count our answer and our like' },
  )
  const { rows } = await app.database.owner.query<{ remote_id: string }>('select remote_id from reply where id = $1', [
    replyId,
  ])
  expect(await shownTo(nora, rows[0]?.remote_id ?? '')).toMatchObject([
    { record: { text: 'Since today', reply: { parent: { uri: both.uri } } } },
  ])

  // an answer in Bluesky's own app answers a conversation, and what a stranger deletes goes
  await write(us, { text: 'Thank you', reply: { root: post, parent: comment } })
  await readUntil((found) => found.filter(({ unanswered }) => unanswered === 0).length === 2)
  await pds.delete(nora, comment.uri)
  const left = await readUntil((found) => found.some(({ preview }) => preview === 'Thank you'))
  expect(left).toHaveLength(4)
  expect((await itemsOf(conversationId)).map(({ text, reply }) => [text, reply?.state])).toEqual([
    [`@${us.handle} and the decaf?`, undefined],
    ['Since today', 'SENT'],
  ])
  const gone = 'select from inbox_item where remote_id = $1 and deleted_at is not null'
  await readUntil(async () => (await app.database.owner.query(gone, [comment.uri])).rowCount === 1)
}, 180_000)
