import { saying } from '../testing/reasons.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallOf } from '#contract/endpoint.ts'
import { deletePost, editPost, getPost, reschedulePost, restorePost, retryPost, settlePost } from '#contract/posts.ts'
import { postStates, transitions, type PostState } from '#contract/postStates.ts'
import type { Platform } from '../platforms/platform.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { at, NOW, postsOn, TOMORROW, type TestSchedule } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

type Remove = NonNullable<Platform['publish']['remove']>

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
let channel: string
let user: TestPerson
let removes: Remove
const removed: string[] = []

beforeAll(async () => {
  app = await startApp({
    platforms: {
      bluesky: testPlatform({
        remove: (...call) => removes(...call),
        refresh: async (_reach, secret) => ({ kind: 'refreshed', secret, expiresAt: null }),
      }),
    },
  })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await content.channel(home, { handle: '@rook.example' })
  user = await app.colleague(home, 'user')
  removed.length = 0
  removes = async (_, __, ___, remoteId) => {
    removed.push(remoteId)
    return { kind: 'removed' }
  }
})

const on = (postId: string) => ({ ...home.params, postId })
const says = (text: string) => [{ text, media: [] }]
const edit = (postId: string, body: CallOf<typeof editPost>['body'], as = home.person) =>
  app.call(editPost, { params: on(postId), body }, { as })
const move = (postId: string, schedule: TestSchedule, more: { version?: number; as?: TestPerson } = {}) =>
  app.call(
    reschedulePost,
    { params: on(postId), body: { schedule, ...(more.version !== undefined && { version: more.version }) } },
    { as: more.as ?? home.person },
  )
const remove = (postId: string, query: CallOf<typeof deletePost>['query'] = {}, as = home.person) =>
  app.call(deletePost, { params: on(postId), query }, { as })
const restore = (postId: string, as = home.person) => app.call(restorePost, { params: on(postId) }, { as })
const retry = (postId: string, as = home.person) => app.call(retryPost, { params: on(postId) }, { as })
const settle = (postId: string, body: CallOf<typeof settlePost>['body'], as = home.person) =>
  app.call(settlePost, { params: on(postId), body }, { as })
const read = (postId: string, as = home.person) => app.call(getPost, { params: on(postId) }, { as })
const audited = async (postId: string) =>
  (
    await app.database.owner.query(
      "select action from audit where entity_id = $1 and entity = 'post' order by at, id",
      [postId],
    )
  ).rows.map((row) => row.action)

const everyVerb: Record<string, (postId: string, as?: TestPerson) => Promise<unknown>> = {
  get: (id, as) => read(id, as),
  edit: (id, as) => edit(id, { version: 1, contents: says('x') }, as),
  reschedule: (id, as) => move(id, TOMORROW, as ? { as } : {}),
  delete: (id, as) => remove(id, {}, as),
  restore: (id, as) => restore(id, as),
  retry: (id, as) => retry(id, as),
  settle: (id, as) => settle(id, { outcome: 'failed' }, as),
}

