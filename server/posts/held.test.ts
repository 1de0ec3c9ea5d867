import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { randomUUIDv7 } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { editLabel } from '#contract/labels.ts'
import { listPosts } from '#contract/postLists.ts'
import { getPost } from '#contract/posts.ts'
import { insertMany } from '../db/insertMany.ts'
import { asTenant } from '../db/tenant.ts'
import { hashToken } from '../http/session.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'

/* Replies that are sent again while nothing in them changed: never outdated, never another person's, and bounded. */

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let taxonomy: ReturnType<typeof taxonomyOn>
let home: TestHome
let channel: string
let statements: () => string[]
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
  taxonomy = taxonomyOn(app)
  statements = statementsOn(app.parts.databases.web)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await content.channel(home)
})

/** The statements that requests send from now on. */
function statementsOn(pool: pg.Pool): () => string[] {
  const known = new WeakSet<pg.PoolClient>()
  let sent: string[] = []
  pool.on('acquire', (client) => {
    if (known.has(client)) return
    known.add(client)
    const query = client.query.bind(client)
    client.query = (...args: unknown[]) => {
      const [first] = args
      sent.push(typeof first === 'string' ? first : String(Object(first).text))
      // the same arguments, whichever of query's forms they are of
      return Reflect.apply(query, client, args) as never
    }
  })
  return () => {
    const all = sent
    sent = []
    return all
  }
}

const MONTH = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z', view: 'month' } as const
const list = (as: TestPerson = home.person, headers: Record<string, string> = {}) =>
  app.send(listPosts, { params: home.params, query: MONTH }, { as, headers })
const textsIn = (body: string): string[] => JSON.parse(body).posts.map((post: { excerpt: string }) => post.excerpt)
const isCheckOnly = (sent: readonly string[]) =>
  sent.length === 1 && sent.every((text) => text.includes('reply_checks'))
const sql = (text: string, values: unknown[] = []) => app.database.owner.query(text, values)
const emit = (kind: string, ref: string) =>
  asTenant(app.parts.databases.web, home.orgId, (tx) =>
    insertMany(tx, 'event', [{ at: app.clock.now(), org_id: home.orgId, project_id: home.projectId, kind, ref }]),
  )

