import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { listPosts } from '#contract/postLists.ts'
import { deletePost, editPost, getPost, reschedulePost, restorePost } from '#contract/posts.ts'
import { submitPost, type Submit } from '#contract/submit.ts'
import { occurrences, type Recurrence } from '#contract/series.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { at, postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn, type Team } from '../testing/team.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let team: Team
let home: TestHome
let channel: string

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
  team = teamOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  await team.plan(home, 'team')
  channel = await content.channel(home)
})

type Body = z.input<typeof Submit>
const to = (channelId: string, more: Partial<Body['channels'][number]> = {}): Body['channels'][number] => ({
  channelId,
  postType: 'post',
  contents: [{ text: 'Every week', media: [] }],
  ...more,
})
// Mondays at 9 in Berlin, where the clocks change between the second and the third
const weekly: Recurrence = {
  type: 'RECURRING_WEEKLY',
  details: {
    timezone: 'Europe/Berlin',
    utcStartDate: '2027-03-15T08:00:00.000Z',
    utcEndDate: '2027-04-12T07:00:00.000Z',
    daysOfWeek: [1],
  },
}
const mondays = [
  '2027-03-15T08:00:00.000Z',
  '2027-03-22T08:00:00.000Z',
  '2027-03-29T07:00:00.000Z',
  '2027-04-05T07:00:00.000Z',
  '2027-04-12T07:00:00.000Z',
]
const submit = (more: Partial<Body> = {}, as = home.person) =>
  app.call(
    submitPost,
    { params: home.params, body: { intent: 'SCHEDULE', channels: [to(channel)], schedule: weekly, ...more } },
    { as },
  )
const says = (text: string) => [{ text, media: [] }]
const edit = (
  postId: string,
  text: string,
  more: Partial<{ scope: 'this' | 'following' | 'all'; overwrite: boolean; version: number }> = {},
) =>
  app.call(
    editPost,
    { params: { ...home.params, postId }, body: { version: 1, contents: says(text), ...more } },
    { as: home.person },
  )
const move = (postId: string, schedule: Body['schedule'], scope: 'this' | 'following' | 'all') =>
  app.call(reschedulePost, { params: { ...home.params, postId }, body: { schedule, scope } }, { as: home.person })
const remove = (postId: string, scope: 'this' | 'following' | 'all') =>
  app.call(deletePost, { params: { ...home.params, postId }, query: { scope } }, { as: home.person })
const restore = (postId: string, scope: 'this' | 'following' | 'all') =>
  app.call(restorePost, { params: { ...home.params, postId }, query: { scope } }, { as: home.person })
const rows = async () =>
  (
    await app.database.owner.query(
      "select p.id, p.state, excerpt, wall_time, due_at, series_index, step from post p left join delivery d on d.subject_id = p.id and d.subject = 'post' where p.org_id = $1 order by p.channel_id, series_index",
      [home.orgId],
    )
  ).rows
const texts = async () => (await rows()).map((row) => row.excerpt)
const times = async () => (await rows()).map((row) => row.due_at.toISOString())
async function series(): Promise<[string, string, string, string, string]> {
  const [a = '', b = '', c = '', d = '', e = ''] = (await submit()).posts.map(({ postId }) => postId)
  return [a, b, c, d, e]
}

