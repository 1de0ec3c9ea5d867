import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { type DraftBody, saveDraft } from '#contract/drafts.ts'
import { deletePost, getPost, restorePost } from '#contract/posts.ts'
import { submitPost, type Submit } from '#contract/submit.ts'
import { listWorkflows } from '#contract/workflows.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { teamOn } from '../testing/team.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let home: TestHome

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

type Body = z.input<typeof Submit>
const to = (
  channelId: string,
  text = 'Hello there',
  more: Partial<Body['channels'][number]> = {},
): Body['channels'][number] => ({ channelId, postType: 'post', contents: [{ text, media: [] }], ...more })
const tomorrow = { type: 'ONCE', details: { utc: '2026-11-22T09:30:00.000Z', timezone: 'Europe/London' } } as const
const now = { type: 'NOW' } as const
const submit = (body: Body, as = home.person, headers: Record<string, string> = {}) =>
  app.call(submitPost, { params: home.params, body }, { as, headers })
const rows = async (columns = '*') =>
  (
    await app.database.owner.query(
      `select ${columns} from post left join (select org_id, subject_id, step, step_at, send_key from delivery where subject = 'post') d on (d.org_id, d.subject_id) = (post.org_id, id) where post.org_id = $1 order by excerpt, id`,
      [home.orgId],
    )
  ).rows

