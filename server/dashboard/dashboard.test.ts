import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsSeries, insightsSummary } from '#contract/analytics/overview.ts'
import {
  dashboardBrandEngagement,
  dashboardChannels,
  dashboardDraftPosts,
  dashboardInboxStats,
  dashboardPostChart,
  dashboardPosts,
  dashboardPostStatus,
  rangeTypes,
} from '#contract/dashboard.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { daysOf } from '../rangeDays.ts'
import { foldCounts } from './fold.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
let channelId: string
beforeAll(async () => {
  app = await startApp()
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await app.database.owner.query(
    "update plan set plan_id = 'team', status = 'ACTIVE', trial_ends_at = null where org_id = $1",
    [home.orgId],
  )
  channelId = await content.channel(home)
})

const as = () => ({ as: home.person })
const fold = () => foldCounts({ databases: app.parts.databases, signal: new AbortController().signal })

/** A post that was published at the instant. */
async function published(at: string, channel = channelId): Promise<string> {
  const id = await posts.post(home, channel)
  await posts.put(id, 'PUBLISHED', { shown_at: at, published_at: at })
  return id
}
/** A reading of a post's metrics, the last one of its day in UTC. */
const reading = (postId: string, readAt: string, figures: Record<string, number | null>) =>
  app.database.owner.query(
    'insert into post_metric (org_id, post_id, figures, read_at) select org_id, id, $3, $2 from post where id = $1',
    [postId, readAt, JSON.stringify(figures)],
  )
const status = (rangeType: 'today' | 'seven' | 'thirty' = 'seven', who = home.person) =>
  app.call(dashboardPostStatus, { params: home.params, query: { rangeType } }, { as: who })
const chart = (rangeType: 'today' | 'seven' | 'thirty' = 'seven', who = home.person) =>
  app.call(dashboardPostChart, { params: home.params, query: { rangeType } }, { as: who })
const engagement = (rangeType: 'today' | 'seven' | 'thirty' = 'seven', who = home.person) =>
  app.call(dashboardBrandEngagement, { params: home.params, query: { rangeType } }, { as: who })

describe('the days of a range', () => {
  it('end today in the zone, with as many before them', () => {
    expect(daysOf('today', TEST_NOW, 'Europe/London')).toEqual({
      from: '2026-11-21',
      to: '2026-11-21',
      compareFrom: '2026-11-20',
      compareTo: '2026-11-20',
    })
    expect(daysOf('seven', TEST_NOW, 'Europe/London')).toEqual({
      from: '2026-11-15',
      to: '2026-11-21',
      compareFrom: '2026-11-08',
      compareTo: '2026-11-14',
    })
    expect(daysOf('thirty', TEST_NOW, 'Europe/London')).toEqual({
      from: '2026-10-23',
      to: '2026-11-21',
      compareFrom: '2026-09-23',
      compareTo: '2026-10-22',
    })
    // 23:30 in UTC is tomorrow in Tokyo, and a clock change makes no day longer
    expect(daysOf('today', new Date('2026-11-21T23:30:00Z'), 'Asia/Tokyo').to).toBe('2026-11-22')
    expect(daysOf('seven', new Date('2026-10-31T23:30:00Z'), 'Europe/London')).toEqual({
      from: '2026-10-25',
      to: '2026-10-31',
      compareFrom: '2026-10-18',
      compareTo: '2026-10-24',
    })
  })
})

describe('content status', () => {
  it('counts the range, the days before it, and waiting posts whatever their day', async () => {
    await published('2026-11-20T12:00:00Z')
    await published('2026-11-15T00:00:00Z')
    await published('2026-11-14T23:59:00Z')
    await published('2026-10-30T12:00:00Z')
    const failed = await posts.post(home, channelId)
    await posts.put(failed, 'FAILED', { shown_at: '2026-11-21T08:00:00Z' })
    await posts.post(home, channelId)
    const gone = await published('2026-11-21T09:00:00Z')
    await posts.put(gone, 'DELETED')
    const expected = {
      range: { from: '2026-11-15', to: '2026-11-21', compareFrom: '2026-11-08', compareTo: '2026-11-14' },
      counts: [
        { status: 'FAILED', count: 1, before: 0, over: { count: 0, before: 0 } },
        // the day before the range is compared with today, which isn't over
        { status: 'PUBLISHED', count: 2, before: 1, over: { count: 2, before: 0 } },
      ],
      standing: [
        { status: 'FAILED', count: 1 },
        { status: 'SCHEDULED', count: 1 },
      ],
      asOf: TEST_NOW.toISOString(),
    }
    expect(await status()).toEqual(expected)
    expect((await status('thirty')).counts).toContainEqual({
      status: 'PUBLISHED',
      count: 4,
      before: 0,
      over: { count: 4, before: 0 },
    })
    expect((await status('today')).counts).toContainEqual({ status: 'FAILED', count: 1, before: 0, over: null })
    // folding the rows changes nothing
    expect(await fold()).toBeGreaterThan(0)
    expect(await status()).toEqual(expected)
    expect(await fold()).toBe(0)
  })

  it('is empty, not missing, in a new project', async () => {
    expect(await status()).toMatchObject({ counts: [], standing: [] })
  })
})