describe('a recurrence', () => {
  it('makes a post for each of its times on each channel, in one batch, at the same wall time through a change of clocks', async () => {
    const other = await content.channel(home)
    const reply = await submit({ channels: [to(channel), to(other)] })
    expect(reply.posts.filter(({ channelId }) => channelId === channel).map(({ dueAt }) => dueAt)).toEqual(mondays)
    expect(reply.posts).toHaveLength(10)
    const stored = await rows()
    expect(stored.map(({ state, wall_time: wall, step }) => ({ state, time: wall.slice(11), step }))).toEqual(
      Array.from({ length: 10 }, () => ({ state: 'SCHEDULED', time: '09:00', step: 'send' })),
    )
    const made = await app.database.owner.query('select recurrence from series where org_id = $1', [home.orgId])
    expect(made.rows).toEqual([{ recurrence: weekly }, { recurrence: weekly }])
    const post = await app.call(
      getPost,
      { params: { ...home.params, postId: reply.posts[2]?.postId ?? '' } },
      { as: home.person },
    )
    expect(post).toMatchObject({
      series: { index: 2, count: 5 },
      dueAt: mondays[2],
      schedule: { type: 'ONCE', details: { utc: mondays[2], timezone: 'Europe/Berlin' } },
    })
    expect(post.timeline.map(({ kind }) => kind)).toEqual(['created', 'scheduled'])
    const list = await app.call(
      listPosts,
      { params: home.params, query: { channelId: [channel] } },
      { as: home.person },
    )
    expect(list.posts.map((row) => row.series).toReversed()).toEqual(
      [0, 1, 2, 3, 4].map((index) => ({ seriesId: post.series?.seriesId, index, count: 5 })),
    )
    const audited = await app.database.owner.query(
      "select count(*) as n from audit where org_id = $1 and action = 'created' and entity = 'post'",
      [home.orgId],
    )
    expect(audited.rows).toEqual([{ n: 10 }])
  })

  it('may differ by channel from the shared schedule', async () => {
    const [now, once] = [await content.channel(home), await content.channel(home)]
    const reply = await submit({
      channels: [
        to(channel),
        to(now, { schedule: { type: 'NOW' } }),
        to(once, { schedule: at('2026-12-01T09:00:00.000Z') }),
      ],
    })
    expect(reply.posts.filter(({ channelId }) => channelId === channel)).toHaveLength(5)
    expect(
      reply.posts
        .filter(({ channelId }) => channelId !== channel)
        .map(({ channelId, dueAt }) => ({ channelId, dueAt })),
    ).toEqual([
      { channelId: now, dueAt: app.clock.now().toISOString() },
      { channelId: once, dueAt: '2026-12-01T09:00:00.000Z' },
    ])
  })

  it('leaves out days of its range that have passed, and refuses chosen times that have', async () => {
    // it began yesterday
    const begun: Recurrence = {
      type: 'RECURRING_WEEKLY',
      details: {
        timezone: 'Europe/London',
        utcStartDate: '2026-11-20T09:00:00.000Z',
        utcEndDate: '2026-11-27T09:00:00.000Z',
        daysOfWeek: [0, 1, 2, 3, 4, 5, 6],
      },
    }
    const reply = await submit({ schedule: begun })
    expect(reply.posts.map(({ dueAt }) => dueAt?.slice(0, 10))).toEqual([
      '2026-11-22',
      '2026-11-23',
      '2026-11-24',
      '2026-11-25',
      '2026-11-26',
      '2026-11-27',
    ])
    const chosen = (utc: string[]): Recurrence => ({
      type: 'RECURRING_CUSTOM',
      details: { timezone: 'Europe/London', utc },
    })
    await expect(
      submit({ schedule: chosen(['2026-11-20T09:00:00.000Z', '2026-12-01T09:00:00.000Z']) }),
    ).rejects.toMatchObject({ code: 'TIME_PASSED', problem: { errors: { schedule: expect.any(Array) } } })
    expect(
      (await submit({ schedule: chosen(['2026-12-02T09:00:00.000Z', '2026-12-01T09:00:00.000Z']) })).posts.map(
        ({ dueAt }) => dueAt?.slice(0, 10),
      ),
    ).toEqual(['2026-12-01', '2026-12-02'])
  })

  it('refuses by field a range that is too short or too long, weekdays outside of it, and 26 times', async () => {
    const range = (from: string, until: string, days = [1]): Recurrence => ({
      type: 'RECURRING_WEEKLY',
      details: {
        timezone: 'Europe/London',
        utcStartDate: `${from}T09:00:00.000Z`,
        utcEndDate: `${until}T09:00:00.000Z`,
        daysOfWeek: days,
      },
    })
    await expect(submit({ schedule: range('2026-12-01', '2026-12-07') })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { 'schedule.details.utcEndDate': ['The range must be at least 7 days'] } },
    })
    await expect(
      submit({ channels: [to(channel, { schedule: range('2026-12-01', '2027-02-01') })] }),
    ).rejects.toMatchObject({
      problem: { errors: { 'channels.0.schedule.details.utcEndDate': ['The range can be at most 60 days'] } },
    })
    const many = Array.from({ length: 26 }, (_, i) => new Date(Date.UTC(2026, 11, 1 + i, 9)).toISOString())
    await expect(
      submit({ schedule: { type: 'RECURRING_CUSTOM', details: { timezone: 'Europe/London', utc: many } } }),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await rows()).toEqual([])
  })

  it('refuses times that differ from those shown, except for those that passed meanwhile', async () => {
    const shown = occurrences(weekly).map((one) => one.at.toISOString())
    expect((await submit({ previewed: [...shown, '2026-11-21T09:59:00.000Z'] })).posts).toHaveLength(5)
    await expect(submit({ previewed: shown.slice(1) })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { schedule: ['The times have changed since you saw them. Review them again.'] } },
    })
  })

  it("isn't available on the free plan", async () => {
    await team.plan(home, 'free')
    await expect(submit()).rejects.toMatchObject({ code: 'PLAN_LIMIT', problem: { meta: { gate: 'repeat' } } })
    await expect(
      submit({ channels: [to(channel, { schedule: weekly })], schedule: at('2026-12-01T09:00:00.000Z') }),
    ).rejects.toMatchObject({ problem: { meta: { gate: 'repeat' } } })
  })

  it('counts each of its posts towards the cap, even when several submits arrive at once', async () => {
    await app.database.owner.query(
      "update plan set plan_id = 'team', status = 'TRIAL_ACTIVE', trial_ends_at = '2027-06-01' where org_id = $1",
      [home.orgId],
    )
    const other = await content.channel(home)
    const both = await Promise.allSettled([
      submit({ channels: [to(channel), to(other)] }),
      submit({ channels: [to(other), to(channel)] }),
      submit({ channels: [to(channel)] }),
    ])
    const refused = both.filter((one) => one.status === 'rejected')
    expect(refused).toHaveLength(1)
    expect(refused[0]?.reason).toMatchObject({ code: 'SCHEDULE_CAP', problem: { meta: { limit: 10 } } })
    const counted = await app.database.owner.query(
      'select channel_id, count(*) as n from post where org_id = $1 group by channel_id',
      [home.orgId],
    )
    expect(counted.rows.every(({ n }) => n <= 10)).toBe(true)
  })

  it("appends the batch's missing hashtags to the first text", async () => {
    await submit({
      schedule: at('2026-12-01T09:00:00.000Z'),
      channels: [to(channel, { contents: says('Look, #Birds') })],
      hashTags: ['birds', '#nests'],
    })
    expect(await texts()).toEqual(['Look, #Birds #nests'])
  })

  it('makes one batch of 61 posts on ten channels', async () => {
    await app.database.owner.query('update plan set addon_quantity = 20 where org_id = $1', [home.orgId])
    const channels = await Promise.all(Array.from({ length: 10 }, () => content.channel(home)))
    const daily: Recurrence = {
      type: 'RECURRING_WEEKLY',
      details: {
        timezone: 'Europe/London',
        utcStartDate: '2026-12-01T09:00:00.000Z',
        utcEndDate: '2027-01-30T09:00:00.000Z',
        daysOfWeek: [0, 1, 2, 3, 4, 5, 6],
      },
    }
    const reply = await submit({ channels: channels.map((id) => to(id)), schedule: daily })
    expect(reply.posts).toHaveLength(610)
    const lanes = await app.database.owner.query(
      'select distinct wake_at from lane where org_id = $1 and wake_at is not null',
      [home.orgId],
    )
    expect(lanes.rows).toEqual([{ wake_at: new Date('2026-12-01T09:00:00.000Z') }])
  })
})

