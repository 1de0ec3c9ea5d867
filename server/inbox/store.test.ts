import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contentOn, testPlatform } from '../testing/content.ts'
import { received, remoteItem, storeChanges } from '../testing/inbox.ts'
import type { TestHome } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { asTenant } from '../db/tenant.ts'
import { eraseExpired } from './retention.ts'
import { sql } from 'kysely'

let app: TestApp
let home: TestHome
let channelId: string
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channelId = await contentOn(app.parts).channel(home)
})

const ago = (minutes: number) => new Date(app.clock.now().getTime() - minutes * 60_000)
const DAY = 24 * 60
const conversation = async (id: string) =>
  (await app.database.owner.query('select * from conversation where id = $1', [id])).rows[0]
const conversations = async () =>
  (await app.database.owner.query('select * from conversation where org_id = $1 order by created_at', [home.orgId]))
    .rows
const items = async () =>
  (await app.database.owner.query('select * from inbox_item where org_id = $1 order by at', [home.orgId])).rows
const found = async (words: string) =>
  await asTenant(app.parts.databases.web, home.orgId, async (tx) =>
    (
      await sql<{ id: string }>`select unnest(search_conversations(${home.projectId}, ${words}, 2000)) as id`.execute(
        tx,
      )
    ).rows.map(({ id }) => id),
  )
const item = (more: Partial<Parameters<typeof remoteItem>[0]> = {}) => remoteItem({ channelId, at: ago(5), ...more })
const store = (changes: Parameters<typeof storeChanges>[3], options = {}) =>
  storeChanges(app, home, channelId, changes, options)

