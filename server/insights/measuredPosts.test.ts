import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsPost, insightsPosts } from '#contract/analytics/posts.ts'
import { insightsSeries, insightsSummary } from '#contract/analytics/overview.ts'
import { dashboardPostChart, dashboardPostStatus } from '#contract/dashboard.ts'
import { asSystem } from '../db/system.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn, gainedDays } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { until } from '../testing/until.ts'
import { keepFound } from './foundPosts.ts'
import { lockMeasured } from './lockMeasured.ts'
import { keepReadings } from './readMetrics.ts'

/* One row for each post whose figures are read, ours or published elsewhere, whatever is known first. */

let app: TestApp
let home: TestHome
let channelId: string
const AT = '2026-11-19T10:00:00Z'
const week = { from: '2026-11-15', to: '2026-11-21' }
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  channelId = await contentOn(app.parts).channel(home, { platform: 'mastodon' })
})

const figures = () => figuresOn(app.database)
const query = async <T extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await app.database.owner.query<T>(text, values)).rows
const measured = () =>
  query<{ id: string; elsewhere: boolean; remote_id: string | null; listed: boolean }>(
    'select id, elsewhere, remote_id, listed from measured_post where org_id = $1 order by elsewhere, remote_id, id',
    [home.orgId],
  )
const table = (as: TestPerson = home.person, filter: Record<string, string> = {}) =>
  app.call(insightsPosts, { params: home.params, query: { ...week, ...filter } }, { as })
const card = async (name: string, filter: Record<string, string> = {}) => {
  const { cards } = await app.call(
    insightsSummary,
    { params: home.params, query: { ...week, ...filter } },
    { as: home.person },
  )
  const base = name === 'published' ? 'postsPublished' : 'inTheseDays'
  return cards.find((one) => one.name === name && one.base === base)?.value ?? null
}

describe('a post of ours that its platform lists too', () => {
  it('is there once when it was ours first', async () => {
    const ours = await figures().published(home, channelId, AT, { remoteId: 'twin' })
    await expect(figures().elsewhere(home, channelId, AT, { remoteId: 'twin' })).rejects.toThrow(/duplicate key/)
    expect(await measured()).toEqual([{ id: ours, elsewhere: false, remote_id: 'twin', listed: true }])
  })

  it('is there once when the platform listed it before its remote ID was known here, with the readings of both', async () => {
    const found = await figures().elsewhere(home, channelId, AT, { remoteId: 'twin' })
    await figures().reading(found, '2026-11-19T12:00:00Z', { reactions: 40 })
    const ours = await figures().published(home, channelId, AT, { remoteId: 'other' })
    await app.database.owner.query("update post set remote_id = 'twin' where id = $1", [ours])
    expect(await measured()).toEqual([{ id: ours, elsewhere: false, remote_id: 'twin', listed: true }])
    await figures().reading(ours, '2026-11-20T12:00:00Z', { reactions: 100 })
    expect([await card('reactions'), await card('published')]).toEqual([100, 1])
    expect(
      await query(
        "select (read_at at time zone 'UTC')::date::text as day, post_id from post_metric where org_id = $1 order by read_at",
        [home.orgId],
      ),
    ).toEqual([
      { day: '2026-11-19', post_id: ours },
      { day: '2026-11-20', post_id: ours },
    ])
    expect((await table()).posts.map(({ postId, origin }) => [postId, origin])).toEqual([[ours, 'here']])
  })

  it('is there once when it becomes published with the remote ID that was listed', async () => {
    const found = await figures().elsewhere(home, channelId, AT, { remoteId: 'twin' })
    await figures().reading(found, '2026-11-19T12:00:00Z', { reactions: 40 })
    const ours = await figures().published(home, channelId, AT, { remoteId: 'twin' })
    expect(await measured()).toEqual([{ id: ours, elsewhere: false, remote_id: 'twin', listed: true }])
    expect([await card('reactions'), await card('published')]).toEqual([40, 1])
  })

  it('stays one after it was deleted here, and is listed nowhere', async () => {
    const ours = await figures().published(home, channelId, AT, { remoteId: 'twin' })
    await app.database.owner.query("update post set state = 'DELETED', remote_id = null where id = $1", [ours])
    await expect(figures().elsewhere(home, channelId, AT, { remoteId: 'twin' })).rejects.toThrow(/duplicate key/)
    expect(await measured()).toEqual([{ id: ours, elsewhere: false, remote_id: 'twin', listed: false }])
    expect((await table()).posts).toEqual([])
  })

  it('never keeps another post of ours with the same remote ID from being published', async () => {
    const first = await figures().published(home, channelId, AT, { remoteId: 'twin' })
    const second = await figures().published(home, channelId, AT, { remoteId: 'twin' })
    expect(await measured()).toEqual([
      { id: first, elsewhere: false, remote_id: 'twin', listed: true },
      { id: second, elsewhere: false, remote_id: null, listed: true },
    ])
  })

  it('is there once when both become known at the same moment', async () => {
    const { owner, databases } = app.database
    const ours = await figures().published(home, channelId, AT, { remoteId: 'draft' })
    const client = await databases.system.connect()
    try {
      await client.query('begin')
      await client.query(
        `insert into measured_post (org_id, id, project_id, channel_id, elsewhere, remote_id, post_type, published_at, shown_at) values ($1, $2, $3, $4, true, 'twin', 'post', $5, $5)`,
        [home.orgId, randomUUIDv7(), home.projectId, channelId, AT],
      )
      const renamed = owner.query("update post set remote_id = 'twin' where id = $1", [ours])
      const waits = async () =>
        (await query('select 1 from pg_locks where not granted and locktype = $1', ['transactionid'])).length > 0
      await until(waits)
      await client.query('commit')
      await renamed
    } finally {
      client.release()
    }
    expect(await measured()).toEqual([{ id: ours, elsewhere: false, remote_id: 'twin', listed: true }])
    expect(await card('published')).toBe(1)
  })
})