describe('editing a series', () => {
  it('changes this post, this and later ones, or all, and says how many', async () => {
    const [a, , c] = await series()
    expect(await edit(a, 'Only the first')).toMatchObject({ changed: 1, kept: [] })
    expect(await edit(c, 'From the third on', { scope: 'following' })).toMatchObject({
      changed: 3,
      kept: [],
      version: 2,
      status: 'SCHEDULED',
      dueAt: mondays[2],
    })
    expect(await texts()).toEqual([
      'Only the first',
      'Every week',
      'From the third on',
      'From the third on',
      'From the third on',
    ])
    expect(await times()).toEqual(mondays)
    expect((await rows()).every(({ state, step }) => state === 'SCHEDULED' && step === 'send')).toBe(true)
  })

  it('keeps posts whose text was changed separately, unless asked to change them too', async () => {
    const [a, b, c] = await series()
    await edit(b, 'My own words')
    const reply = await edit(a, 'All of them', { scope: 'all' })
    expect(reply).toMatchObject({ changed: 4, kept: [{ postId: b, reason: 'Its text was edited separately.' }] })
    expect(await texts()).toEqual(['All of them', 'My own words', 'All of them', 'All of them', 'All of them'])
    expect(await edit(c, 'Every one', { scope: 'all', overwrite: true, version: 2 })).toMatchObject({
      changed: 5,
      kept: [],
    })
    expect(new Set(await texts())).toEqual(new Set(['Every one']))
    // their content is the same again
    expect(await edit(a, 'Once more', { scope: 'all', version: 3 })).toMatchObject({ changed: 5 })
  })

  it('skips what was sent, with the reason', async () => {
    const [a, b, c] = await series()
    await posts.put(a, 'PUBLISHED')
    await posts.put(b, 'PROCESSING')
    expect(await edit(c, 'The rest', { scope: 'all' })).toMatchObject({
      changed: 3,
      kept: [
        { postId: a, reason: "This post is published. You can't change it here anymore." },
        { postId: b, reason: 'This post is being published. Wait a few seconds.' },
      ],
    })
    expect(await texts()).toEqual(['Every week', 'Every week', 'The rest', 'The rest', 'The rest'])
    await expect(edit(a, 'Too late', { scope: 'all' })).rejects.toMatchObject({ code: 'POST_LOCKED' })
  })

  it("changes only its own channel, and nothing that the role can't change", async () => {
    const other = await content.channel(home)
    const reply = await submit({ channels: [to(channel), to(other)] })
    await edit(reply.posts.find(({ channelId }) => channelId === channel)?.postId ?? '', 'Here', { scope: 'all' })
    const said = await app.database.owner.query(
      'select channel_id, excerpt, count(*) as n from post where org_id = $1 group by 1, 2',
      [home.orgId],
    )
    expect(said.rows).toEqual(
      expect.arrayContaining([
        { channel_id: channel, excerpt: 'Here', n: 5 },
        { channel_id: other, excerpt: 'Every week', n: 5 },
      ]),
    )
  })

  it('by two people at once changes each post once, and refuses the other', async () => {
    const [a, , , , e] = await series()
    const both = await Promise.allSettled([edit(a, 'One', { scope: 'all' }), edit(e, 'Two', { scope: 'all' })])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(new Set(await texts()).size).toBe(1)
  })

  it('by several people at once never deadlocks and leaves one consistent state', async () => {
    const [a, b, c, d, e] = await series()
    const acts = await Promise.allSettled([
      edit(a, 'One', { scope: 'all' }),
      remove(e, 'all'),
      move(c, at('2027-03-30T08:00:00.000Z', 'Europe/Berlin'), 'all'),
      edit(d, 'Two', { scope: 'following' }),
      remove(b, 'following'),
    ])
    const refused = acts.flatMap((act) => (act.status === 'rejected' ? [act.reason.code] : []))
    // deleted or changed by someone else before: reported, never broken
    expect(refused.every((code) => code === 'STALE_VERSION' || code === 'POST_LOCKED')).toBe(true)
    const stored = await rows()
    expect(stored.every(({ state, step }) => (state === 'SCHEDULED' ? step === 'send' : step === null))).toBe(true)
    expect(stored.some(({ state }) => state === 'DELETED')).toBe(true)
  })

  it('refuses a recurrence unless the post waits for approval', async () => {
    const [a] = await series()
    await expect(
      app.call(
        editPost,
        { params: { ...home.params, postId: a }, body: { version: 1, contents: says('Again'), schedule: weekly } },
        { as: home.person },
      ),
    ).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { schedule: ['You can only set a repeat while a post is waiting for approval.'] } },
    })
  })
})