describe('what a platform tells of', () => {
  it('becomes an open conversation with its author, its preview and who waits', async () => {
    const { conversationId } = await received(app, home, { channelId, text: ' Is it \n open today? ', at: ago(5) })
    expect(await conversation(conversationId)).toMatchObject({
      kind: 'comment',
      status: 'OPEN',
      preview: 'Is it open today?',
      last_direction: 'received',
      last_at: ago(5),
      last_received_at: ago(5),
      unanswered: 1,
      waiting_since: ago(5),
      answered: false,
    })
    const { rows } = await app.database.owner.query(
      'select p.name, p.handle from conversation c join inbox_person p on p.id = c.person_id where c.id = $1',
      [conversationId],
    )
    expect(rows).toEqual([{ name: 'Maya', handle: '@maya.example' }])
  })

  it('is one row however often it comes, and an older version changes nothing', async () => {
    const first = item({ text: 'Helo' })
    const edited = { ...first, text: 'Hello', version: 2, editedAt: ago(3) }
    await store([first])
    expect((await store([edited])).changed).toHaveLength(1)
    expect(await store([first, edited])).toEqual({ changed: [], received: [] })
    await store([first])
    expect(await items()).toMatchObject([{ text: 'Hello', edited_at: ago(3) }])
    expect((await conversations())[0]).toMatchObject({ preview: 'Hello', unanswered: 1, version: 3 })
  })

  it('stays deleted when it comes again, and keeps no text', async () => {
    const one = item({ text: 'secret' })
    await store([one])
    await store([{ change: 'deleted', remoteId: one.remoteId, at: ago(1) }])
    await store([{ ...one, version: 9, text: 'secret again' }])
    expect(await items()).toMatchObject([{ text: null, deleted_at: ago(1) }])
    expect((await conversations())[0]).toMatchObject({
      status: 'CLOSED',
      preview: '',
      unanswered: 0,
      last_received_at: null,
    })
    expect(await found('secret')).toEqual([])
  })

  it('is deleted from the start when the deletion came first', async () => {
    const one = item({ text: 'secret' })
    expect(await store([{ change: 'deleted', remoteId: one.remoteId, at: ago(1) }])).toEqual({
      changed: [],
      received: [],
    })
    expect(await store([one])).toMatchObject({ received: [] })
    expect(await items()).toMatchObject([{ text: null, deleted_at: ago(1) }])
    expect((await conversations())[0]).toMatchObject({ status: 'CLOSED', unanswered: 0 })
  })

  it('is ours when we wrote it: it answers, and opens nothing', async () => {
    const { conversationId, remoteId } = await received(app, home, { channelId, at: ago(30) })
    await received(app, home, { channelId, threadKey: remoteId, at: ago(20), from: 'ben' })
    await app.database.owner.query("update conversation set status = 'CLOSED' where id = $1", [conversationId])
    await received(app, home, { channelId, threadKey: remoteId, isOurs: true, type: 'REPLY', text: 'Yes', at: ago(10) })
    expect(await conversation(conversationId)).toMatchObject({
      status: 'CLOSED',
      unanswered: 0,
      waiting_since: null,
      answered: true,
      last_direction: 'sent',
      last_received_at: ago(20),
    })
    // late, and older than our answer: it opens, since nobody here has seen it, but waits for nothing
    await received(app, home, { channelId, threadKey: remoteId, at: ago(15) })
    expect(await conversation(conversationId)).toMatchObject({
      status: 'OPEN',
      unanswered: 0,
      last_received_at: ago(15),
    })
  })

  it('reopens what was closed or put off', async () => {
    const { conversationId, threadKey } = await received(app, home, { channelId, conversation: 'message' })
    for (const set of ["status = 'CLOSED'", "status = 'FOLLOWUP', follow_up_on = '2026-12-01'"]) {
      await app.database.owner.query(`update conversation set ${set} where id = $1`, [conversationId])
      await received(app, home, { channelId, conversation: 'message', threadKey })
      expect(await conversation(conversationId)).toMatchObject({ status: 'OPEN', follow_up_on: null })
    }
  })

  it('closes with our answer on the platform where the project wants that', async () => {
    await app.database.owner.query(
      'insert into inbox_setting (org_id, project_id, reply_closes) values ($1, $2, true)',
      [home.orgId, home.projectId],
    )
    const { conversationId, threadKey } = await received(app, home, { channelId, at: ago(30) })
    await received(app, home, { channelId, threadKey, isOurs: true, at: ago(20) })
    expect(await conversation(conversationId)).toMatchObject({ status: 'CLOSED' })
  })

  it('keeps messages apart from comments whose platform uses the same key', async () => {
    await store([item({ threadKey: '7' }), item({ threadKey: '7', conversation: 'message' })])
    expect(new Set((await conversations()).map(({ kind }) => kind))).toEqual(new Set(['comment', 'message']))
  })

  it('names the post of ours that it is about', async () => {
    const posts = postsOn(app, app.database)
    const postId = await posts.post(home, channelId)
    await posts.put(postId, 'PUBLISHED', { remote_id: 'at://our/post' })
    const { conversationId } = await received(app, home, { channelId, aboutPost: 'at://our/post' })
    expect(await conversation(conversationId)).toMatchObject({ post_id: postId, subject: { text: 'Our post' } })
  })

  it('judges a review by its stars, unless a person did', async () => {
    const review = item({ conversation: 'review', rating: 2 })
    await store([review])
    expect((await conversations())[0]).toMatchObject({ rating: 2, sentiment: 'negative', sentiment_by: 'rating' })
    await app.database.owner.query(
      "update conversation set sentiment = 'neutral', sentiment_by = 'person' where org_id = $1",
      [home.orgId],
    )
    await store([{ ...review, rating: 5, version: 1 }])
    expect((await conversations())[0]).toMatchObject({ rating: 5, sentiment: 'neutral', sentiment_by: 'person' })
  })

  it('judges a conversation by what was written last that says anything', async () => {
    const root = item({ text: 'Terrible, it broke after two days', remoteId: 'root' })
    const { changed } = await store([root])
    const judged = async () => {
      const { sentiment, sentiment_by } = await conversation(changed[0] ?? '')
      return [sentiment, sentiment_by]
    }
    expect(await judged()).toEqual(['negative', 'words'])
    const more = (text: string, minutes: number, also: Parameters<typeof item>[0] = {}) =>
      item({ threadKey: 'root', type: 'REPLY', text, at: ago(minutes), remoteId: text, ...also })
    await store([more('Order 1234', 4), more('I love it', 3, { isOurs: true })])
    expect(await judged()).toEqual(['negative', 'words'])
    await store([more('It works now, thank you so much!', 2)])
    expect(await judged()).toEqual(['positive', 'words'])
    await store([{ change: 'deleted', remoteId: 'It works now, thank you so much!', at: ago(1) }])
    expect(await judged()).toEqual(['negative', 'words'])
    await store([{ ...root, text: 'It is here', version: 1 }])
    expect(await judged()).toEqual([null, null])
  })

  it("keeps what was judged when the text can't be kept", async () => {
    const { changed } = await store([item({ text: 'I love it' })])
    await app.database.owner.query('update inbox_item set keep_until = $1 where org_id = $2', [ago(0), home.orgId])
    await eraseExpired({ ...app.parts, signal: new AbortController().signal })
    expect(await conversation(changed[0] ?? '')).toMatchObject({ preview: '', sentiment: 'positive' })
  })

  it('never fails for what a stranger made of it', async () => {
    const odd = item({ at: new Date('0000-01-01T00:00:00Z'), text: 'a\0b \ud800', rating: 9, version: Number.NaN })
    const [changed] = (await store([odd, item({ remoteId: 'x'.repeat(3000) })])).changed
    expect(await conversation(changed ?? '')).toMatchObject({ last_at: app.clock.now(), unanswered: 1, rating: null })
    expect(await items()).toMatchObject([{ text: expect.stringContaining('ab ') }])
  })

  it('opens its conversation while the platform holds it for review, and waits for no answer', async () => {
    const held = await received(app, home, { channelId, hidden: true, held: true })
    expect(await conversation(held.conversationId)).toMatchObject({ status: 'OPEN', unanswered: 0, held: 1 })
    const spam = await received(app, home, { channelId, hidden: true })
    expect(await conversation(spam.conversationId)).toMatchObject({ status: 'CLOSED', unanswered: 0, held: 0 })
  })

  it('is held for review until the platform shows it or it is deleted', async () => {
    const [approved, deleted] = [item({ hidden: true, held: true }), item({ hidden: true, held: true })]
    await store([approved, deleted])
    const heldIn = async (threadKey: string) =>
      (await conversations()).find(({ thread_key: key }) => key === threadKey)?.held
    expect([await heldIn(approved.threadKey), await heldIn(deleted.threadKey)]).toEqual([1, 1])
    await store([
      { ...approved, hidden: false, held: false },
      { change: 'deleted', remoteId: deleted.remoteId, at: ago(1) },
    ])
    expect([await heldIn(approved.threadKey), await heldIn(deleted.threadKey)]).toEqual([0, 0])
  })

  it('is held for review when the platform decides so later', async () => {
    const one = item({ hidden: true })
    await store([one])
    await store([{ ...one, held: true }])
    expect((await conversations())[0]).toMatchObject({ held: 1 })
  })

  it('counts for nothing while it is hidden', async () => {
    const one = item()
    await store([one])
    await store([{ ...one, hidden: true }])
    expect((await conversations())[0]).toMatchObject({ unanswered: 0, waiting_since: null })
  })
})