describe('at the same time', () => {
  it('lists, readings, publishing and another time zone neither fail each other nor leave a post twice', async () => {
    const channel = {
      org_id: home.orgId,
      project_id: home.projectId,
      channel_id: channelId,
      platform: 'bluesky' as const,
      zone: 'Europe/London',
    }
    const all = Array.from({ length: 40 }, (_, nth) => `post ${nth}`)
    const page = (ids: readonly string[]) =>
      ids.map((remoteId, nth) => ({
        remoteId,
        postType: 'post' as const,
        publishedAt: new Date(Date.parse(AT) - nth * 60_000),
        text: remoteId,
        permalink: null,
        pictureUrl: null,
        figures: { reactions: nth },
      }))
    const list = (ids: readonly string[]) =>
      asSystem(app.parts.databases.system, (tx) => keepFound(tx, channel, page(ids), { now: app.clock.now() }))
    const publish = async (ids: readonly string[]) => {
      for (const remoteId of ids) {
        const id = await figures().published(home, channelId, AT, { remoteId: null })
        await query('update post set remote_id = $2 where id = $1', [id, remoteId])
      }
    }
    const readAll = async () => {
      const ids = await query<{ id: string }>('select id from measured_post where channel_id = $1', [channelId])
      await asSystem(app.parts.databases.system, async (tx) => {
        await lockMeasured(tx, home.orgId, sql`m.id = any(${ids.map(({ id }) => id)}::uuid[])`)
        await keepReadings(tx, home.orgId, new Map(ids.map(({ id }) => [id, { reactions: 50 }])), app.clock.now())
      })
    }
    const zones = async () => {
      for (const zone of ['Asia/Tokyo', 'Europe/London', 'America/New_York'])
        await query('update project set zone = $2 where id = $1', [home.projectId, zone])
    }
    const ours = all.filter((_, nth) => nth % 2 === 0)
    await Promise.all([
      list(all),
      publish(ours.slice(0, 10)),
      list(all.toReversed()),
      publish(ours.slice(10)),
      zones(),
      readAll(),
      list(all.slice(10)),
    ])
    const known = await measured()
    expect(known.map((post) => String(post.remote_id)).toSorted()).toEqual(all.toSorted())
    expect(known.flatMap((post) => (post.elsewhere ? [] : [String(post.remote_id)])).toSorted()).toEqual(
      ours.toSorted(),
    )
    const counts = () =>
      query(
        `select name, sum(gain)::int as gain, sum(readings)::int as n from ${gainedDays} where channel_id = $1 group by name union all select state, sum(n)::int, 0 from post_count where channel_id = $1 group by state union all select 'listed', count(*)::int, 0 from post_figure where channel_id = $1 and name = 'published' order by 1`,
        [channelId],
      )
    const counted = await counts()
    expect(counted).toContainEqual({ name: 'listed', gain: 40, n: 0 })
    await query('select recount_project($1, $2)', [home.orgId, home.projectId])
    expect(await counts()).toEqual(counted)
  })
})