describe('a submit', () => {
  it('answers with the time that reading the post answers with: none if it is published once approved', async () => {
    const channelId = await content.channel(home)
    const workflowId = (await app.call(listWorkflows, { params: home.params }, { as: home.person })).workflows[0]
      ?.workflowId
    await teamOn(app).plan(home, 'team')
    const queue = { type: 'QUEUE', details: { position: 'LAST' } } as const
    const draft = { type: 'DRAFT' } as const
    const channels = [to(channelId)]
    const answers = []
    for (const body of [
      { intent: 'NEEDS_APPROVAL', channels, schedule: now, workflowId },
      { intent: 'NEEDS_APPROVAL', channels, schedule: tomorrow, workflowId },
      { intent: 'NEEDS_APPROVAL', channels, schedule: queue, workflowId },
      { intent: 'SCHEDULE', channels, schedule: tomorrow },
      { intent: 'QUEUE', channels, schedule: queue },
      { intent: 'DRAFT', channels, schedule: draft },
    ] as const) {
      const { postId = '', status, dueAt } = (await submit(body)).posts[0] ?? {}
      const read = await app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })
      expect({ status, dueAt }).toEqual({ status: read.status, dueAt: read.dueAt })
      answers.push([status, dueAt])
    }
    expect(answers).toEqual([
      ['NEEDS_APPROVAL', null],
      ['NEEDS_APPROVAL', '2026-11-22T09:30:00.000Z'],
      ['NEEDS_APPROVAL', null],
      ['SCHEDULED', '2026-11-22T09:30:00.000Z'],
      ['QUEUED', null],
      ['DRAFTS', null],
    ])
  })

  it('creates and schedules one post per channel and audits who did it', async () => {
    const [a, b] = [await content.channel(home), await content.channel(home)]
    const reply = await submit({ intent: 'SCHEDULE', channels: [to(a), to(b, 'Other words')], schedule: tomorrow })
    expect(reply.message).toBe('Post Scheduled')
    expect(reply.posts.map(({ channelId, status, dueAt }) => ({ channelId, status, dueAt }))).toEqual([
      { channelId: a, status: 'SCHEDULED', dueAt: '2026-11-22T09:30:00.000Z' },
      { channelId: b, status: 'SCHEDULED', dueAt: '2026-11-22T09:30:00.000Z' },
    ])
    expect(await rows('state, wall_time, zone, step, step_at, batch_id, excerpt')).toMatchObject([
      {
        state: 'SCHEDULED',
        wall_time: '2026-11-22T09:30',
        zone: 'Europe/London',
        step: 'send',
        step_at: new Date('2026-11-22T09:30:00Z'),
        batch_id: reply.batchId,
        excerpt: 'Hello there',
      },
      { excerpt: 'Other words', batch_id: reply.batchId },
    ])
    const lanes = await app.database.owner.query('select wake_at from lane where org_id = $1', [home.orgId])
    expect(lanes.rows).toEqual([
      { wake_at: new Date('2026-11-22T09:30:00Z') },
      { wake_at: new Date('2026-11-22T09:30:00Z') },
    ])
    const audit = await app.database.owner.query(
      "select entity_id from audit where org_id = $1 and action = 'created' and entity = 'post' order by entity_id",
      [home.orgId],
    )
    expect(audit.rows.map((row) => row.entity_id)).toEqual(reply.posts.map(({ postId }) => postId).toSorted())
    const events = await app.database.owner.query("select ref from event where org_id = $1 and kind = 'post'", [
      home.orgId,
    ])
    expect(events.rows.map((row) => String(row.ref)).toSorted()).toEqual(
      reply.posts.map(({ postId }) => postId).toSorted(),
    )
    const first = await app.call(
      getPost,
      { params: { ...home.params, postId: reply.posts[0]?.postId ?? '' } },
      { as: home.person },
    )
    expect(first.timeline.map(({ kind, by }) => ({ kind, by }))).toEqual([
      { kind: 'created', by: 'Olive Owner' },
      { kind: 'scheduled', by: 'Olive Owner' },
    ])
  })

  it('publishes now', async () => {
    const channel = await content.channel(home)
    const reply = await submit({ intent: 'PUBLISH', channels: [to(channel)], schedule: now })
    expect(reply.message).toBe('Post sent for processing')
    expect(await rows('state, step, step_at, wall_time')).toEqual([
      { state: 'SCHEDULED', step: 'send', step_at: app.clock.now(), wall_time: null },
    ])
  })

  it('prepares posts with pictures ahead of their time', async () => {
    const channel = await content.channel(home)
    const asset = await content.picture(home)
    await submit({
      intent: 'SCHEDULE',
      channels: [to(channel, '', { contents: [{ text: '', media: [{ assetId: asset, altText: 'A blue field' }] }] })],
      schedule: tomorrow,
    })
    const [post] = await rows('step, step_at < due_at as ahead, images')
    expect(post).toEqual({ step: 'prepare', ahead: true, images: 1 })
  })

  it('publishes at the second that was chosen, never before it', async () => {
    const channel = await content.channel(home)
    const soon = { type: 'ONCE', details: { utc: '2026-11-21T10:00:08.250Z', timezone: 'Europe/London' } } as const
    const reply = await submit({ intent: 'SCHEDULE', channels: [to(channel)], schedule: soon })
    expect(reply.posts).toMatchObject([{ status: 'SCHEDULED', dueAt: '2026-11-21T10:00:08.250Z' }])
    expect(await rows('due_at, step_at, wall_time')).toEqual([
      { due_at: new Date(soon.details.utc), step_at: new Date(soon.details.utc), wall_time: '2026-11-21T10:00' },
    ])
    await submit({
      intent: 'SCHEDULE',
      channels: [to(channel)],
      schedule: {
        type: 'RECURRING_WEEKLY',
        details: {
          timezone: 'Europe/London',
          utcStartDate: '2026-11-23T09:00:30.000Z',
          utcEndDate: '2026-11-30T09:00:30.000Z',
          daysOfWeek: [1],
        },
      },
    })
    const due = (await rows('due_at')).map((row): string => row.due_at.toISOString())
    expect(due).toEqual(expect.arrayContaining(['2026-11-23T09:00:30.000Z', '2026-11-30T09:00:30.000Z']))
  })

  it('keeps drafts without calling any platform', async () => {
    const channel = await content.channel(home)
    const reply = await submit({
      intent: 'DRAFT',
      channels: [to(channel, 'x'.repeat(400))],
      schedule: { type: 'DRAFT' },
    })
    expect(reply.posts).toMatchObject([{ status: 'DRAFTS', dueAt: null }])
    expect(await rows('state, step_at')).toEqual([{ state: 'DRAFTS', step_at: null }])
    const post = await app.call(
      getPost,
      { params: { ...home.params, postId: reply.posts[0]?.postId ?? '' } },
      { as: home.person },
    )
    expect(post.draft).toMatchObject({ text: 'x'.repeat(400), channelIds: [channel] })
  })

  it('turns its draft into the post, and a late autosave does not bring the draft back', async () => {
    const channel = await content.channel(home)
    const draftId = randomUUID()
    const draft: DraftBody = {
      text: 'Hello',
      media: [],
      channelIds: [channel],
      additionalDetails: {},
      schedule: { mode: 'now', date: '', time: '', timezone: 'Europe/London' },
    }
    const save = (version: number) =>
      app.call(
        saveDraft,
        { params: { ...home.params, postId: draftId }, body: { version, draft } },
        { as: home.person },
      )
    await save(0)
    await submit({ intent: 'PUBLISH', channels: [to(channel)], schedule: now, draftId })
    expect(await rows('state')).toEqual([{ state: 'SCHEDULED' }])
    await expect(save(1)).rejects.toMatchObject({ code: 'POST_LOCKED' })
    await expect(save(0)).rejects.toMatchObject({ code: 'POST_LOCKED' })
    expect(await rows('state')).toHaveLength(1)
  })

  it('posts a draft once, also when two tabs submit it at the same time under keys of their own, saved before or not', async () => {
    const channel = await content.channel(home)
    const draftId = randomUUID()
    const twice = await Promise.allSettled(
      [1, 2].map(() => submit({ intent: 'PUBLISH', channels: [to(channel)], schedule: now, draftId })),
    )
    expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(
      submit({ intent: 'SCHEDULE', channels: [to(channel)], schedule: tomorrow, draftId }),
    ).rejects.toMatchObject({ code: 'POST_LOCKED', problem: { meta: { submitted: true } } })
    expect(await rows('id')).toHaveLength(1)
  })

  it("takes over no draft that the caller can't see, and no deleted post's history", async () => {
    const [mine, other] = [await content.channel(home), await content.channel(home)]
    const bound = await app.colleague(home, 'editor', { channelIds: [mine] })
    const drafted = await submit({ intent: 'DRAFT', channels: [to(other)], schedule: { type: 'DRAFT' } })
    const published = await submit({ intent: 'SCHEDULE', channels: [to(mine)], schedule: tomorrow })
    await app.call(
      deletePost,
      { params: { ...home.params, postId: published.posts[0]?.postId ?? '' } },
      { as: home.person },
    )
    const use = (draftId: string) =>
      app.call(
        submitPost,
        { params: home.params, body: { intent: 'PUBLISH', channels: [to(mine)], schedule: now, draftId } },
        { as: bound },
      )
    await expect(use(drafted.posts[0]?.postId ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(use(published.posts[0]?.postId ?? '')).rejects.toMatchObject({ code: 'POST_LOCKED' })
    expect(await rows('id')).toHaveLength(2)
  })

  it('refuses a thread of more text than any platform takes before it is judged', async () => {
    const channel = await content.channel(home)
    const thread = (letters: number) => ({
      ...to(channel),
      contents: Array.from({ length: 5 }, () => ({ text: 'a'.repeat(letters), media: [] })),
    })
    const asked = (letters: number) =>
      submit({ intent: 'PUBLISH', channels: [thread(letters)], schedule: now }).catch((error: unknown) => error)
    expect(await asked(50_001)).toMatchObject({
      code: 'BAD_INPUT',
      problem: {
        errors: { 'channels.0.contents': ['A thread can have at most 250,000 characters in total'] },
      },
    })
    expect(await asked(50_000)).toMatchObject({ code: 'POST_REFUSED' })
    expect(await rows('id')).toEqual([])
  })

  it('accepts a draft ID that was never saved, and refuses later saves to it', async () => {
    const channel = await content.channel(home)
    const draftId = randomUUID()
    await submit({ intent: 'PUBLISH', channels: [to(channel)], schedule: now, draftId })
    const draft: DraftBody = {
      text: 'late',
      media: [],
      channelIds: [],
      additionalDetails: {},
      schedule: { mode: 'now', date: '', time: '', timezone: '' },
    }
    await expect(
      app.call(
        saveDraft,
        { params: { ...home.params, postId: draftId }, body: { version: 0, draft } },
        { as: home.person },
      ),
    ).rejects.toMatchObject({ code: 'POST_LOCKED' })
  })
})