describe('publishing behavior', () => {
  it('has every day of the range, and the platforms', async () => {
    await published('2026-11-20T12:00:00Z')
    await published('2026-11-20T13:00:00Z')
    await published('2026-11-10T13:00:00Z')
    const failed = await posts.post(home, channelId)
    await posts.put(failed, 'FAILED', { shown_at: '2026-11-18T08:00:00Z' })
    const planned = await posts.post(home, channelId)
    await posts.put(planned, 'SCHEDULED', { shown_at: '2026-11-21T18:00:00Z', due_at: '2026-11-21T18:00:00Z' })
    const reply = await chart()
    expect(reply.days.map(({ date }) => date)).toEqual([
      '2026-11-15',
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
    ])
    expect(reply.days.filter(({ published: p, failed: f, scheduled: s }) => p + f + s > 0)).toEqual([
      { date: '2026-11-18', published: 0, failed: 1, scheduled: 0 },
      { date: '2026-11-20', published: 2, failed: 0, scheduled: 0 },
      { date: '2026-11-21', published: 0, failed: 0, scheduled: 1 },
    ])
    expect(reply.platforms).toEqual([
      { platformName: 'bluesky', published: 2, before: 1, over: { count: 2, before: 1 } },
    ])
    expect((await chart('today')).days).toEqual([{ date: '2026-11-21', published: 0, failed: 0, scheduled: 1 }])
  })

  it("uses days in the project's zone, even when clocks change", async () => {
    // London's clocks went back on 25 October at 02:00: that day lasted 25 hours
    app.clock.set(new Date('2026-10-26T12:00:00Z'))
    for (const at of ['2026-10-24T22:59:00Z', '2026-10-24T23:00:00Z', '2026-10-25T23:59:00Z', '2026-10-26T00:00:00Z'])
      await published(at)
    const counted = async () =>
      (await chart()).days.filter(({ published: p }) => p > 0).map(({ date, published: p }) => [date, p])
    expect(await counted()).toEqual([
      ['2026-10-24', 1],
      ['2026-10-25', 2],
      ['2026-10-26', 1],
    ])
    // another zone counts the same posts again
    await app.database.owner.query("update project set zone = 'Asia/Tokyo' where id = $1", [home.projectId])
    expect(await counted()).toEqual([
      ['2026-10-25', 2],
      ['2026-10-26', 2],
    ])
    // and removes what it counted, not what was counted before
    await app.database.owner.query(
      "update post set state = 'DELETED' where project_id = $1 and shown_at = '2026-10-25T23:59:00Z'",
      [home.projectId],
    )
    expect(await counted()).toEqual([
      ['2026-10-25', 2],
      ['2026-10-26', 1],
    ])
  })
})