describe('every action on posts', () => {
  it("finds no post of another tenant or project, none that the role can't access, and no unknown one", async () => {
    const elsewhere = await app.signedInOwner()
    const foreign = await posts.post(elsewhere, await content.channel(elsewhere))
    const sibling = await app.project(home.orgId, home.person)
    const siblingHome = {
      ...home,
      projectId: sibling.projectId,
      params: { orgId: home.orgId, projectId: sibling.projectId },
    }
    const other = await posts.post(siblingHome, await content.channel(siblingHome))
    const hidden = await posts.post(home, channel)
    const scoped = await app.colleague(home, 'editor', { channelIds: [await content.channel(home)] })
    for (const verb of Object.values(everyVerb)) {
      for (const id of [foreign, other, randomUUID(), 'no-uuid'])
        await expect(verb(id)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
      await expect(verb(hidden, scoped)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(verb(hidden, elsewhere.person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    }
    expect(await posts.row(hidden)).toMatchObject({ state: 'SCHEDULED', version: 1 })
  })

  it("is refused to Users on posts that aren't their drafts, and to people who may only view", async () => {
    const mine = await posts.post(home, channel)
    const none = await app.colleague(home, 'none')
    for (const [name, verb] of Object.entries(everyVerb)) {
      if (name === 'get') continue
      await posts.put(
        mine,
        name === 'retry' ? 'FAILED' : name === 'settle' ? 'UNCONFIRMED' : name === 'restore' ? 'DELETED' : 'SCHEDULED',
        { deleted_from: 'SCHEDULED' },
      )
      await expect(verb(mine, user), name).rejects.toMatchObject({ code: 'FORBIDDEN' })
      await expect(verb(mine, none), name).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
    await read(mine, none)
  })

  it("doesn't touch a post that is being sent", async () => {
    const id = await posts.post(home, channel)
    await posts.put(id, 'PROCESSING')
    const before = await posts.row(id)
    for (const [name, verb] of Object.entries(everyVerb)) {
      if (name === 'get') continue
      await expect(verb(id), name).rejects.toMatchObject({ code: 'POST_LOCKED', status: 409 })
    }
    await expect(remove(id)).rejects.toMatchObject({
      problem: { detail: 'This post is being published. Wait a few seconds.' },
    })
    expect(await posts.row(id)).toEqual(before)
  })

  it('moves only between statuses that the contract allows', async () => {
    const moves: Record<string, (id: string) => Promise<unknown>> = {
      edit: (id) => edit(id, { version: 1, contents: says('Changed') }),
      later: (id) => move(id, at('2026-12-01T10:00:00.000Z')),
      now: (id) => move(id, NOW),
      draft: (id) => move(id, { type: 'DRAFT' }),
      delete: (id) => remove(id),
      retry,
      published: (id) => settle(id, { outcome: 'published' }),
      again: (id) => settle(id, { outcome: 'send_again' }),
      failed: (id) => settle(id, { outcome: 'failed' }),
    }
    const skipped: readonly PostState[] = ['NEEDS_APPROVAL', 'REJECTED', 'APPROVED', 'QUEUED']
    for (const from of postStates.filter((state) => !skipped.includes(state))) {
      for (const [name, verb] of Object.entries(moves)) {
        const id = await posts.post(home, channel)
        await posts.put(id, from)
        await verb(id).catch(() => undefined)
        const to = String((await posts.row(id)).state)
        expect(to === from || transitions[from].some((state) => state === to), `${name}: ${from} became ${to}`).toBe(
          true,
        )
        await app.database.owner.query('delete from post where id = $1', [id])
      }
    }
  })
})

describe('editing', () => {
  it('changes a scheduled post that is on its lane, and keeps its time', async () => {
    const id = await posts.post(home, channel)
    const { fence } = await posts.row(id)
    expect(await edit(id, { version: 1, contents: says('Better words') })).toEqual({
      version: 2,
      status: 'SCHEDULED',
      dueAt: '2026-11-22T09:30:00.000Z',
      changed: 1,
      kept: [],
      message: 'Post updated successfully',
    })
    const row = await posts.row(id)
    expect(row).toMatchObject({
      state: 'SCHEDULED',
      excerpt: 'Better words',
      step: 'send',
      step_at: new Date('2026-11-22T09:30:00Z'),
      wall_time: '2026-11-22T09:30',
    })
    // a preparation that began with the old text is rejected
    expect(Number(row.fence)).toBeGreaterThan(Number(fence))
    expect(await posts.story(id)).toEqual(['created', 'scheduled', 'edited'])
    expect(await audited(id)).toEqual(['created', 'edited'])
  })

  it('refuses a version that is not the newest, and names the fields', async () => {
    const id = await posts.post(home, channel)
    await edit(id, { version: 1, contents: says('First') })
    await expect(edit(id, { version: 1, contents: says('Second') })).rejects.toMatchObject({
      code: 'STALE_VERSION',
      status: 409,
      problem: { meta: { version: 2, fields: ['contents'] } },
    })
    expect((await posts.row(id)).excerpt).toBe('First')
  })

  it('accepts one of two simultaneous changes', async () => {
    const id = await posts.post(home, channel)
    const outcomes = await Promise.allSettled(
      ['One', 'Two'].map((text) => edit(id, { version: 1, contents: says(text) })),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await posts.row(id)).toMatchObject({ version: 2 })
  })

  it("checks the content as a submit does, and changes nothing when it's refused", async () => {
    const id = await posts.post(home, channel)
    await expect(edit(id, { version: 1, contents: says('a'.repeat(302)) })).rejects.toMatchObject({
      code: 'POST_REFUSED',
      problem: { errors: { 'contents.0.text': ['the text is 2 characters over the limit of 300'] } },
    })
    expect(await posts.row(id)).toMatchObject({ version: 1, excerpt: 'Hello there', state: 'SCHEDULED' })
    expect((await posts.row(id)).step_at).not.toBeNull()
  })

  it('can change the time as well', async () => {
    const id = await posts.post(home, channel)
    await edit(id, { version: 1, contents: says('Later'), schedule: at('2026-11-25T12:00:00.000Z', 'Asia/Tokyo') })
    expect(await posts.row(id)).toMatchObject({
      due_at: new Date('2026-11-25T12:00:00Z'),
      shown_at: new Date('2026-11-25T12:00:00Z'),
      wall_time: '2026-11-25T21:00',
      zone: 'Asia/Tokyo',
      step_at: new Date('2026-11-25T12:00:00Z'),
    })
  })

  it('fixes a failed post, which then waits for its retry', async () => {
    const id = await posts.post(home, channel)
    await posts.put(id, 'FAILED')
    await edit(id, { version: 1, contents: says('Corrected') })
    expect(await posts.row(id)).toMatchObject({ state: 'FAILED', excerpt: 'Corrected', step_at: null })
  })

  it('never changes a published post here only', async () => {
    const id = await posts.post(home, channel)
    await posts.put(id, 'PUBLISHED')
    await expect(edit(id, { version: 1, contents: says('x') })).rejects.toMatchObject({
      code: 'POST_LOCKED',
      problem: { detail: "This post is published. You can't change it here anymore.", meta: { state: 'PUBLISHED' } },
    })
  })

  it("lets a User change their own draft, and no one else's", async () => {
    const own = await posts.post(home, channel, { as: user, schedule: { type: 'DRAFT' } })
    const other = await posts.post(home, channel, { schedule: { type: 'DRAFT' } })
    await edit(own, { version: 1, contents: says('Own words') }, user)
    expect((await read(own)).draft).toMatchObject({ text: 'Own words', channelIds: [channel] })
    await expect(edit(other, { version: 1, contents: says('x') }, user)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('rescheduling', () => {
  it('moves a post, keeps its wall time and zone, wakes its lane and notes it in the timeline', async () => {
    const id = await posts.post(home, channel)
    expect(await move(id, at('2026-11-21T12:00:00.000Z', 'America/New_York'))).toEqual({
      status: 'SCHEDULED',
      dueAt: '2026-11-21T12:00:00.000Z',
      version: 2,
      changed: 1,
      kept: [],
      message: 'Post Rescheduled',
    })
    expect(await posts.row(id)).toMatchObject({
      wall_time: '2026-11-21T07:00',
      zone: 'America/New_York',
      step_at: new Date('2026-11-21T12:00:00Z'),
    })
    expect((await app.database.owner.query('select wake_at from lane where channel_id = $1', [channel])).rows).toEqual([
      { wake_at: new Date('2026-11-21T12:00:00Z') },
    ])
    expect(await posts.story(id)).toEqual(['created', 'scheduled', 'rescheduled'])
    expect(await audited(id)).toEqual(['created', 'rescheduled'])
  })

  it('sends now', async () => {
    const id = await posts.post(home, channel)
    expect(await move(id, NOW)).toMatchObject({
      status: 'SCHEDULED',
      dueAt: app.clock.now().toISOString(),
      message: 'Post sent for processing',
    })
    expect(await posts.row(id)).toMatchObject({ step_at: app.clock.now() })
  })

  it('keeps one of two simultaneous moves whole, and refuses the second when it names its version', async () => {
    const id = await posts.post(home, channel)
    const times = ['2026-11-24T10:00:00.000Z', '2026-11-25T10:00:00.000Z']
    const outcomes = await Promise.allSettled(times.map((utc) => move(id, at(utc), { version: 1 })))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'STALE_VERSION', problem: { meta: { version: 2, fields: ['schedule'] } } },
    })
    const row = await posts.row(id)
    expect(row.due_at).toEqual(row.step_at)
    expect(row.shown_at).toEqual(row.due_at)
  })

  it('refuses a time more than an hour ago', async () => {
    const id = await posts.post(home, channel)
    await expect(move(id, at('2026-11-21T08:00:00.000Z'))).rejects.toMatchObject({ code: 'TIME_PASSED' })
    expect(await posts.row(id)).toMatchObject({ version: 1, due_at: new Date('2026-11-22T09:30:00Z') })
  })

  it('gives a failed post a new time, within the cap', async () => {
    const id = await posts.post(home, channel)
    await posts.put(id, 'FAILED')
    for (let i = 0; i < 10; i++) await posts.post(home, channel)
    await expect(move(id, TOMORROW)).rejects.toMatchObject({ code: 'SCHEDULE_CAP' })
    const scheduled = await app.database.owner.query(
      "select id from post where channel_id = $1 and state = 'SCHEDULED' limit 1",
      [channel],
    )
    // one that is already scheduled takes no further place
    await move(scheduled.rows[0].id, at('2026-11-30T10:00:00.000Z'))
    await remove(scheduled.rows[0].id)
    await move(id, TOMORROW)
    expect(await posts.row(id)).toMatchObject({ state: 'SCHEDULED', failure: null, step: 'send' })
  })

  it('plans a draft without scheduling it, and publishes it only when asked', async () => {
    const id = await posts.post(home, channel, { schedule: { type: 'DRAFT' } })
    expect(await move(id, TOMORROW)).toMatchObject({ status: 'DRAFTS', dueAt: '2026-11-22T09:30:00.000Z' })
    expect(await posts.row(id)).toMatchObject({
      state: 'DRAFTS',
      step_at: null,
      shown_at: new Date('2026-11-22T09:30:00Z'),
    })
    expect((await read(id)).draft?.schedule).toEqual({
      mode: 'once',
      date: '2026-11-22',
      time: '09:30',
      timezone: 'Europe/London',
    })
    expect(await move(id, NOW)).toMatchObject({ status: 'SCHEDULED' })
    expect(await posts.row(id)).toMatchObject({ state: 'SCHEDULED', step: 'send', draft: null })
  })

  it('takes a post off the schedule', async () => {
    const id = await posts.post(home, channel)
    expect(await move(id, { type: 'DRAFT' })).toMatchObject({ status: 'DRAFTS', version: 2 })
    expect(await posts.row(id)).toMatchObject({ state: 'DRAFTS', step_at: null, channel_id: channel })
    expect((await read(id)).draft).toMatchObject({
      text: 'Hello there',
      channelIds: [channel],
      schedule: { mode: 'once', date: '2026-11-22', time: '09:30' },
    })
    expect(await posts.story(id)).toEqual(['created', 'scheduled', 'drafted'])
  })

  it('lets a User plan their own draft, but not send it', async () => {
    const id = await posts.post(home, channel, { as: user, schedule: { type: 'DRAFT' } })
    await move(id, TOMORROW, { as: user })
    await expect(move(id, NOW, { as: user })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('is refused once the plan has ended', async () => {
    const id = await posts.post(home, channel)
    await app.database.owner.query("update plan set status = 'CANCELLED' where org_id = $1", [home.orgId])
    await expect(move(id, NOW)).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      problem: { meta: { gate: 'plan_expired' } },
    })
  })
})

describe('deleting', () => {
  it('takes a scheduled post off its lane, and an undo within a minute puts it back', async () => {
    const id = await posts.post(home, channel)
    expect(await remove(id)).toEqual({ changed: 1, kept: [], message: 'Post deleted successfully' })
    expect(await posts.row(id)).toMatchObject({ state: 'DELETED', step: null, step_at: null })
    app.clock.advance({ seconds: 59 })
    expect(await restore(id)).toEqual({ changed: 1, kept: [], message: 'Post restored' })
    expect(await posts.row(id)).toMatchObject({
      state: 'SCHEDULED',
      step: 'send',
      step_at: new Date('2026-11-22T09:30:00Z'),
      deleted_from: null,
    })
    expect(await posts.story(id)).toEqual(['created', 'scheduled', 'deleted', 'scheduled'])
    expect(await audited(id)).toEqual(['created', 'deleted', 'restored'])
    await remove(id)
    app.clock.advance({ seconds: 61 })
    await expect(restore(id)).rejects.toMatchObject({
      code: 'TIME_PASSED',
      problem: { detail: 'You can only undo a deletion within a minute.' },
    })
  })

  it('restores a failed post with its reason, and a draft as it was', async () => {
    const failed = await posts.post(home, channel)
    await posts.put(failed, 'FAILED')
    const { failure } = await posts.row(failed)
    const draft = await posts.post(home, channel, { schedule: { type: 'DRAFT' } })
    for (const id of [failed, draft]) {
      await remove(id)
      await restore(id)
    }
    expect(await posts.row(failed)).toMatchObject({ state: 'FAILED', failure })
    expect(await posts.row(draft)).toMatchObject({ state: 'DRAFTS' })
    expect((await read(draft)).draft).toMatchObject({ text: 'Hello there' })
  })

  it('keeps a published post on the platform unless it is asked to delete it there', async () => {
    const kept = await posts.post(home, channel)
    await posts.put(kept, 'PUBLISHED')
    await remove(kept)
    expect(removed).toEqual([])
    await restore(kept)
    expect(await posts.row(kept)).toMatchObject({ state: 'PUBLISHED', permalink: 'https://bsky.example/post/1' })

    const { remote_id: remoteId } = await posts.row(kept)
    await remove(kept, { platform: 'delete' })
    expect(removed).toEqual([remoteId])
    expect(await posts.row(kept)).toMatchObject({ state: 'DELETED', remote_id: null, permalink: null })
    await expect(restore(kept)).rejects.toMatchObject({ code: 'POST_LOCKED' })
  })

  it("deletes here only, and can be undone, when Rookery doesn't know the post on the platform", async () => {
    const id = await posts.post(home, channel)
    await posts.put(id, 'UNCONFIRMED')
    await settle(id, { outcome: 'published' })
    await expect(remove(id, { platform: 'delete' })).rejects.toMatchObject({
      code: 'CHANNEL_REFUSED',
      problem: {
        detail: "We don't know which post on the platform this is. Delete it there yourself, then delete it here only.",
      },
    })
    expect(await posts.row(id)).toMatchObject({ state: 'PUBLISHED' })
    await remove(id)
    await restore(id)
    expect(await posts.row(id)).toMatchObject({ state: 'PUBLISHED', deleted_from: null })
  })

  it('keeps no transaction open while the platform deletes, and keeps the post when it refuses', async () => {
    const id = await posts.post(home, channel)
    await posts.put(id, 'PUBLISHED')
    removes = async () => {
      const open = await app.database.owner.query(
        "select 1 from pg_stat_activity where application_name = 'rookery web' and state like 'idle in transaction%' and datname = current_database()",
      )
      expect(open.rows).toEqual([])
      return { kind: 'retry', reason: saying('Bluesky is away.', 'Try again.') }
    }
    await expect(remove(id, { platform: 'delete' })).rejects.toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
    removes = async () => ({ kind: 'rejected', reason: saying('No.', 'Delete it there.') })
    await expect(remove(id, { platform: 'delete' })).rejects.toMatchObject({
      code: 'CHANNEL_REFUSED',
      problem: { detail: 'No. Delete it there.' },
    })
    expect(await posts.row(id)).toMatchObject({ state: 'PUBLISHED', version: 1 })
  })

  it("doesn't delete on the platform while a follow-up is being sent, which would arrive after it", async () => {
    const id = await posts.post(home, channel)
    await posts.put(id, 'PUBLISHED')
    const before = removed.length
    await app.database.owner.query(
      "insert into delivery (org_id, channel_id, subject, subject_id, key, fence, lease_id, lease_until) values ($1, $2, 'follow-up', $3, 'comment', 1, gen_random_uuid(), $4::timestamptz + interval '1 minute')",
      [home.orgId, channel, id, app.clock.now()],
    )
    await expect(remove(id, { platform: 'delete' })).rejects.toMatchObject({
      code: 'POST_LOCKED',
      problem: { detail: 'The rest of this post is still being published. Try again in a minute.' },
    })
    expect(removed.length).toBe(before)
    await app.database.owner.query(
      "update delivery set lease_id = null, lease_until = null where subject_id = $1 and subject = 'follow-up'",
      [id],
    )
    await remove(id, { platform: 'delete' })
    expect(removed.length).toBe(before + 1)
  })

  it("renews the sign-in to delete on the platform when the old one isn't accepted anymore", async () => {
    const id = await posts.post(home, channel)
    await posts.put(id, 'PUBLISHED')
    const answers = [
      { kind: 'retry', first: 'renew', reason: saying('The token has run out.') } as const,
      { kind: 'removed' } as const,
    ]
    removes = async () => answers.shift() ?? { kind: 'removed' }
    await remove(id, { platform: 'delete' })
    expect(await posts.row(id)).toMatchObject({ state: 'DELETED' })
  })

  it('lets a User delete their own draft only', async () => {
    const own = await posts.post(home, channel, { as: user, schedule: { type: 'DRAFT' } })
    await remove(own, {}, user)
    await restore(own, user)
    expect(await posts.row(own)).toMatchObject({ state: 'DRAFTS' })
  })
})

describe('a failed post', () => {
  it('is sent again, now', async () => {
    const id = await posts.post(home, channel)
    await posts.put(id, 'FAILED')
    expect(await retry(id)).toEqual({ message: 'Post sent for processing' })
    expect(await posts.row(id)).toMatchObject({
      state: 'SCHEDULED',
      failure: null,
      due_at: app.clock.now(),
      step_at: app.clock.now(),
    })
    expect(await posts.story(id)).toEqual(['created', 'scheduled', 'retried'])
    await expect(retry(id)).rejects.toMatchObject({
      code: 'POST_LOCKED',
      problem: { detail: 'This post is scheduled. You can only retry a failed post.' },
    })
  })

  it('waits for its channel and for the plan', async () => {
    const id = await posts.post(home, channel)
    await posts.put(id, 'FAILED')
    await app.database.owner.query("update channel set status = 'TOKEN_EXPIRED' where id = $1", [channel])
    await expect(retry(id)).rejects.toMatchObject({
      code: 'POST_REFUSED',
      problem: { errors: { channelId: [expect.stringContaining('is signed out. Reconnect the channel first')] } },
    })
    await app.database.owner.query("update plan set status = 'CANCELLED' where org_id = $1", [home.orgId])
    await expect(retry(id)).rejects.toMatchObject({ code: 'PLAN_LIMIT' })
    await app.database.owner.query('update channel set deleted_at = now() where id = $1', [channel])
    await app.database.owner.query("update plan set status = 'ACTIVE' where org_id = $1", [home.orgId])
    await expect(retry(id)).rejects.toMatchObject({
      code: 'POST_LOCKED',
      problem: { detail: 'The channel of this post was disconnected.' },
    })
  })
})

describe('an unconfirmed post', () => {
  const unconfirmed = async () => {
    const id = await posts.post(home, channel)
    await posts.put(id, 'UNCONFIRMED')
    return id
  }

  it('is published when a person found it', async () => {
    const id = await unconfirmed()
    expect(await settle(id, { outcome: 'published', permalink: 'https://bsky.example/found' })).toEqual({
      message: 'Post Published Successfully',
    })
    expect(await posts.row(id)).toMatchObject({
      state: 'PUBLISHED',
      permalink: 'https://bsky.example/found',
      published_at: app.clock.now(),
      step_at: null,
    })
    expect(await posts.story(id)).toEqual(['created', 'scheduled', 'settled'])
  })

  it("is sent again when a person saw that it isn't there", async () => {
    const id = await unconfirmed()
    expect(await settle(id, { outcome: 'send_again' })).toEqual({ message: 'Post sent for processing' })
    expect(await posts.row(id)).toMatchObject({ state: 'SCHEDULED', step: 'send', step_at: app.clock.now() })
  })

  it('fails when a person gives up on it', async () => {
    const id = await unconfirmed()
    await settle(id, { outcome: 'failed' })
    expect((await read(id)).failure).toMatchObject({ class: 'unknown', action: 'retry' })
    expect(await posts.row(id)).toMatchObject({ state: 'FAILED', step_at: null })
  })
})

it('returns everything that a post’s page shows', async () => {
  const assetId = await content.picture(home, { width: 60, height: 40 })
  const id = await posts.post(home, channel, { text: 'With a picture', media: [{ assetId, altText: 'A field' }] })
  const post = await read(id)
  expect(post).toMatchObject({
    postId: id,
    status: 'SCHEDULED',
    contents: [
      {
        text: 'With a picture',
        media: [
          {
            assetId,
            altText: 'A field',
            contentType: 'image/jpeg',
            width: 60,
            height: 40,
            url: `/api/${home.orgId}/project/${home.projectId}/asset/${assetId}/file`,
          },
        ],
      },
    ],
    schedule: { type: 'ONCE', details: { utc: '2026-11-22T09:30:00.000Z', timezone: 'Europe/London' } },
    additionalDetails: {},
    draft: null,
    objectId: null,
    warning: null,
    timeline: [
      { kind: 'created', dueAt: null, by: 'Olive Owner' },
      { kind: 'scheduled', dueAt: '2026-11-22T09:30:00.000Z' },
    ],
  })
})