describe('a list that was read before', () => {
  it('is sent again after one check, with a tag that holds, until something in it changes', async () => {
    const postId = await posts.post(home, channel, { text: 'First' })
    const first = await list()
    statements()
    const again = await list()
    expect(isCheckOnly(statements())).toBe(true)
    expect([again.statusCode, again.body]).toEqual([200, first.body])
    expect(again.headers['content-type']).toBe(first.headers['content-type'])
    expect((await list(home.person, { 'if-none-match': String(again.headers.etag) })).statusCode).toBe(304)
    await posts.post(home, channel, { text: 'Second' })
    expect(textsIn((await list()).body).toSorted()).toEqual(['First', 'Second'])
    await sql("update post set excerpt = 'Changed' where id = $1", [postId])
    await emit('post', postId)
    expect(textsIn((await list()).body)).toContain('Changed')
  })

  it('is read again after a change of a label, a channel or a name', async () => {
    await posts.post(home, channel)
    const labelId = await taxonomy.label(home)
    const body = { labelName: 'Renamed', color: 'blue' } as const
    for (const change of [
      () => app.call(editLabel, { params: { ...home.params, labelId }, body }, { as: home.person }),
      () => emit('channel', channel),
      () => sql("update person set first_name = 'Olga' where id = $1", [home.person.personId]),
    ]) {
      await list()
      statements()
      await list()
      expect(isCheckOnly(statements())).toBe(true)
      await change()
      statements()
      expect((await list()).statusCode).toBe(200)
      expect(isCheckOnly(statements())).toBe(false)
    }
  })

  it('shows a change to the request that follows it, however many are running', async () => {
    await posts.post(home, channel, { text: 'Post 0' })
    for (let i = 1; i <= 5; i += 1) {
      const before = Array.from({ length: 30 }, () => list())
      await posts.post(home, channel, { text: `Post ${i}` })
      const after = await Promise.all(Array.from({ length: 30 }, () => list()))
      for (const { body } of after) expect(textsIn(body)).toContain(`Post ${i}`)
      await Promise.all(before)
    }
  })

  it('is not sent to another person, to other rights, or to someone who has left', async () => {
    await posts.post(home, channel, { text: 'Theirs' })
    const other = await content.channel(home)
    await posts.post(home, other, { text: 'Elsewhere' })
    const editor = await app.colleague(home, 'editor', { channelIds: [channel] })
    expect(textsIn((await list()).body).toSorted()).toEqual(['Elsewhere', 'Theirs'])
    for (let i = 0; i < 2; i += 1) expect(textsIn((await list(editor)).body)).toEqual(['Theirs'])
    const twin = await app.colleague(home, 'editor', { channelIds: [channel] })
    statements()
    expect(textsIn((await list(twin)).body)).toEqual(['Theirs'])
    expect(isCheckOnly(statements())).toBe(false)
    // written behind the product's back, without an event
    await sql('update project_member set channel_ids = $2 where person_id = $1', [editor.personId, [other]])
    expect(textsIn((await list(editor)).body)).toEqual(['Elsewhere'])
    await sql('update project_member set channel_ids = $2 where person_id = $1', [editor.personId, [channel]])
    expect(textsIn((await list(editor)).body)).toEqual(['Theirs'])
    await sql('delete from project_member where person_id = $1', [editor.personId])
    expect((await list(editor)).json()).toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    await sql('delete from session where person_id = $1', [home.person.personId])
    expect((await list()).json()).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('is read again after 20 hours, and on a restored database', async () => {
    await sql(
      "insert into instance (system_identifier, timeline, alive_at) values ('1', 1, now()) on conflict do nothing",
    )
    const isHeld = async () => {
      statements()
      await list()
      return isCheckOnly(statements())
    }
    await list()
    expect(await isHeld()).toBe(true)
    app.clock.advance({ hours: 21 })
    expect(await isHeld()).toBe(false)
    expect(await isHeld()).toBe(true)
    await sql('update instance set timeline = timeline + 1')
    expect(await isHeld()).toBe(false)
  })

  it('is sent in each encoding as the same JSON', async () => {
    for (let i = 0; i < 9; i += 1) await posts.post(home, channel, { text: `Post ${i}` })
    const { body } = await list()
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      for (let i = 0; i < 2; i += 1) {
        const sent = await list(home.person, { 'accept-encoding': encoding })
        expect([sent.headers['content-encoding'], sent.headers.vary]).toEqual([encoding, 'accept-encoding'])
        expect(Number(sent.headers['content-length'])).toBe(sent.rawPayload.length)
        expect(decode(sent.rawPayload).toString()).toBe(body)
      }
      const elsewhere = await list(home.person, { 'accept-encoding': encoding, 'sec-fetch-site': 'cross-site' })
      expect(elsewhere.headers['content-encoding']).toBeUndefined()
    }
  })

  it('counts against the limit of searches', async () => {
    const search = () => app.send(listPosts, { params: home.params, query: { q: 'coffee' } }, { as: home.person })
    const codes = new Set<number>()
    for (let i = 0; i < 601; i += 1) codes.add((await search()).statusCode)
    expect([...codes]).toEqual([200, 429])
  })
})

describe('a post that was read before', () => {
  const read = async (postId: string, as: TestPerson = home.person) =>
    await app.send(getPost, { params: { ...home.params, postId } }, { as })

  it('is sent again after one check from the third time on; the first takes no work for that', async () => {
    const postId = await posts.post(home, channel)
    statements()
    const first = await read(postId)
    expect(statements().join()).not.toContain('post_stamps')
    expect((await read(postId)).body).toBe(first.body)
    expect(statements().join()).toContain('post_stamps')
    expect((await read(postId)).body).toBe(first.body)
    expect(isCheckOnly(statements())).toBe(true)
    expect(first.headers.etag).toBeUndefined()
  })

  it('is read again after a change of anything that its page shows, with or without an event', async () => {
    const picture = await content.picture(home)
    const [labelId, campaignId] = [await taxonomy.label(home), await taxonomy.campaign(home)]
    const postId = await posts.post(home, channel, { media: [{ assetId: picture }] })
    await posts.put(postId, 'PUBLISHED')
    const p = 'select org_id, id from post where id = $1'
    const delivery = (subject: string, key: string, more: string) =>
      `insert into delivery (org_id, channel_id, subject, subject_id, key, state, failure, details, wanted_at)
       select org_id, channel_id, '${subject}', id, '${key}', ${more}, now() from post where id = $1`
    const follow = delivery('follow-up', 'comment', `'waiting', null, '{"kind":"comment"}'`)
    const edit = delivery('edit', '', `'failed', '{"code":"rate-limited"}', '{}'`)
    const changes: [string, string, unknown[]][] = [
      ['the post', "update post set first_comment = 'Hi' where id = $1", [postId]],
      ['its channel', "update channel set name = 'Renamed' where id = $1", [channel]],
      ['its author', "update person set first_name = 'Olga' where id = $1", [home.person.personId]],
      [
        'a timeline entry',
        "insert into post_event (org_id, post_id, id, kind, at) select org_id, id, uuidv7(), 'labeled', now() from post where id = $1",
        [postId],
      ],
      [
        'a label',
        `insert into post_label (org_id, post_id, label_id) select org_id, id, $2 from (${p})`,
        [postId, labelId],
      ],
      ["the label's name", "update label set name = 'Fresh' where id = $1", [labelId]],
      ['a label taken off', 'delete from post_label where post_id = $1', [postId]],
      [
        'a campaign',
        `insert into post_campaign (org_id, post_id, campaign_id) select org_id, id, $2 from (${p})`,
        [postId, campaignId],
      ],
      ["the campaign's name", "update campaign set name = 'Fresh' where id = $1", [campaignId]],
      ['its file', 'update asset set width = width + 1 where id = $1', [picture]],
      [
        'an approval',
        `insert into approval (org_id, id, post_id, workflow_name, steps, content_hash, sent_by, sent_at, step_at)
         select org_id, uuidv7(), id, 'Legal', '[]', '\\x00', author_id, now(), now() from post where id = $1`,
        [postId],
      ],
      ["the approval's state", "update approval set state = 'approved', ended_at = now() where post_id = $1", [postId]],
      ['a follow-up', follow, [postId]],
      [
        "a follow-up's state",
        "update delivery set state = 'sent' where subject_id = $1 and subject = 'follow-up'",
        [postId],
      ],
      ['a failed edit', edit, [postId]],
    ]
    await read(postId)
    let before = await read(postId)
    for (const [what, change, values] of changes) {
      expect((await read(postId)).body, what).toBe(before.body)
      expect((await sql(change, values)).rowCount, what).toBeGreaterThan(0)
      const after = await read(postId)
      expect(after.statusCode, what).toBe(200)
      expect(after.body, what).not.toBe(before.body)
      before = after
    }
  })

  it('is not there after its deletion from the database, nor for someone who lost its channel', async () => {
    const postId = await posts.post(home, channel)
    const editor = await app.colleague(home, 'editor', { channelIds: [channel] })
    for (let i = 0; i < 3; i += 1) expect((await read(postId, editor)).statusCode).toBe(200)
    await sql('update project_member set channel_ids = $2 where person_id = $1', [
      editor.personId,
      [await content.channel(home)],
    ])
    expect((await read(postId, editor)).statusCode).toBe(404)
    for (let i = 0; i < 2; i += 1) expect((await read(postId)).statusCode).toBe(200)
    await sql('delete from delivery where subject_id = $1', [postId])
    await sql('delete from post where id = $1', [postId])
    expect((await read(postId)).statusCode).toBe(404)
  })
})

describe('the check', () => {
  it('tells nothing of a project that its caller cannot enter, even if someone else asks with them', async () => {
    const postId = await posts.post(home, channel)
    const stranger = await app.signedInOwner()
    const tokenOf = ({ cookies }: TestPerson) => hashToken([...cookies.values()][0] ?? '')
    const tokens = [tokenOf(home.person), tokenOf(stranger.person), tokenOf(home.person), hashToken(randomUUIDv7())]
    const each = <T>(value: T) => tokens.map(() => value)
    const { rows } = await app.parts.databases.web.query(
      'select * from reply_checks($1::bytea[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7, 51)',
      [
        tokens,
        [home.orgId, home.orgId, stranger.orgId, home.orgId],
        [home.projectId, home.projectId, home.projectId, home.projectId],
        each('1'),
        each('{post,figure}'),
        each(`{${postId}}`),
        app.clock.now(),
      ],
    )
    expect(rows).toHaveLength(4)
    expect(rows[0]).toMatchObject({ events: expect.stringContaining('['), stamps: expect.stringContaining(postId) })
    for (const row of rows.slice(1)) expect(row).toMatchObject({ events: null, stamps: null })
    const other = await app.parts.databases.web.query(
      'select * from reply_checks($1::bytea[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7, 51)',
      [
        [tokenOf(stranger.person)],
        [stranger.orgId],
        [stranger.projectId],
        [null],
        ['{post}'],
        [`{${postId}}`],
        app.clock.now(),
      ],
    )
    expect(other.rows).toMatchObject([{ stamps: null }])
  })

  it('serves many requests by few statements, and other callers with them', async () => {
    await posts.post(home, channel)
    const second = await app.signedInOwner()
    const theirs = () => app.send(listPosts, { params: second.params, query: MONTH }, { as: second.person })
    await Promise.all([list(), theirs()])
    const first = await theirs()
    statements()
    const replies = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? list() : theirs())))
    const sent = statements()
    expect(sent.every((text) => text.includes('reply_checks'))).toBe(true)
    expect(sent.length).toBeLessThanOrEqual(4)
    for (const [i, { body }] of replies.entries())
      if (i % 2 === 1) expect(body).toBe(first.body)
      else expect(textsIn(body)).toHaveLength(1)
  })
})