describe('brand engagement', () => {
  it('has the same figures, changes and gaps as the insights', async () => {
    const [page, x] = [
      await content.channel(home, { platform: 'facebook' }),
      await content.channel(home, { platform: 'x' }),
    ]
    const figures = figuresOn(app.database)
    for (let day = 8; day <= 19; day++)
      await figures.channelDay(page, `2026-11-${String(day).padStart(2, '0')}`, { views: 100, interactions: 5 })
    const tweet = await published('2026-11-14T07:00:00Z', x)
    await reading(tweet, '2026-11-14T08:00:00Z', { impressions: 7, reactions: 3, comments: 0 })
    await reading(tweet, '2026-11-18T09:00:00Z', { impressions: 6, reactions: 5, comments: 2 })
    const reply = await engagement()
    const insights = await app.call(insightsSummary, { params: home.params, query: { normal: 'true' } }, as())
    for (const [name, figure] of Object.entries(reply.totals)) {
      const card = insights.cards.find((one) => one.name === name && one.base === 'inTheseDays')
      expect(card, name).toMatchObject(figure)
    }
    const { series, days } = await app.call(
      insightsSeries,
      { params: home.params, query: { names: 'viewsAndImpressions,reactions,comments,shares' } },
      as(),
    )
    expect(reply.days.map(({ date }) => date)).toEqual(days)
    for (const { name, values } of series)
      expect(
        reply.days.map((day) => Object.entries(day).find(([key]) => key === name)?.[1]),
        name,
      ).toEqual(values)
    expect(reply.totals).toMatchObject({
      viewsAndImpressions: { before: 707, changePercent: 0, compared: { value: 500, before: 500 } },
      // no platform reported it
      shares: { value: null, before: null, changePercent: null },
    })
    // not read yet, so a gap and no 0
    expect(reply.days.at(-1)).toEqual({
      date: '2026-11-21',
      viewsAndImpressions: null,
      reactions: null,
      comments: null,
      shares: null,
    })
    expect(reply.asOf).toBe('2026-11-20T20:00:00.000Z')
    await fold()
    expect(await engagement()).toEqual(reply)
  })

  it("has days in the project's zone, and a day's last reading", async () => {
    await app.database.owner.query("update project set zone = 'Asia/Tokyo' where id = $1", [home.projectId])
    const id = await published('2026-11-18T12:00:00Z')
    await reading(id, '2026-11-19T14:00:00Z', { reactions: 10 })
    // the same day in UTC, the next one in Tokyo
    await reading(id, '2026-11-19T16:00:00Z', { reactions: 25 })
    const { days, totals } = await engagement()
    expect(days.flatMap(({ date, reactions }) => (reactions === null ? [] : [[date, reactions]]))).toEqual([
      ['2026-11-19', 17],
      ['2026-11-20', 8],
    ])
    expect(totals.reactions.value).toBe(25)
  })

  it('leaves out platforms whose figures may not be added to others', async () => {
    const youtube = await content.channel(home, { platform: 'youtube' })
    await reading(await published('2026-11-20T12:00:00Z'), '2026-11-20T13:00:00Z', { reactions: 2 })
    const film = await figuresOn(app.database).published(home, youtube, '2026-11-20T12:00:00Z')
    await reading(film, '2026-11-20T14:00:00Z', { reactions: 100 })
    await figuresOn(app.database).channelDay(youtube, '2026-11-20', { views: 1000, reactions: 100 })
    expect(await engagement()).toMatchObject({
      totals: { reactions: { value: 2 }, viewsAndImpressions: { value: null } },
      asOf: '2026-11-20T13:00:00.000Z',
    })
  })

  it('is null, not zero, before the first reading', async () => {
    await published('2026-11-20T12:00:00Z')
    expect(await engagement()).toMatchObject({
      asOf: null,
      totals: { viewsAndImpressions: { value: null, before: null, changePercent: null } },
    })
  })

  it('covers 7 days at most without analytics', async () => {
    await teamOn(app).plan(home, 'free')
    expect((await engagement('seven')).days).toHaveLength(7)
    const reply = await app.send(
      dashboardBrandEngagement,
      { params: home.params, query: { rangeType: 'thirty' } },
      as(),
    )
    expect([reply.statusCode, reply.json()]).toMatchObject([402, { code: 'PLAN_LIMIT', meta: { gate: 'analytics' } }])
  })
})