describe('the first reading', () => {
  it('is silent but for the last hour, and closes what is older than 14 days or answered', async () => {
    const old = item({ at: ago(15 * DAY) })
    const waiting = item({ at: ago(2 * DAY) })
    const answered = item({ at: ago(3 * DAY) })
    const answer = item({ threadKey: answered.threadKey, isOurs: true, at: ago(2 * DAY) })
    const fresh = item({ at: ago(59) })
    const { received: news } = await store([old, waiting, answered, answer, fresh], { first: true })
    expect(news).toMatchObject([{ at: ago(59) }])
    const statuses = new Map((await conversations()).map(({ thread_key: key, status }) => [key, status]))
    expect([old, waiting, answered, fresh].map(({ threadKey }) => statuses.get(threadKey))).toEqual([
      'CLOSED',
      'OPEN',
      'CLOSED',
      'OPEN',
    ])
  })
})

describe('a first reading after people have worked with what it brings', () => {
  it('leaves open what someone here answered, and closes what the platform’s own answers end', async () => {
    const ours = await received(app, home, { channelId, text: 'Hello?' })
    const theirs = await received(app, home, { channelId, text: 'Hi?' })
    await app.database.owner.query(
      "insert into reply (org_id, id, conversation_id, channel_id, author_id, text, state, created_at) values ($1, gen_random_uuid(), $2, $3, $4, 'Yes', 'SENT', now())",
      [home.orgId, ours.conversationId, channelId, home.person.personId],
    )
    const answerTo = ({ threadKey }: { threadKey: string }) => item({ threadKey, isOurs: true, at: ago(0) })
    await store([answerTo(ours), answerTo(theirs)], { first: true })
    const statuses = new Map((await conversations()).map(({ thread_key: key, status }) => [key, status]))
    expect([ours, theirs].map(({ threadKey }) => statuses.get(threadKey))).toEqual(['OPEN', 'CLOSED'])
  })
})