describe('moving a series', () => {
  it('keeps the seconds of the new time for the others too', async () => {
    const [, b] = await series()
    await move(b, at('2027-03-23T09:00:12.500Z', 'Europe/Berlin'), 'following')
    expect((await times()).slice(1, 3)).toEqual(['2027-03-23T09:00:12.500Z', '2027-03-30T08:00:12.500Z'])
    await move(b, at('2027-03-23T10:00:00.000Z', 'Europe/Berlin'), 'following')
    expect((await times()).slice(1, 3)).toEqual(['2027-03-23T10:00:00.000Z', '2027-03-30T09:00:00.000Z'])
  })

  it('moves the others by the same number of days to the same time of day, across a clock change', async () => {
    const [, b] = await series()
    // a day later at 10 in Berlin
    const reply = await move(b, at('2027-03-23T09:00:00.000Z', 'Europe/Berlin'), 'following')
    expect(reply).toMatchObject({
      changed: 4,
      kept: [],
      status: 'SCHEDULED',
      dueAt: '2027-03-23T09:00:00.000Z',
      message: 'Post Rescheduled',
    })
    expect(await times()).toEqual([
      mondays[0],
      '2027-03-23T09:00:00.000Z',
      '2027-03-30T08:00:00.000Z',
      '2027-04-06T08:00:00.000Z',
      '2027-04-13T08:00:00.000Z',
    ])
    expect((await rows()).map(({ wall_time: wall }) => wall.slice(11))).toEqual([
      '09:00',
      '10:00',
      '10:00',
      '10:00',
      '10:00',
    ])
  })

  it('leaves posts that would land in the past, and sent ones', async () => {
    const soon: Recurrence = {
      type: 'RECURRING_WEEKLY',
      details: {
        timezone: 'Europe/London',
        utcStartDate: '2026-11-23T09:00:00.000Z',
        utcEndDate: '2026-12-21T09:00:00.000Z',
        daysOfWeek: [1],
      },
    }
    const [a, b, c, d, e] = (await submit({ schedule: soon })).posts.map(({ postId }) => postId)
    await posts.put(e ?? '', 'PUBLISHED')
    const reply = await move(c ?? '', at('2026-11-24T09:00:00.000Z'), 'all')
    expect(reply.kept).toEqual([
      { postId: a, reason: 'Its new time would be in the past.' },
      { postId: b, reason: 'Its new time would be in the past.' },
      { postId: e, reason: "This post is published. You can't move it anymore." },
    ])
    expect(reply.changed).toBe(2)
    expect((await posts.row(d ?? ''))['due_at']).toEqual(new Date('2026-12-01T09:00:00.000Z'))
  })

  it('turns the posts into drafts planned for their times', async () => {
    const [, , c] = await series()
    expect(await move(c, { type: 'DRAFT' }, 'following')).toMatchObject({ changed: 3, status: 'DRAFTS' })
    expect((await rows()).map(({ state, step }) => ({ state, step }))).toEqual([
      ...Array.from({ length: 2 }, () => ({ state: 'SCHEDULED', step: 'send' })),
      ...Array.from({ length: 3 }, () => ({ state: 'DRAFTS', step: null })),
    ])
    expect(await times()).toEqual(mondays)
  })
})

