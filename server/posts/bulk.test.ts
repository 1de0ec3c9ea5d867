import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bulkPosts, type BulkAction } from '#contract/bulkPosts.ts'
import { createLabel } from '#contract/labels.ts'
import { listPosts, rowsOf } from '#contract/postLists.ts'
import { editingPost } from '#contract/presence.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { at, postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
let channel: string

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  channel = await content.channel(home)
})

const bulk = (body: BulkAction, as: TestPerson = home.person, params = home.params) =>
  app.call(bulkPosts, { params, body }, { as })
const state = async (id: string) => (await posts.row(id))['state']

describe('many posts at once', () => {
  it('are each handled separately, in the order given, with a reason for each refusal', async () => {
    const [a, b, c] = [
      await posts.post(home, channel),
      await posts.post(home, channel),
      await posts.post(home, channel),
    ]
    await posts.put(b, 'PUBLISHED')
    const unknown = randomUUID()
    const reply = await bulk({
      action: 'reschedule',
      postIds: [c, b, unknown, a],
      schedule: at('2026-11-25T09:00:00.000Z'),
    })
    expect(reply).toMatchObject({
      results: [
        { postId: c, ok: true },
        { postId: b, ok: false, code: 'POST_LOCKED', reason: "This post is published. You can't move it anymore." },
        { postId: unknown, ok: false, code: 'NOT_FOUND' },
        { postId: a, ok: true },
      ],
      done: 2,
      failed: 2,
      message: "2 posts rescheduled. 2 posts couldn't be.",
    })
    expect([(await posts.row(a))['due_at'], (await posts.row(b))['due_at']]).toEqual([
      new Date('2026-11-25T09:00:00Z'),
      new Date('2026-11-22T09:30:00Z'),
    ])
    expect(await posts.story(a)).toEqual(['created', 'scheduled', 'rescheduled'])
  })

  it('are deleted, and sent again where they failed', async () => {
    const [a, b] = [await posts.post(home, channel), await posts.post(home, channel)]
    await posts.put(a, 'FAILED')
    expect(await bulk({ action: 'retry', postIds: [a, b] })).toMatchObject({
      done: 1,
      failed: 1,
      message: "1 post sent for processing. 1 post couldn't be.",
    })
    expect(await state(a)).toBe('SCHEDULED')
    expect(await bulk({ action: 'delete', postIds: [a, b] })).toMatchObject({
      done: 2,
      failed: 0,
      message: '2 posts deleted.',
    })
    expect([await state(a), await state(b)]).toEqual(['DELETED', 'DELETED'])
    // nothing to do: still reported as handled
    expect(await bulk({ action: 'delete', postIds: [a, b] })).toMatchObject({ done: 0, failed: 2 })
  })

  it('are restored by one call within a minute and published as planned', async () => {
    const [a, b, c] = [
      await posts.post(home, channel),
      await posts.post(home, channel),
      await posts.post(home, channel),
    ]
    await bulk({ action: 'delete', postIds: [a, b] })
    const user = await app.colleague(home, 'user')
    expect(await bulk({ action: 'restore', postIds: [a] }, user)).toMatchObject({
      results: [{ ok: false, code: 'FORBIDDEN' }],
    })
    const stranger = await app.signedInOwner()
    expect(await bulk({ action: 'restore', postIds: [a] }, stranger.person, stranger.params)).toMatchObject({
      results: [{ ok: false, code: 'NOT_FOUND' }],
    })
    expect(await bulk({ action: 'restore', postIds: [a, c] })).toMatchObject({
      results: [
        { postId: a, ok: true },
        { postId: c, ok: false, code: 'POST_LOCKED' },
      ],
      message: "1 post restored. 1 post couldn't be.",
    })
    expect([await state(a), await state(b), await state(c)]).toEqual(['SCHEDULED', 'DELETED', 'SCHEDULED'])
    expect(await posts.story(a)).toEqual(['created', 'scheduled', 'deleted', 'scheduled'])
    app.clock.advance({ seconds: 61 })
    expect(await bulk({ action: 'restore', postIds: [b] })).toMatchObject({
      results: [{ ok: false, code: 'TIME_PASSED' }],
    })
  })

  it('gain and lose labels, even when published, and keep the others', async () => {
    const label = async (labelName: string) =>
      (await app.call(createLabel, { params: home.params, body: { labelName, color: 'green' } }, { as: home.person }))
        .labelId
    const [spring, news, old] = [await label('Spring'), await label('News'), await label('Old')]
    const [a, b] = [await posts.post(home, channel), await posts.post(home, channel)]
    await posts.put(b, 'PUBLISHED')
    await bulk({ action: 'label', postIds: [a], add: [old, news], remove: [] })
    expect(await bulk({ action: 'label', postIds: [a, b], add: [spring], remove: [old] })).toMatchObject({ done: 2 })
    const list = await app.call(listPosts, { params: home.params }, { as: home.person })
    const names = new Map(
      rowsOf(list).map(({ postId, labels }) => [postId, labels.map(({ labelName }) => labelName).toSorted()]),
    )
    expect([names.get(a), names.get(b)]).toEqual([['News', 'Spring'], ['Spring']])
    expect(await bulk({ action: 'label', postIds: [a], add: [randomUUID()], remove: [] })).toMatchObject({
      results: [{ ok: false, code: 'NOT_FOUND' }],
    })
  })

  it('do not pass the cap together', async () => {
    await app.database.owner.query(
      "update plan set status = 'TRIAL_ACTIVE', trial_ends_at = '2027-06-01' where org_id = $1",
      [home.orgId],
    )
    const failed: string[] = []
    for (let i = 0; i < 12; i += 1) {
      const id = await posts.post(home, channel)
      await posts.put(id, 'FAILED')
      failed.push(id)
    }
    const half = (n: number) => failed.filter((_, i) => i % 2 === n)
    const [one, two] = await Promise.all(
      [0, 1].map((n) => bulk({ action: 'reschedule', postIds: half(n), schedule: at('2026-11-25T09:00:00.000Z') })),
    )
    expect((one?.done ?? 0) + (two?.done ?? 0)).toBe(10)
    expect(
      [...(one?.results ?? []), ...(two?.results ?? [])]
        .filter(({ ok }) => !ok)
        .every(({ code }) => code === 'SCHEDULE_CAP'),
    ).toBe(true)
  })

  it('are limited to 200 that the caller may see and change', async () => {
    const id = await posts.post(home, channel)
    const user = await app.colleague(home, 'user')
    expect(await bulk({ action: 'delete', postIds: [id] }, user)).toMatchObject({
      results: [{ ok: false, code: 'FORBIDDEN' }],
    })
    expect(await bulk({ action: 'retry', postIds: [id] }, user)).toMatchObject({
      results: [{ ok: false, code: 'FORBIDDEN' }],
    })
    const stranger = await app.signedInOwner()
    expect(await bulk({ action: 'delete', postIds: [id] }, stranger.person, stranger.params)).toMatchObject({
      results: [{ ok: false, code: 'NOT_FOUND' }],
    })
    expect(await state(id)).toBe('SCHEDULED')
    await expect(
      bulk({ action: 'delete', postIds: Array.from({ length: 201 }, () => randomUUID()) }),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })
})

describe('people who edit the same post', () => {
  const say = (postId: string, as: TestPerson, editing = true) =>
    app.call(editingPost, { params: { ...home.params, postId }, body: { editing } }, { as })
  const told = async (postId: string) =>
    (await app.database.owner.query("select count(*) as n from event where kind = 'presence' and ref = $1", [postId]))
      .rows[0]?.n

  it('see each other for 30 seconds after the last heartbeat, and open screens hear who comes and goes', async () => {
    const id = await posts.post(home, channel)
    const editor = await app.colleague(home, 'editor')
    expect(await say(id, home.person)).toEqual({ editors: [], status: 'SCHEDULED' })
    expect(await say(id, editor)).toEqual({
      editors: [{ userId: home.person.personId, name: 'Olive Owner', profileUrl: null }],
      status: 'SCHEDULED',
    })
    expect((await say(id, home.person)).editors.map(({ userId }) => userId)).toEqual([editor.personId])
    // repeating it is no news
    expect(await told(id)).toBe(2)
    app.clock.advance({ seconds: 31 })
    expect(await say(id, editor)).toEqual({ editors: [], status: 'SCHEDULED' })
    expect((await say(id, home.person)).editors).toHaveLength(1)
    await say(id, home.person, false)
    expect(await say(id, editor)).toEqual({ editors: [], status: 'SCHEDULED' })
    expect(await told(id)).toBe(5)
  })

  it('must be allowed to edit it; an author learns the status of what was published meanwhile', async () => {
    const user = await app.colleague(home, 'user')
    const [theirs, own] = [await posts.post(home, channel), await posts.post(home, channel)]
    await posts.put(theirs, 'DRAFTS')
    await app.database.owner.query('update post set author_id = $1 where id = $2', [user.personId, own])
    await expect(say(theirs, user)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await told(theirs)).toBe(0)
    expect(await say(own, user)).toEqual({ editors: [], status: 'SCHEDULED' })
    expect((await say(own, home.person)).editors).toEqual([])
    await posts.put(own, 'REJECTED')
    await say(own, user)
    expect((await say(own, home.person)).editors.map(({ userId }) => userId)).toEqual([user.personId])
  })

  it("learn nothing about posts that they can't see", async () => {
    const id = await posts.post(home, channel)
    const other = await content.channel(home)
    const bound = await teamOn(app).holder(home, { post: ['view', 'edit'], channel: ['view'] }, { channelIds: [other] })
    await expect(say(id, bound)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const looking = await app.colleague(home, 'none')
    await expect(say(id, looking)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})