describe('the lists', () => {
  it('pages channels, oldest first, with their waiting posts', async () => {
    const second = await content.channel(home, { handle: '@second.example' })
    await posts.post(home, second)
    const list = (page: number) => app.call(dashboardChannels, { params: home.params, query: { page, limit: 1 } }, as())
    expect(await list(1)).toMatchObject({
      channels: [{ channelId, scheduledPosts: 0, status: 'CONNECTED' }],
      pagination: { currentPage: 1, totalPages: 2, totalCount: 2 },
    })
    expect(await list(2)).toMatchObject({
      channels: [{ channelId: second, channelName: 'second.example', scheduledPosts: 1 }],
    })
  })

  it('lists scheduled posts soonest first, published ones newest first, with their images', async () => {
    const assetId = await content.picture(home)
    await app.database.owner.query("update asset set thumbnail_key = 'abcdefghijklmnop' where id = $1", [assetId])
    const later = await posts.post(home, channelId, {
      text: 'Later',
      schedule: { type: 'ONCE', details: { utc: '2026-11-25T09:00:00.000Z', timezone: 'Europe/London' } },
      media: [{ assetId }],
    })
    const sooner = await posts.post(home, channelId, { text: 'Sooner' })
    const [first, last] = [await published('2026-11-01T12:00:00Z'), await published('2026-11-02T12:00:00Z')]
    const list = (query: object) => app.call(dashboardPosts, { params: home.params, query }, as())
    const scheduled = await list({})
    expect(scheduled.posts.map(({ postId }) => postId)).toEqual([sooner, later])
    expect(scheduled.posts[1]).toMatchObject({
      text: 'Later',
      status: 'SCHEDULED',
      platformName: 'bluesky',
      aiPostId: null,
      at: '2026-11-25T09:00:00.000Z',
      thumbnailUrl: `/api/${home.orgId}/project/${home.projectId}/asset/${assetId}/thumbnail?of=efghijklmnop`,
    })
    expect(await list({ status: 'PUBLISHED', limit: 1 })).toMatchObject({
      posts: [{ postId: last }],
      pagination: { totalCount: 2, totalPages: 2 },
    })
    expect(await list({ status: 'PUBLISHED', limit: 1, page: 2 })).toMatchObject({ posts: [{ postId: first }] })
    await expect(list({ status: 'NOWHERE' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('lists several statuses as one: everything waiting to be published', async () => {
    const at = async (state: 'QUEUED' | 'SCHEDULED' | 'FAILED', shown: string) => {
      const id = await posts.post(home, channelId)
      await posts.put(id, state, {
        shown_at: shown,
        due_at: state === 'SCHEDULED' || state === 'QUEUED' ? shown : null,
      })
      return id
    }
    const ids = [
      await at('QUEUED', '2026-11-22T08:00:00Z'),
      await at('SCHEDULED', '2026-11-23T08:00:00Z'),
      await at('QUEUED', '2026-11-24T08:00:00Z'),
      await at('SCHEDULED', '2026-11-25T08:00:00Z'),
    ]
    await at('FAILED', '2026-11-22T08:00:00Z')
    const bound = await app.colleague(home, 'user', {
      channelIds: [await content.channel(home, { handle: '@other.example' })],
    })
    const list = async (page: number, who = home.person) =>
      await app.call(
        dashboardPosts,
        { params: home.params, query: { status: ['SCHEDULED', 'QUEUED', 'PROCESSING'], page, limit: 3 } },
        { as: who },
      )
    expect((await list(1)).posts.map(({ postId }) => postId)).toEqual(ids.slice(0, 3))
    expect(await list(2)).toMatchObject({
      posts: [{ postId: ids[3], status: 'SCHEDULED' }],
      pagination: { totalCount: 4, totalPages: 2 },
    })
    expect(await list(1, bound)).toMatchObject({ posts: [], pagination: { totalCount: 0 } })
    await expect(app.call(dashboardPosts, { params: home.params, query: { status: [] } }, as())).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
  })

  it('lists drafts, and marks those written by AI', async () => {
    const own = await posts.post(home, channelId, {
      schedule: { type: 'ONCE', details: { utc: '2026-11-25T09:00:00.000Z', timezone: 'Europe/London' } },
    })
    const ai = await posts.post(home, channelId)
    await posts.put(own, 'DRAFTS', { shown_at: '2026-11-20T10:00:00Z' })
    await posts.put(ai, 'DRAFTS', { shown_at: '2026-11-21T10:00:00Z', origin: 'ai' })
    const { posts: drafts, pagination } = await app.call(dashboardDraftPosts, { params: home.params, query: {} }, as())
    expect(drafts.map(({ postId, aiPostId }) => [postId, aiPostId])).toEqual([
      [ai, ai],
      [own, null],
    ])
    expect(pagination.totalCount).toBe(2)
  })
})

it('counts nothing in an inbox that received nothing', async () => {
  for (const rangeType of rangeTypes)
    expect(await app.call(dashboardInboxStats, { params: home.params, query: { rangeType } }, as())).toMatchObject({
      received: 0,
      answered: 0,
      sentiment: { positive: 0, neutral: 0, negative: 0 },
      asOf: app.clock.now().toISOString(),
    })
})

describe('who sees what', () => {
  it('counts nothing of other channels for a role with specific channels, in any call', async () => {
    const hidden = await content.channel(home, { handle: '@hidden.example' })
    const bound = await app.colleague(home, 'user', { channelIds: [channelId] })
    const [mine, theirs] = [await published('2026-11-20T12:00:00Z'), await published('2026-11-20T12:00:00Z', hidden)]
    await posts.post(home, hidden)
    await reading(mine, '2026-11-21T08:00:00Z', { reactions: 5 })
    await reading(theirs, '2026-11-21T09:00:00Z', { reactions: 900 })
    const at = { params: home.params }
    const look = async () => ({
      status: await status('seven', bound),
      chart: await chart('seven', bound),
      engagement: await engagement('seven', bound),
      channels: await app.call(dashboardChannels, { ...at, query: {} }, { as: bound }),
      scheduled: await app.call(dashboardPosts, { ...at, query: {} }, { as: bound }),
      sent: await app.call(dashboardPosts, { ...at, query: { status: 'PUBLISHED' as const } }, { as: bound }),
    })
    for (const folded of [false, true]) {
      if (folded) await fold()
      expect(await look()).toMatchObject({
        status: { counts: [{ status: 'PUBLISHED', count: 1, before: 0 }], standing: [] },
        chart: { platforms: [{ platformName: 'bluesky', published: 1, before: 0 }] },
        engagement: { totals: { reactions: { value: 5 } }, asOf: '2026-11-21T08:00:00.000Z' },
        channels: { channels: [{ channelId }], pagination: { totalCount: 1 } },
        scheduled: { posts: [], pagination: { totalCount: 0 } },
        sent: { posts: [{ postId: mine }], pagination: { totalCount: 1 } },
      })
    }
    expect(await status()).toMatchObject({ counts: [{ status: 'PUBLISHED', count: 2 }] })
    expect((await engagement()).totals.reactions.value).toBe(905)
  })

  it('shows drafts without a channel to their author, and to roles with all channels', async () => {
    const bound = await app.colleague(home, 'user', { channelIds: [channelId] })
    const other = await app.colleague(home, 'user', { channelIds: [channelId] })
    const id = await posts.post(home, channelId)
    await app.database.owner.query(
      "update post set state = 'DRAFTS', channel_id = null, author_id = $2 where id = $1",
      [id, bound.personId],
    )
    const drafts = async (who: typeof bound) => [
      (await status('seven', who)).standing,
      (await app.call(dashboardDraftPosts, { params: home.params, query: {} }, { as: who })).pagination.totalCount,
    ]
    expect(await drafts(bound)).toEqual([[{ status: 'DRAFTS', count: 1 }], 1])
    expect(await drafts(home.person)).toEqual([[{ status: 'DRAFTS', count: 1 }], 1])
    expect(await drafts(other)).toEqual([[], 0])
  })

  it('counts nothing of another tenant or project', async () => {
    const id = await published('2026-11-20T12:00:00Z')
    await reading(id, '2026-11-21T08:00:00Z', { impressions: 5 })
    const stranger = await app.signedInOwner()
    const second = await app.project(home.orgId, home.person)
    for (const [params, who] of [
      [stranger.params, stranger.person],
      [{ orgId: home.orgId, projectId: second.projectId }, home.person],
    ] as const) {
      expect(await app.call(dashboardPostStatus, { params, query: {} }, { as: who })).toMatchObject({
        counts: [],
        standing: [],
      })
      expect(await app.call(dashboardPostChart, { params, query: {} }, { as: who })).toMatchObject({ platforms: [] })
      expect(await app.call(dashboardBrandEngagement, { params, query: {} }, { as: who })).toMatchObject({
        totals: { reactions: { value: null } },
        asOf: null,
      })
      expect(await app.call(dashboardChannels, { params, query: {} }, { as: who })).toMatchObject({ channels: [] })
      expect(await app.call(dashboardPosts, { params, query: { status: 'PUBLISHED' } }, { as: who })).toMatchObject({
        posts: [],
        pagination: { totalCount: 0 },
      })
    }
    await expect(
      app.call(dashboardPostStatus, { params: home.params, query: {} }, { as: stranger.person }),
    ).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
  })
})