describe('deleting a series', () => {
  it('deletes unsent posts, keeps sent ones, and one undo restores all of it', async () => {
    const [a, b, c] = await series()
    await posts.put(a, 'PUBLISHED')
    expect(await remove(c, 'all')).toMatchObject({
      changed: 4,
      kept: [{ postId: a, reason: expect.stringContaining('This post is published.') }],
    })
    expect((await rows()).map(({ state }) => state)).toEqual(['PUBLISHED', 'DELETED', 'DELETED', 'DELETED', 'DELETED'])
    expect(await restore(b, 'all')).toMatchObject({ changed: 4, kept: [] })
    expect((await rows()).map(({ state, step }) => [state, step])).toEqual([
      ['PUBLISHED', null],
      ...Array.from({ length: 4 }, () => ['SCHEDULED', 'send']),
    ])
  })

  it('restores only what was deleted with it', async () => {
    const [a, b, c] = await series()
    await remove(a, 'this')
    app.clock.advance({ seconds: 1 })
    await remove(b, 'following')
    expect(await restore(c, 'all')).toMatchObject({ changed: 4 })
    expect((await rows()).map(({ state }) => state)).toEqual([
      'DELETED',
      'SCHEDULED',
      'SCHEDULED',
      'SCHEDULED',
      'SCHEDULED',
    ])
  })

  it('is not found by a stranger', async () => {
    const [a] = await series()
    const stranger = await app.signedInOwner()
    await expect(
      app.call(
        deletePost,
        { params: { ...stranger.params, postId: a }, query: { scope: 'all' } },
        { as: stranger.person },
      ),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(
      app.call(
        editPost,
        { params: { ...stranger.params, postId: a }, body: { version: 1, contents: says('Mine'), scope: 'all' } },
        { as: stranger.person },
      ),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(new Set((await rows()).map(({ state }) => state))).toEqual(new Set(['SCHEDULED']))
  })
})