describe('the search for conversations', () => {
  it('finds them by the beginnings of words of one item, the name and handle of its author, in the project alone', async () => {
    const { conversationId } = await received(app, home, { channelId, text: 'Öffnet ihr am Sonntag?', from: 'ilse' })
    for (const words of ['sonn', 'öffn', 'Ilse sonntag', '@ilse.exam'])
      expect(await found(words)).toEqual([conversationId])
    for (const words of ['sonntagen', 'montag', '!?']) expect(await found(words)).toEqual([])
    const other = await app.signedInOwner()
    const theirs = await asTenant(
      app.parts.databases.web,
      other.orgId,
      async (tx) =>
        (await sql`select unnest(search_conversations(${home.projectId}, 'sonntag', 2000)) as id`.execute(tx)).rows,
    )
    expect(theirs).toEqual([])
  })

  it('knows a person by the name they have now', async () => {
    const { remoteId } = await received(app, home, { channelId, from: 'ilse' })
    const renamed = { ...item({ remoteId, from: 'ilse', version: 1 }) }
    await store([
      {
        ...renamed,
        author: { remoteId: 'remote-ilse', name: 'Ilse Neumann', handle: '', pictureUrl: null, url: null },
      },
    ])
    expect(await found('neumann')).toHaveLength(1)
    // an empty handle replaces nothing
    expect(await found('ilse.example neumann')).toHaveLength(1)
  })
})

it("doesn't wait for those who schedule posts on the channel", async () => {
  const other = await app.database.owner.connect()
  try {
    await other.query('begin')
    await other.query("select set_config('app.org_id', $1, true)", [home.orgId])
    await other.query('select * from lock_caps(array[$1]::uuid[], false, 100, now())', [channelId])
    // that one commits only after the items are stored
    await store([item({ text: 'Hello' })])
    expect(await items()).toMatchObject([{ text: 'Hello' }])
  } finally {
    await other.query('rollback')
    other.release()
  }
})

it('tells open screens of each conversation that changed, and of nothing else', async () => {
  const one = item()
  const [changed] = (await store([one])).changed
  await store([one])
  const { rows } = await app.database.owner.query(
    "select project_id, ref from event where org_id = $1 and kind = 'conversation'",
    [home.orgId],
  )
  expect(rows).toEqual([{ project_id: home.projectId, ref: changed }])
})