describe('posts published elsewhere', () => {
  it('are in the table, the totals and the lines, with their origin, link and picture', async () => {
    await query("update channel set connected_at = '2026-01-01' where id = $1", [channelId])
    const ours = await figures().published(home, channelId, '2026-11-18T10:00:00Z')
    const found = await figures().elsewhere(home, channelId, AT, { text: 'Made in the app #Sale', hashtags: ['Sale'] })
    await figures().reading(ours, '2026-11-19T12:00:00Z', { reactions: 5 })
    await figures().reading(found, '2026-11-19T12:00:00Z', { reactions: 40 })
    const { posts } = await table()
    expect(posts.map(({ postId, origin }) => [postId, origin])).toEqual([
      [found, 'elsewhere'],
      [ours, 'here'],
    ])
    expect(posts[0]).toMatchObject({
      excerpt: 'Made in the app #Sale',
      permalink: expect.stringContaining('https://platform.example/'),
      // never the platform's own address
      thumbnailUrl: expect.stringMatching(/^\/api\/.+\/account-picture\?/),
      goneAt: null,
      labelIds: [],
      campaignIds: [],
      figures: { reactions: 40 },
    })
    expect([await card('reactions'), await card('published')]).toEqual([45, 2])
    const { series } = await app.call(
      insightsSeries,
      { params: home.params, query: { ...week, names: ['published'], base: 'postsPublished', by: 'total' } },
      { as: home.person },
    )
    expect(series[0]?.values).toEqual([0, 0, 0, 1, 1, 0, 0])
    // by its hashtag, like one of ours
    for (const hashtag of ['#sale', 'SALE']) {
      expect((await table(home.person, { hashtag })).posts.map(({ postId }) => postId)).toEqual([found])
      expect([await card('reactions', { hashtag }), await card('published', { hashtag })]).toEqual([40, 1])
    }
    expect((await table(home.person, { hashtag: 'sales' })).posts).toEqual([])
    const one = await app.call(insightsPost, { params: { ...home.params, postId: found } }, { as: home.person })
    expect(one).toMatchObject({
      origin: 'elsewhere',
      figures: { reactions: 40 },
      conversations: { count: 0 },
      boost: null,
    })
  })

  it('count nowhere else: not on the dashboard of what was planned and published here', async () => {
    await figures().elsewhere(home, channelId, AT)
    const asked = { params: home.params, query: { rangeType: 'seven' as const } }
    expect((await app.call(dashboardPostStatus, asked, { as: home.person })).counts).toEqual([])
    const chart = await app.call(dashboardPostChart, asked, { as: home.person })
    expect(chart.days.every(({ published }) => published === 0)).toBe(true)
  })

  it('are for the roles that include their channel, and for no other organization', async () => {
    const found = await figures().elsewhere(home, channelId, AT, { hashtags: ['sale'] })
    const other = await contentOn(app.parts).channel(home, { platform: 'mastodon' })
    const bound = await app.colleague(home, 'editor', { channelIds: [other] })
    expect((await table(bound)).posts).toEqual([])
    expect((await table(bound, { hashtag: 'sale' })).posts).toEqual([])
    const stranger = await app.signedInOwner()
    await teamOn(app).plan(stranger, 'team')
    for (const [as, params] of [
      [bound, home.params],
      [stranger.person, stranger.params],
    ] as const)
      expect((await app.send(insightsPost, { params: { ...params, postId: found } }, { as })).statusCode).toBe(404)
  })

  it('keep their figures when the platform no longer has them', async () => {
    const found = await figures().elsewhere(home, channelId, AT)
    await figures().reading(found, '2026-11-19T12:00:00Z', { reactions: 40 })
    await app.database.owner.query('update measured_post set gone_at = $2 where id = $1', [
      found,
      '2026-11-20T12:00:00Z',
    ])
    expect((await table()).posts).toMatchObject([{ goneAt: '2026-11-20T12:00:00.000Z', figures: { reactions: 40 } }])
  })

  it('gained nothing known before their first reading if that comes days later', async () => {
    const [old, fresh] = [
      await figures().elsewhere(home, channelId, '2026-11-16T10:00:00Z'),
      await figures().elsewhere(home, channelId, AT),
    ]
    const ours = await figures().published(home, channelId, '2026-11-16T10:00:00Z')
    for (const id of [old, fresh, ours])
      await asSystem(app.parts.databases.system, (tx) =>
        keepReadings(tx, home.orgId, new Map([[id, { reactions: 100 }]]), new Date('2026-11-20T10:00:00Z')),
      )
    expect(await card('reactions')).toBe(200)
    expect((await table()).posts.map((post) => post.figures)).toEqual(
      [{ reactions: 100 }, { reactions: 100 }, { reactions: 100 }].map((one) => ({ ...one, engagements: 100 })),
    )
    await asSystem(app.parts.databases.system, (tx) =>
      keepReadings(tx, home.orgId, new Map([[old, { reactions: 130 }]]), new Date('2026-11-21T10:00:00Z')),
    )
    expect(await card('reactions')).toBe(230)
  })

  it('go with their channel and their project', async () => {
    await figures().elsewhere(home, channelId, AT)
    await figures().published(home, channelId, AT)
    await app.database.owner.query('delete from post where org_id = $1', [home.orgId])
    expect((await measured()).map(({ elsewhere }) => elsewhere)).toEqual([true])
    await app.database.owner.query('delete from channel where id = $1', [channelId])
    expect(await measured()).toEqual([])
  })
})