describe('a refused submit leaves nothing behind', () => {
  const nothing = async () => {
    const { rows: left } = await app.database.owner.query(
      'select (select count(*) from post where org_id = $1) + (select count(*) from batch where org_id = $1) + (select count(*) from post_event where org_id = $1) as n',
      [home.orgId],
    )
    expect(left).toEqual([{ n: 0 }])
  }

  it('names every error by channel and field', async () => {
    const [a, b] = [await content.channel(home), await content.channel(home, { handle: '@second.example' })]
    const tooLarge = await content.picture(home, { bytes: 2_000_001 })
    const body: Body = {
      intent: 'PUBLISH',
      schedule: now,
      channels: [
        to(a, 'a'.repeat(301)),
        to(b, '', {
          contents: [
            { text: '', media: [{ assetId: tooLarge }, { assetId: randomUUID() }] },
            { text: '', media: [] },
            ...Array.from({ length: 24 }, (_, i) => ({ text: `${i}`, media: [] })),
          ],
        }),
      ],
    }
    await expect(submit(body)).rejects.toMatchObject({
      code: 'POST_REFUSED',
      status: 422,
      problem: {
        errors: {
          'channels.0.contents.0.text': ['the text is 1 character over the limit of 300'],
          'channels.1.contents': ['a thread cannot have more than 25 posts'],
          'channels.1.contents.0.media.1': ['This file no longer exists. Attach it again.'],
          'channels.1.contents.1.text': ['write something or attach an image'],
        },
      },
    })
    await nothing()
  })

  it('refuses a time more than an hour ago; a nearer one means now', async () => {
    const channel = await content.channel(home)
    const at = (utc: string) =>
      submit({
        intent: 'SCHEDULE',
        channels: [to(channel)],
        schedule: { type: 'ONCE', details: { utc, timezone: 'Asia/Kolkata' } },
      })
    await expect(at('2026-11-21T08:59:00.000Z')).rejects.toMatchObject({
      code: 'TIME_PASSED',
      problem: { errors: { schedule: ['This time has passed. Choose a later one.'] } },
    })
    await nothing()
    const reply = await at('2026-11-21T09:01:00.000Z')
    expect(reply).toMatchObject({
      message: 'Post sent for processing',
      posts: [{ dueAt: app.clock.now().toISOString() }],
    })
  })

  it("refuses unknown channels, other projects' channels, and one chosen twice", async () => {
    const elsewhere = await app.signedInOwner()
    const foreign = await content.channel(elsewhere)
    const own = await content.channel(home)
    for (const channelId of [foreign, randomUUID()]) {
      await expect(
        submit({ intent: 'PUBLISH', channels: [to(own), to(channelId)], schedule: now }),
      ).rejects.toMatchObject({
        code: 'NOT_FOUND',
        problem: {
          errors: { 'channels.1.channelId': ["This channel doesn't exist, or you don't have access to it."] },
        },
      })
    }
    await expect(submit({ intent: 'PUBLISH', channels: [to(own), to(own)], schedule: now })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { 'channels.1.channelId': ['This channel is selected twice.'] } },
    })
    await nothing()
  })

  it("refuses a file's alt text that is too long for the platform, when the post sets none of its own", async () => {
    const channel = await content.channel(home)
    const assetId = await content.picture(home)
    await app.database.owner.query('update asset set alt_text = $2 where id = $1', [assetId, 'a'.repeat(2001)])
    const saying = (media: { assetId: string; altText?: string }) =>
      submit({
        intent: 'SCHEDULE',
        channels: [to(channel, 'hi', { contents: [{ text: 'hi', media: [media] }] })],
        schedule: tomorrow,
      })
    await expect(saying({ assetId })).rejects.toMatchObject({
      code: 'POST_REFUSED',
      problem: { errors: { 'channels.0.contents.0.media.0': ['alt text cannot exceed 2000 characters'] } },
    })
    await saying({ assetId, altText: 'A field' })
  })

  it("refuses another tenant's image", async () => {
    const elsewhere = await app.signedInOwner()
    const assetId = await content.picture(elsewhere)
    const channel = await content.channel(home)
    await expect(
      submit({
        intent: 'PUBLISH',
        channels: [to(channel, 'hi', { contents: [{ text: 'hi', media: [{ assetId }] }] })],
        schedule: now,
      }),
    ).rejects.toMatchObject({ code: 'POST_REFUSED' })
    await nothing()
  })

  it('refuses a schedule that contradicts the intent, and a submit without channels', async () => {
    const channel = await content.channel(home)
    await expect(submit({ intent: 'PUBLISH', channels: [to(channel)], schedule: tomorrow })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { schedule: ['Leave out the time to publish now.'] } },
    })
    await expect(submit({ intent: 'SCHEDULE', channels: [], schedule: now })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { schedule: ['Choose a time.'], channels: ['Choose at least one channel.'] } },
    })
    await nothing()
  })

  it('refuses a disabled channel, and a signed-out one when publishing now', async () => {
    const channel = await content.channel(home, { handle: '@rook.example' })
    await app.database.owner.query("update channel set status = 'TOKEN_EXPIRED' where id = $1", [channel])
    await expect(submit({ intent: 'PUBLISH', channels: [to(channel)], schedule: now })).rejects.toMatchObject({
      code: 'POST_REFUSED',
      problem: {
        errors: {
          'channels.0.channelId': [
            '@rook.example is signed out. Reconnect the channel first, or ask a project admin to do it.',
          ],
        },
      },
    })
    await app.database.owner.query('update channel set enabled = false where id = $1', [channel])
    await expect(submit({ intent: 'SCHEDULE', channels: [to(channel)], schedule: tomorrow })).rejects.toMatchObject({
      code: 'POST_REFUSED',
      problem: { errors: { 'channels.0.channelId': ['@rook.example is disabled. Enable the channel to post to it.'] } },
    })
    await nothing()
  })

  it('refuses a plan that has ended, except for drafts', async () => {
    const channel = await content.channel(home)
    await app.database.owner.query("update plan set status = 'TRIAL_EXPIRED' where org_id = $1", [home.orgId])
    await expect(submit({ intent: 'PUBLISH', channels: [to(channel)], schedule: now })).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      status: 402,
      problem: { meta: { gate: 'plan_expired' } },
    })
    await nothing()
    expect(await submit({ intent: 'DRAFT', channels: [to(channel)], schedule: { type: 'DRAFT' } })).toMatchObject({
      message: 'Draft saved',
    })
  })

  it('refuses publishing by a User, who can save drafts, and everything without a role', async () => {
    const channel = await content.channel(home)
    const user = await app.colleague(home, 'user')
    await expect(submit({ intent: 'PUBLISH', channels: [to(channel)], schedule: now }, user)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await nothing()
    await submit({ intent: 'DRAFT', channels: [to(channel)], schedule: { type: 'DRAFT' } }, user)
    const none = await app.colleague(home, 'none')
    await expect(
      submit({ intent: 'DRAFT', channels: [to(channel)], schedule: { type: 'DRAFT' } }, none),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const stranger = (await app.signedInOwner()).person
    await expect(
      submit({ intent: 'DRAFT', channels: [to(channel)], schedule: { type: 'DRAFT' } }, stranger),
    ).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
  })

  it("refuses a channel that the role can't access", async () => {
    const [mine, other] = [await content.channel(home), await content.channel(home)]
    const editor = await app.colleague(home, 'editor', { channelIds: [mine] })
    await expect(submit({ intent: 'PUBLISH', channels: [to(other)], schedule: now }, editor)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await nothing()
    await submit({ intent: 'PUBLISH', channels: [to(mine)], schedule: now }, editor)
  })
})

describe('the cap of scheduled posts', () => {
  const fill = async (channel: string, n: number) => {
    for (let i = 0; i < n; i++) await submit({ intent: 'SCHEDULE', channels: [to(channel)], schedule: tomorrow })
  }

  it('refuses the whole batch with the warning and the accounts', async () => {
    const [full, free] = [await content.channel(home, { handle: '@full.example' }), await content.channel(home)]
    await fill(full, 10)
    await expect(
      submit({ intent: 'SCHEDULE', channels: [to(free), to(full)], schedule: tomorrow }),
    ).rejects.toMatchObject({
      code: 'SCHEDULE_CAP',
      problem: {
        detail:
          "You've reached the limit of 10 scheduled posts for the following accounts. Upgrade your plan to schedule more posts",
        errors: { 'channels.1.channelId': ["You've reached the limit of 10 scheduled posts."] },
        meta: { limit: 10, channels: [{ channelId: full, channelName: 'full.example', handle: '@full.example' }] },
      },
    })
    expect(await rows('id')).toHaveLength(10)
    // publishing now isn't scheduling
    await submit({ intent: 'PUBLISH', channels: [to(full)], schedule: now })
  })

  it("can't be passed by undoing deletions", async () => {
    const channel = await content.channel(home)
    const first = await submit({ intent: 'SCHEDULE', channels: [to(channel)], schedule: tomorrow })
    const params = { ...home.params, postId: first.posts[0]?.postId ?? '' }
    await app.call(deletePost, { params }, { as: home.person })
    await fill(channel, 10)
    await expect(app.call(restorePost, { params }, { as: home.person })).rejects.toMatchObject({ code: 'SCHEDULE_CAP' })
  })

  it('holds when many submits compete for the last places, with channels in any order', async () => {
    const [a, b] = [await content.channel(home), await content.channel(home)]
    await fill(a, 8)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) =>
        submit({ intent: 'SCHEDULE', channels: i % 2 ? [to(a), to(b)] : [to(b), to(a)], schedule: tomorrow }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'SCHEDULE_CAP' })
    const counted = await app.database.owner.query(
      'select channel_id, count(*)::int as n from post where org_id = $1 group by 1',
      [home.orgId],
    )
    expect(Object.fromEntries(counted.rows.map((row) => [row.channel_id, row.n]))).toEqual({ [a]: 10, [b]: 2 })
  })
})

describe('an Idempotency-Key', () => {
  it('makes one batch of 100 identical parallel submits, with the same answer for all', async () => {
    const channel = await content.channel(home)
    const body: Body = { intent: 'PUBLISH', channels: [to(channel)], schedule: now }
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => submit(body, home.person, { 'idempotency-key': 'one-and-the-same' })),
    )
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
    expect(await rows('id')).toEqual([{ id: replies[0]?.posts[0]?.postId }])
    await expect(
      submit({ ...body, channels: [to(channel, 'Other words')] }, home.person, {
        'idempotency-key': 'one-and-the-same',
      }),
    ).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH', status: 422 })
  })

  it('does not keep a refusal: the same key may succeed later', async () => {
    const channel = await content.channel(home)
    const headers = { 'idempotency-key': 'a-second-try' }
    await app.database.owner.query('update channel set enabled = false where id = $1', [channel])
    const body: Body = { intent: 'PUBLISH', channels: [to(channel)], schedule: now }
    await expect(submit(body, home.person, headers)).rejects.toMatchObject({ code: 'POST_REFUSED' })
    await app.database.owner.query('update channel set enabled = true where id = $1', [channel])
    await submit(body, home.person, headers)
  })
})
