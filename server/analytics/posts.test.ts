import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsCollecting } from '#contract/analytics/collecting.ts'
import { insightsCampaigns, insightsLabels } from '#contract/analytics/compared.ts'
import { insightsAudience, insightsSeriesCsv, insightsSummary } from '#contract/analytics/overview.ts'
import {
  insightsPost,
  insightsPosts,
  insightsPostsCsv,
  insightsReadPost,
  PAID_READINGS_A_DAY,
} from '#contract/analytics/posts.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { saveView } from '#contract/views.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { teamOn } from '../testing/team.ts'
import { everyPost } from './everyPost.ts'
import { loadScope, type Reader } from './scope.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let figures: ReturnType<typeof figuresOn>
let home: TestHome
let facebook: string
let x: string
beforeAll(async () => {
  app = await startApp()
  content = contentOn(app.parts)
  figures = figuresOn(app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  facebook = await content.channel(home, { platform: 'facebook', handle: '@page' })
  x = await content.channel(home, { platform: 'x', handle: '@x' })
})

type Query = NonNullable<CallOf<typeof insightsPosts>['query']>
const week = { from: '2026-11-15', to: '2026-11-21' }
const table = (query: Query = week, who: TestPerson = home.person) =>
  app.call(insightsPosts, { params: home.params, query }, { as: who })
const SOMEONE = '01a2278a-bb06-762b-b99d-8a8072c5a38a'
const cursorOf = (place: unknown[], sort = 'publishedAt', order = 'desc') =>
  Buffer.from(JSON.stringify([sort, order, place])).toString('base64url')
const ids = async (query: Query, who?: TestPerson) => (await table(query, who)).posts.map(({ postId }) => postId)
/** Every page, by its cursor. */
async function pages(query: Query): Promise<string[]> {
  const all: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = await table({ ...query, limit: 2, cursor })
    all.push(...page.posts.map(({ postId }) => postId))
    if (page.next === null) return all
    cursor = page.next
  }
}

/** Five posts: two with the same views, one without any, one before the week. */
async function fill() {
  const post = async (channelId: string, at: string, told: Record<string, number | null> | null, text?: string) => {
    const id = await figures.published(home, channelId, at, text === undefined ? {} : { text })
    if (told) await figures.reading(id, at, told)
    return id
  }
  const a = await post(facebook, '2026-11-16T10:00:00Z', { views: 100, reactions: 10, comments: 1 }, '=HYPERLINK("x")')
  const b = await post(facebook, '2026-11-17T10:00:00Z', { views: 300, reactions: 3 })
  const c = await post(facebook, '2026-11-18T10:00:00Z', { views: 100, reactions: 0 })
  const d = await post(x, '2026-11-19T10:00:00Z', null)
  const old = await post(facebook, '2026-11-01T10:00:00Z', { views: 9000 })
  const e = await post(x, '2026-11-20T10:00:00Z', { impressions: 50, reactions: 5, saves: 2 })
  return { a, b, c, d, e, old }
}

describe('the post table', () => {
  it('lists the posts of the range, newest first, with what was told last', async () => {
    const { a, b, c, d, e } = await fill()
    // a later reading replaces what it tells, and leaves what it no longer tells
    await figures.reading(e, '2026-11-21T09:00:00Z', { impressions: 80, reactions: 5, saves: null })
    const reply = await table()
    expect(reply.posts.map(({ postId }) => postId)).toEqual([e, d, c, b, a])
    expect(reply.posts[0]).toMatchObject({
      channelId: x,
      publishedAt: '2026-11-20T10:00:00.000Z',
      figures: {
        impressions: 80,
        reactions: 5,
        saves: 2,
        viewsAndImpressions: 80,
        engagements: 7,
        engagementRate: 8.75,
      },
      readAt: '2026-11-21T09:00:00.000Z',
    })
    expect(reply.posts[1]).toMatchObject({ figures: {}, readAt: null })
    expect([reply.total, reply.next, reply.asOf]).toEqual([5, null, '2026-11-21T09:00:00.000Z'])
    // a name that the catalog no longer has is left out, and fails nothing
    await figures.reading(d, '2026-11-21T09:30:00Z', { reactions: 1, retired: 5 })
    expect((await table()).posts[1]?.figures).toEqual({ reactions: 1, engagements: 1 })
    const known = await app.call(insightsPost, { params: { ...home.params, postId: d } }, { as: home.person })
    expect([known.figures, known.readings[0]?.figures]).toEqual([{ reactions: 1, engagements: 1 }, { reactions: 1 }])
    const narrow = await table({ ...week, columns: 'reactions,engagementRate' })
    expect(narrow.posts[0]?.figures).toEqual({ reactions: 5, engagementRate: 8.75 })
  })

  it('sorts by any figure, with posts that lack it at the end, and pages without losing or repeating one', async () => {
    const { a, b, c, d, e } = await fill()
    // equal values are in the order of the ids
    expect(await ids({ ...week, sort: 'views' })).toEqual([b, c, a, e, d])
    expect(await ids({ ...week, sort: 'views', order: 'asc' })).toEqual([a, c, b, e, d])
    expect(await ids({ ...week, sort: 'engagementRate' })).toEqual([e, a, b, c, d])
    for (const sort of ['publishedAt', 'views', 'reactions', 'saves', 'engagementRate'] as const)
      for (const order of ['asc', 'desc'] as const)
        expect(await pages({ ...week, sort, order }), `${sort} ${order}`).toEqual(await ids({ ...week, sort, order }))
    expect((await table({ ...week, limit: 2 })).total).toBe(5)
  })

  it('filters by channel, platform, campaign, label and hashtag', async () => {
    const { a, b, c, d, e } = await fill()
    const taxonomy = taxonomyOn(app)
    const [campaignId, labelId] = [await taxonomy.campaign(home), await taxonomy.label(home)]
    await taxonomy.join(home, [b, d], [campaignId])
    await taxonomy.tag(home, [a, b], [labelId])
    expect(await ids({ ...week, channelIds: facebook })).toEqual([c, b, a])
    expect(await ids({ ...week, platforms: 'x' })).toEqual([e, d])
    expect(await ids({ ...week, campaignId, sort: 'views' })).toEqual([b, d])
    expect(await ids({ ...week, labelId, sort: 'views', order: 'asc' })).toEqual([a, b])
    const reply = await table({ ...week, campaignId, labelId })
    expect(reply).toMatchObject({ total: 1, labels: [{ labelId }], campaigns: [{ campaignId }] })
    const tagged = await figures.published(home, x, '2026-11-16T10:00:00Z', { text: 'Autumn #Rooks!' })
    expect(await ids({ ...week, hashtag: 'rooks' })).toEqual([tagged])
  })

  it('filters by a hashtag in any script, as a whole word', async () => {
    const at = '2026-11-16T10:00:00Z'
    for (const [tag, longer] of [
      ['हिन्दी', 'हिन्दीभाषा'],
      ['हिन्द', 'हिन्दू'],
      ['ภาษา', 'ภาษาไทย'],
      ['தமிழ்', 'தமிழ்நாடு'],
      ['ミヤマ・ガラス', 'ミヤマ・ガラスの'],
      ['می\u200cخواهم', 'می\u200cخواهمت'],
      ['crème', 'crèmes'],
    ] as const) {
      const one = await figures.published(home, x, at, { text: `(#${tag}) ＃${longer}` })
      const other = await figures.published(home, x, at, { text: `＃${longer}!` })
      expect(await ids({ ...week, hashtag: `#${tag}` })).toEqual([one])
      expect((await ids({ ...week, hashtag: `＃${longer}` })).toSorted()).toEqual([one, other].toSorted())
    }
  })

  it('ranks no posts of a platform whose terms forbid it among others, and works nothing out of them', async () => {
    const { b } = await fill()
    const youtube = await content.channel(home, { platform: 'youtube', handle: '@tube' })
    const films: string[] = []
    for (const [i, views] of [9000, 8000].entries()) {
      const film = await figures.published(home, youtube, `2026-11-${17 + i}T11:00:00Z`)
      await figures.reading(film, `2026-11-${17 + i}T12:00:00Z`, { views, reactions: 5 })
      films.push(film)
    }
    const mixed = await ids({ ...week, sort: 'views' })
    expect([mixed[0], mixed.indexOf(films[0] ?? '') > 3, mixed.length]).toEqual([b, true, 7])
    // by itself the platform's own figure can be sorted by
    expect(await ids({ ...week, sort: 'views', platforms: 'youtube' })).toEqual(films)
    const [film] = (await table({ ...week, platforms: 'youtube' })).posts
    expect(film?.figures).toEqual({ views: 8000, viewsAndImpressions: 8000, reactions: 5 })
    // beside others its views are still its own, at the end of an order that it isn't in
    const beside = await table({ ...week, sort: 'viewsAndImpressions' })
    expect(beside.posts.slice(-3).map((post) => post.figures.viewsAndImpressions)).toEqual([undefined, 8000, 9000])
    expect(beside.posts.some((post) => post.channelId === youtube && post.figures.engagements !== undefined)).toBe(
      false,
    )
    expect(await pages({ ...week, sort: 'views' })).toEqual(mixed)
  })

  it('forgets deleted posts and deleted readings', async () => {
    const { a, b, c, d, e } = await fill()
    await app.database.owner.query("update post set state = 'DELETED' where id = $1", [b])
    await app.database.owner.query('delete from post_metric where post_id = $1', [a])
    expect(await ids({ ...week, sort: 'views' })).toEqual([c, e, d, a])
    await app.database.owner.query("update post set state = 'PUBLISHED' where id = $1", [b])
    expect(await ids({ ...week, sort: 'views' })).toEqual([b, c, e, d, a])
  })

  it('keeps posts of channels outside of the role out of rows and counts', async () => {
    const { d, e } = await fill()
    const bound = await app.colleague(home, 'editor', { channelIds: [x] })
    const reply = await table({ ...week, sort: 'views' }, bound)
    expect([reply.posts.map(({ postId }) => postId), reply.total]).toEqual([[e, d], 2])
    expect((await table({ ...week, channelIds: facebook }, bound)).total).toBe(0)
  })

  it('is part of every plan for the last 7 days', async () => {
    const { e } = await fill()
    await teamOn(app).plan(home, 'free')
    expect((await ids({}))[0]).toBe(e)
    const older = await app.send(
      insightsPosts,
      { params: home.params, query: { from: '2026-11-14', to: '2026-11-21' } },
      { as: home.person },
    )
    expect([older.statusCode, older.json()]).toMatchObject([402, { meta: { gate: 'analytics' } }])
    const csv = await app.send(
      insightsPostsCsv,
      { params: home.params, query: { from: '2026-11-14', to: '2026-11-21' } },
      { as: home.person },
    )
    expect(csv.statusCode).toBe(402)
  })

  it.each([
    ['a cursor that nobody gave out', { cursor: 'bm90IGEgcGxhY2U' }, 'cursor'],
    [
      'a cursor with a month that does not exist',
      { cursor: cursorOf(['time', '2026-13-45 10:00:00+00', SOMEONE]) },
      'cursor',
    ],
    [
      'a cursor with a day that does not exist',
      { cursor: cursorOf(['time', '2026-02-30 10:00:00+00', SOMEONE]) },
      'cursor',
    ],
    ['a cursor with the year 0', { cursor: cursorOf(['time', '0000-01-01 00:00:00+00', SOMEONE]) }, 'cursor'],
    [
      'a cursor with a zone that does not exist',
      { cursor: cursorOf(['time', '2026-02-03 10:00:00+16', SOMEONE]) },
      'cursor',
    ],
    ['a cursor with a word for a time', { cursor: cursorOf(['time', 'infinity', SOMEONE]) }, 'cursor'],
    [
      'a cursor without an order',
      { cursor: Buffer.from(JSON.stringify(['value', 5, SOMEONE])).toString('base64url') },
      'cursor',
    ],
    ['a value in a list by time', { cursor: cursorOf(['value', 5, SOMEONE]) }, 'cursor'],
    [
      'the cursor of a list by another figure',
      { cursor: cursorOf(['value', 5, SOMEONE], 'clicks'), sort: 'reactions' },
      'cursor',
    ],
    [
      'the cursor of a list in another order',
      { cursor: cursorOf(['value', 5, SOMEONE], 'clicks', 'asc'), sort: 'clicks' },
      'cursor',
    ],
    ['an unknown column', { columns: 'applause' }, 'columns.0'],
    ['an unknown sort', { sort: 'applause' }, 'sort'],
    ['a page of 101', { limit: 101 }, 'limit'],
  ])('refuses %s', async (_, query, field) => {
    const reply = await app.send(insightsPosts, { params: home.params, query }, { as: home.person })
    expect([reply.statusCode, Object.keys(reply.json().errors ?? {})]).toEqual([400, [field]])
  })

  it('has each post on its day, where a day begins twice', async () => {
    // the clock goes back from 01:00 to 00:00 on 25 October
    await app.database.owner.query("update project set zone = 'Atlantic/Azores' where id = $1", [home.projectId])
    const at = ['2026-10-24T23:59:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-26T00:59:00Z']
    const [before, first, second, later] = await Promise.all(at.map((one) => figures.published(home, facebook, one)))
    const on = async (day: string) => {
      const reply = await table({ from: day, to: day, order: 'asc' })
      return [reply.total, reply.posts.map(({ postId }) => postId)]
    }
    expect(await on('2026-10-24')).toEqual([1, [before]])
    expect(await on('2026-10-25')).toEqual([3, [first, second, later]])
  })

  it('can be saved with its columns under a name', async () => {
    const search = 'columns=views,reactions&sort=views'
    await app.call(
      saveView,
      { params: home.params, body: { name: 'Mine', page: 'insights', search } },
      { as: home.person },
    )
  })
})

describe('files', () => {
  it('have every post, and no cell that a spreadsheet would run', async () => {
    const { a } = await fill()
    const reply = await app.send(
      insightsPostsCsv,
      { params: home.params, query: { ...week, sort: 'views', columns: 'views,engagementRate' } },
      { as: home.person },
    )
    expect(reply.headers['content-disposition']).toBe('attachment; filename="posts-2026-11-15-2026-11-21.csv"')
    const lines = reply.body.slice(1).split('\r\n')
    expect([reply.body.codePointAt(0), lines[0]]).toEqual([
      0xfeff,
      'Published (Europe/London),Channel,Handle,Platform,Type,Published with,Text,Link,Labels,Campaigns,Views,Engagement rate (%),Read (UTC),Post id',
    ])
    expect(lines).toHaveLength(7)
    // all columns without a choice
    const all = await app.send(insightsPostsCsv, { params: home.params, query: week }, { as: home.person })
    expect([all.statusCode, all.body.split('\r\n').length]).toEqual([200, 7])
    const own = lines.find((line) => line.endsWith(a))
    expect(own).toBe(
      `2026-11-16 10:00,page,'@page,Facebook,post,Rookery,"'=HYPERLINK(""x"")",,,,100,11,2026-11-16T10:00:00.000Z,${a}`,
    )
  })

  it('have each post once and in order, however many are listed and read at once', async () => {
    await fill()
    const project = { projectId: home.projectId, channelIds: null, zone: 'Europe/London' }
    // the parts of an organization that scopes read
    const c = { org: { orgId: home.orgId } as Reader['org'], project, now: app.clock.now() }
    const { databases } = app.parts
    const scope = await asTenant(databases.web, home.orgId, (tx) =>
      loadScope({ ...c, tx }, week, { accepted: [], free: true }),
    )
    for (const sort of ['publishedAt', 'views'] as const)
      for (const [listed, portion] of [
        [1, 1],
        [2, 5],
        [4, 3],
        [5, 2],
      ] as const) {
        const found: string[] = []
        for await (const some of everyPost(databases, c, scope, { sort, order: 'desc' }, { listed, portion }))
          found.push(...some)
        expect(found, `${sort} ${listed} ${portion}`).toEqual(await ids({ ...week, sort }))
      }
  })

  it('have the words of the platform, and only what it reports, if all channels of the file are of one', async () => {
    const { a, e } = await fill()
    const linesOf = async (query: object) => {
      const reply = await app.send(
        insightsPostsCsv,
        { params: home.params, query: { ...week, ...query } },
        { as: home.person },
      )
      return reply.body.slice(1).split('\r\n')
    }
    const before = 'Published (Europe/London),Channel,Handle,Platform,Type,Published with,Text,Link,Labels,Campaigns'
    const ofX =
      "Impressions,Engagements,Engagement rate (%),Engagements (X's count),Likes,Replies,Reposts and quotes,Reposts,Quotes,Bookmarks,URL clicks,Link clicks,Short link clicks,Link in bio clicks,Profile visits"
    const own = await linesOf({ platforms: 'x' })
    expect(own[0]).toBe(`${before},${ofX},Read (UTC),Post id`)
    expect(own[1]).toContain(`,50,7,14,,5,,,,,2,,,,,,2026-11-20T10:00:00.000Z,${e}`)
    // channels of one platform, and those that a role includes
    expect((await linesOf({ channelIds: x }))[0]).toBe(own[0])
    const bound = await teamOn(app).holder(home, { insights: ['view'], channel: ['view'] }, { channelIds: [x] })
    const theirs = await app.send(insightsPostsCsv, { params: home.params, query: week }, { as: bound })
    expect(theirs.body.slice(1).split('\r\n')[0]).toBe(own[0])
    // chosen columns, with the platform's own views once
    const chosen = await linesOf({
      platforms: 'facebook',
      columns: 'viewsAndImpressions,views,comments',
      sort: 'viewsAndImpressions',
    })
    expect(chosen[0]).toBe(`${before},Views,Comments,Read (UTC),Post id`)
    expect(chosen.find((line) => line.endsWith(a))).toContain(',100,1,2026-11-16T10:00:00.000Z')
    // of several platforms, our words
    const both = await linesOf({ channelIds: `${facebook},${x}`, columns: 'viewsAndImpressions,reactions,comments' })
    expect(both[0]).toBe(`${before},Views and impressions,Reactions,Comments,Read (UTC),Post id`)
  })

  it('of a platform whose terms forbid working anything out have nothing that is worked out', async () => {
    const youtube = await content.channel(home, { platform: 'youtube', handle: '@films' })
    await figures.published(home, youtube, '2026-11-19T10:00:00Z')
    const reply = await app.send(
      insightsPostsCsv,
      { params: home.params, query: { ...week, platforms: 'youtube' } },
      { as: home.person },
    )
    expect(reply.body.slice(1).split('\r\n')[0]).toBe(
      'Published (Europe/London),Channel,Handle,Platform,Type,Published with,Text,Link,Labels,Campaigns,Views,Likes,Comments,Short link clicks,Link in bio clicks,Read (UTC),Post id',
    )
  })

  it('have the units of the screen: seconds, and percent', async () => {
    const { a } = await fill()
    await figures.reading(a, '2026-11-17T10:00:00Z', { views: 90, averageWatchMs: 12_500, skipRate: 1250 })
    const reply = await app.send(
      insightsPostsCsv,
      { params: home.params, query: { ...week, columns: 'averageWatchMs,skipRate' } },
      { as: home.person },
    )
    const [head, ...rows] = reply.body.slice(1).split('\r\n')
    expect(head).toContain(',Average watch time (seconds),Skip rate (%),')
    expect(rows.find((row) => row.endsWith(a))).toContain(',12.5,12.5,')
  })

  it('have a row for each day, with gaps where nothing was told, and negative numbers as they are', async () => {
    const { a } = await fill()
    await figures.reading(a, '2026-11-19T10:00:00Z', { views: 90 })
    const reply = await app.send(
      insightsSeriesCsv,
      {
        params: home.params,
        query: { ...week, subject: 'post', names: 'viewsAndImpressions,reactions', by: 'channel' },
      },
      { as: home.person },
    )
    const lines = reply.body.slice(1).split('\r\n')
    expect(lines[0]).toBe(
      'Day,Views and impressions that posts gained: page (Facebook),Views and impressions that posts gained: x (X),Reactions that posts gained: page (Facebook),Reactions that posts gained: x (X)',
    )
    expect(lines.slice(2, 4)).toEqual(['2026-11-16,99,,10,', '2026-11-17,296,,3,'])
    expect(lines[5]).toBe('2026-11-19,-2,,,')
    expect(lines).toHaveLength(9)
    const headOf = async (query: object) =>
      (
        await app.send(insightsSeriesCsv, { params: home.params, query: { ...week, ...query } }, { as: home.person })
      ).body.split('\r\n')[0]
    expect(await headOf({ names: 'reactions' })).toContain('Day,Reactions in these days')
    // in the words of the only platform
    expect(await headOf({ names: 'viewsAndImpressions,reactions', platforms: 'x', subject: 'post' })).toBe(
      '\uFEFFDay,Impressions that posts gained,Likes that posts gained',
    )
    expect(await headOf({ names: 'reactions', platforms: 'x', base: 'postsPublished' })).toContain(
      'Day,Likes of posts published in these days',
    )
    expect(await headOf({ names: 'reactions,published', base: 'postsPublished' })).toContain(
      'Day,Reactions of posts published in these days,Published posts in these days',
    )
  })
})

describe("a post's insights", () => {
  it('are its readings and gains, its conversations and its promotion', async () => {
    const { a } = await fill()
    await figures.reading(a, '2026-11-17T10:00:00Z', { views: 90, reactions: 12 })
    for (const status of ['OPEN', 'CLOSED'])
      await app.database.owner.query(
        `insert into conversation (org_id, id, project_id, channel_id, kind, thread_key, post_id, status, last_at, last_direction, created_at)
         values ($1, gen_random_uuid(), $2, $3, 'comment', $4, $5, $6, now(), 'received', now())`,
        [home.orgId, home.projectId, facebook, randomUUID(), a, status],
      )
    const read = (who: TestPerson = home.person) =>
      app.call(insightsPost, { params: { ...home.params, postId: a } }, { as: who })
    expect(await read()).toMatchObject({
      postId: a,
      platformName: 'facebook',
      readings: [
        { figures: { views: 100, reactions: 10, comments: 1 }, gains: { views: 100, reactions: 10, comments: 1 } },
        { figures: { views: 90, reactions: 12 }, gains: { views: -10, reactions: 2 } },
      ],
      figures: { views: 90, reactions: 12, comments: 1, engagements: 13, engagementRate: 14.44 },
      conversations: { count: 2, open: 1 },
      boost: null,
    })
    const without = await teamOn(app).holder(home, { channel: ['view'], insights: ['view'] })
    expect(await read(without)).toMatchObject({ conversations: null })
    const bound = await app.colleague(home, 'editor', { channelIds: [x] })
    expect((await app.send(insightsPost, { params: { ...home.params, postId: a } }, { as: bound })).statusCode).toBe(
      404,
    )
    await app.database.owner.query("update post set state = 'DELETED' where id = $1", [a])
    expect(
      (await app.send(insightsPost, { params: { ...home.params, postId: a } }, { as: home.person })).statusCode,
    ).toBe(404)
  })
})

describe('a post that is too old to be read by itself', () => {
  it('is read again when someone asks, at most once a day', async () => {
    const { a } = await fill()
    const set = (at: Date | null) =>
      app.database.owner.query('update measured_post set metrics_at = $2 where id = $1', [a, at])
    const ask = async (who: TestPerson = home.person) => {
      const reply = await app.send(insightsReadPost, { params: { ...home.params, postId: a } }, { as: who })
      return [reply.statusCode, reply.json<{ nextReadAt?: string | null }>().nextReadAt]
    }
    const planned = new Date('2026-12-24T10:00:00Z')
    await set(planned)
    expect(await ask()).toEqual([200, planned.toISOString()])
    await set(null)
    const asked = [200, app.clock.now().toISOString()]
    expect(await ask()).toEqual(asked)
    expect(await ask()).toEqual(asked)
    // read, and left by the plan again
    await set(null)
    await figures.reading(a, new Date(app.clock.now().getTime() - 3_600_000).toISOString(), { views: 120 })
    expect(await ask()).toEqual([200, null])
    await app.database.owner.query('update measured_post set gone_at = now() where id = $1', [a])
    await app.database.owner.query("update post_metric set read_at = read_at - interval '40 days' where post_id = $1", [
      a,
    ])
    expect(await ask()).toEqual([200, null])
    await app.database.owner.query('update measured_post set gone_at = null where id = $1', [a])
    expect(await ask()).toEqual(asked)
    expect(await ask(await app.colleague(home, 'editor', { channelIds: [x] }))).toEqual([404, undefined])
    expect(await ask((await app.signedInOwner()).person)).toEqual([404, undefined])
    // a role that only views may ask for what is free
    await set(null)
    expect(await ask(await teamOn(app).holder(home, { insights: ['view'], channel: ['view'] }))).toEqual(asked)
    await teamOn(app).endPlan(home)
    expect((await ask())[0]).toBe(402)
    expect(
      (await app.send(insightsPost, { params: { ...home.params, postId: a } }, { as: home.person })).statusCode,
    ).toBe(200)
    await teamOn(app).plan(home, 'free')
    expect((await ask())[0]).toBe(402)
  })

  it('is only read for money by roles that may create insights, and 20 times a day in a project', async () => {
    const due = async () =>
      (
        await app.database.owner.query(
          'select from measured_post where channel_id = $1 and project_id = $2 and metrics_at is not null',
          [x, home.projectId],
        )
      ).rowCount
    const posts = await Promise.all(
      Array.from({ length: PAID_READINGS_A_DAY + 2 }, () => figures.published(home, x, '2024-11-01T10:00:00Z')),
    )
    await app.database.owner.query('update measured_post set metrics_at = null where project_id = $1', [home.projectId])
    const ask = (postId: string, who: TestPerson = home.person) =>
      app.send(insightsReadPost, { params: { ...home.params, postId } }, { as: who })
    const team = teamOn(app)
    const [first = '', ...others] = posts
    const viewer = await team.holder(home, { insights: ['view', 'edit', 'delete'], channel: ['view'] })
    for (const post of posts) expect((await ask(post, viewer)).statusCode).toBe(403)
    const stranger = await app.signedInOwner()
    expect((await ask(first, stranger.person)).statusCode).toBe(404)
    const editor = await team.holder(home, { insights: ['view', 'create'], channel: ['view'] })
    const bound = await app.colleague(home, 'editor', { channelIds: [facebook] })
    expect((await ask(first, bound)).statusCode).toBe(404)
    expect(await due()).toBe(0)
    // asking twice for the same post counts once
    for (const who of [editor, home.person]) expect((await ask(first, who)).statusCode).toBe(200)
    const answers = await Promise.all(others.map((post) => ask(post, editor)))
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused).toHaveLength(2)
    expect(refused[0]?.json<{ detail: string }>().detail).toContain('for one day')
    expect(await due()).toBe(PAID_READINGS_A_DAY)
    // what is free is no part of it
    const free = await figures.published(home, facebook, '2024-11-01T10:00:00Z')
    await app.database.owner.query('update measured_post set metrics_at = null where id = $1', [free])
    expect((await ask(free, editor)).statusCode).toBe(200)
    app.clock.set(new Date(TEST_NOW.getTime() + 25 * 3_600_000))
    for (const post of others) expect((await ask(post, editor)).statusCode).toBe(200)
    expect(await due()).toBe(PAID_READINGS_A_DAY + 2)
  })
})

describe('the engagement rate', () => {
  it('is that of all posts together, of posts published in the range that have both sides', async () => {
    await fill()
    const { cards } = await app.call(
      insightsSummary,
      { params: home.params, query: { ...week, compareFrom: '2026-11-01', compareTo: '2026-11-14' } },
      { as: home.person },
    )
    // 11 of 100, 3 of 300, 0 of 100 and 7 of 50
    expect(cards.find(({ base, name }) => base === 'postsPublished' && name === 'engagementRate')).toMatchObject({
      value: 3.82,
      before: null,
    })
  })
})

describe('campaigns and labels', () => {
  it('are compared by the latest figures of their posts of the range', async () => {
    const { a, b, e, old } = await fill()
    const taxonomy = taxonomyOn(app)
    const [first, second, empty] = [
      await taxonomy.campaign(home),
      await taxonomy.campaign(home),
      await taxonomy.campaign(home),
    ]
    await taxonomy.join(home, [a, b, old], [first])
    await taxonomy.join(home, [e], [second])
    const query = { ...week, compareFrom: '2026-11-01', compareTo: '2026-11-14' }
    const compare = async (more: object = {}, who: TestPerson = home.person) =>
      (await app.call(insightsCampaigns, { params: home.params, query: { ...query, ...more } }, { as: who })).groups
    const groups = await compare()
    expect(groups.map(({ id, posts, postsBefore }) => [id, posts, postsBefore])).toEqual([
      [first, 2, 1],
      [second, 1, 0],
    ])
    const of = (name: string) => groups[0]?.figures.find((one) => one.name === name)
    expect(of('views')).toMatchObject({
      base: 'postsPublished',
      value: 400,
      before: 9000,
      changePercent: null,
      whyNotComparable: 'notFinal',
      coverage: { channels: { both: 0, notComparable: 1 } },
    })
    expect(of('engagementRate')).toMatchObject({ value: 3.5, before: null })
    const named = await compare({ names: 'engagementRate,views' })
    expect(named[0]?.figures).toEqual([of('engagementRate'), of('views')])
    // a comparison has neither of these
    for (const names of ['', 'published,followers'])
      expect((await compare({ names })).map(({ id, figures: found }) => [id, found])).toEqual([
        [first, []],
        [second, []],
      ])
    // one without posts is only there when it's asked for
    expect((await compare({ ids: `${empty},${first}` })).map(({ id, posts }) => [id, posts])).toEqual([
      [first, 2],
      [empty, 0],
    ])
    const bound = await app.colleague(home, 'editor', { channelIds: [x] })
    expect((await compare({}, bound)).map(({ id, posts }) => [id, posts])).toEqual([[second, 1]])
    // a name of a campaign without posts on their channels isn't theirs to know
    expect((await compare({ ids: `${empty},${first},${second}` }, bound)).map(({ id }) => id)).toEqual([second])
    const other = await app.signedInOwner()
    await teamOn(app).plan(other, 'team')
    expect(
      (await app.call(insightsCampaigns, { params: other.params, query: { ids: first } }, { as: other.person })).groups,
    ).toEqual([])
    const labelId = await taxonomy.label(home)
    await taxonomy.tag(home, [e], [labelId])
    const labels = await app.call(insightsLabels, { params: home.params, query: week }, { as: home.person })
    expect(labels.groups).toMatchObject([{ id: labelId, posts: 1, postsBefore: null }])
    const many = { ids: Array.from({ length: 21 }, () => randomUUID()).join() }
    expect(
      (await app.send(insightsCampaigns, { params: home.params, query: many }, { as: home.person })).statusCode,
    ).toBe(400)
  })

  it('say which figures their posts lack, by platform, and why', async () => {
    const { a, d, e } = await fill()
    const taxonomy = taxonomyOn(app)
    const campaign = await taxonomy.campaign(home)
    const youtube = await content.channel(home, { platform: 'youtube' })
    const video = await figures.published(home, youtube, '2026-11-16T10:00:00Z')
    await figures.reading(video, '2026-11-17T10:00:00Z', { views: 900, reactions: 70 })
    await taxonomy.join(home, [a, d, e, video], [campaign])
    const missing = async (who: TestPerson = home.person, query: object = {}) =>
      (
        await app.call(
          insightsCampaigns,
          { params: home.params, query: { ...week, names: 'reactions,comments,saves,shares', ...query } },
          { as: who },
        )
      ).groups[0]?.missing
    const terms = { platform: 'youtube', reason: 'termsForbid', channels: 1, channelId: youtube }
    const saves = { platform: 'facebook', reason: 'notReported', channels: 1, channelId: facebook, names: ['saves'] }
    expect(await missing()).toEqual([
      { platform: 'facebook', reason: 'nothingReported', channels: 1, channelId: facebook, names: ['shares'] },
      saves,
      { platform: 'x', reason: 'nothingReported', channels: 1, channelId: x, names: ['comments', 'shares'] },
      { ...terms, names: ['reactions', 'comments'] },
      { ...terms, reason: 'notReported', names: ['shares', 'saves'] },
    ])
    // of the channels that published something, and of the role's
    expect(await missing(await app.colleague(home, 'editor', { channelIds: [x] }))).toMatchObject([{ platform: 'x' }])
    expect((await missing(home.person, { channelIds: facebook }))?.map(({ platform }) => platform)).toEqual([
      'facebook',
      'facebook',
    ])
    // two channels with the same reason are one entry, without a channel to reconnect
    const second = await content.channel(home, { platform: 'facebook', handle: '@second' })
    const other = await figures.published(home, second, '2026-11-16T10:00:00Z')
    await figures.reading(other, '2026-11-17T10:00:00Z', { views: 9, reactions: 7, comments: 1 })
    await taxonomy.join(home, [other], [campaign])
    expect(await missing()).toContainEqual({ ...saves, channels: 2, channelId: null })
    // without a reading, it isn't known yet
    const unread = await figures.published(home, second, '2026-11-16T11:00:00Z')
    const later = await taxonomy.campaign(home)
    await taxonomy.join(home, [unread], [later])
    expect(await missing(home.person, { ids: later })).toContainEqual({
      ...saves,
      reason: 'notReadYet',
      channelId: second,
      names: ['reactions', 'comments', 'shares'],
    })
  })
})

describe('audiences', () => {
  it('are the newest of each breakdown, or say why there are none', async () => {
    const audience = async (channelId: string, who: TestPerson = home.person) =>
      app.send(insightsAudience, { params: home.params, query: { channelId } }, { as: who })
    for (const [day, bucket, value] of [
      ['2026-11-01', 'DE', 900],
      ['2026-11-20', 'DE', 20],
      ['2026-11-20', 'FR', 30],
    ])
      await app.database.owner.query(
        "insert into audience (org_id, channel_id, day, breakdown, bucket, value) values ($1, $2, $3, 'country', $4, $5)",
        [home.orgId, x, day, bucket, value],
      )
    expect((await audience(x)).json()).toEqual({
      channelId: x,
      breakdowns: [
        {
          breakdown: 'country',
          day: '2026-11-20',
          unit: 'people',
          buckets: [
            { bucket: 'FR', value: 30 },
            { bucket: 'DE', value: 20 },
          ],
        },
      ],
      missing: null,
    })
    const youtube = await content.channel(home, { platform: 'youtube' })
    for (const [breakdown, bucket] of [
      ['age', '25-34'],
      ['country', 'DE'],
    ])
      await app.database.owner.query(
        "insert into audience (org_id, channel_id, day, breakdown, bucket, value) values ($1, $2, '2026-11-20', $3, $4, 4210)",
        [home.orgId, youtube, breakdown, bucket],
      )
    // one that the platform only says shares of, and one of views
    expect((await audience(youtube)).json()).toMatchObject({
      breakdowns: [
        { breakdown: 'age', unit: 'share' },
        { breakdown: 'country', unit: 'views' },
      ],
    })
    const instagram = await content.channel(home, { platform: 'instagram' })
    const mastodon = await content.channel(home, { platform: 'mastodon' })
    expect((await audience(mastodon)).json()).toMatchObject({ breakdowns: [], missing: 'notReported' })
    expect((await audience(instagram)).json()).toMatchObject({ missing: 'notReadYet' })
    await figures.channelDay(instagram, '2026-11-20', { followers: 99 })
    expect((await audience(instagram)).json()).toMatchObject({ missing: 'tooFewFollowers' })
    const bound = await app.colleague(home, 'editor', { channelIds: [facebook] })
    expect((await audience(x, bound)).statusCode).toBe(404)
    expect((await audience(randomUUID())).statusCode).toBe(404)
  })
})

describe('collecting', () => {
  it('says how far each channel of the role was read', async () => {
    // what connecting the channels planned isn't of interest here
    await app.database.owner.query('delete from insight_sync where org_id = $1', [home.orgId])
    await app.database.owner.query(
      "insert into insight_sync (org_id, channel_id, kind, read_to, until_day, next_at, read_at, state, problem) values ($1, $2, 'history', '2026-08-01', '2024-11-21', '2026-11-21T12:00:00Z', '2026-11-21T09:00:00Z', 'late', '{\"code\":\"unreachable\"}')",
      [home.orgId, facebook],
    )
    await app.database.owner.query("update channel set missing_rights = '{read_insights,other}' where id = $1", [
      facebook,
    ])
    const bound = await app.colleague(home, 'editor', { channelIds: [facebook] })
    expect((await app.call(insightsCollecting, { params: home.params }, { as: bound })).channels).toEqual([
      {
        channelId: facebook,
        channelName: 'page',
        platformName: 'facebook',
        status: 'CONNECTED',
        readings: [
          {
            kind: 'history',
            state: 'late',
            problem: 'unreachable',
            backfilledTo: '2026-08-01',
            backfillUntil: '2024-11-21',
            imported: null,
            wanted: null,
            lastReadAt: '2026-11-21T09:00:00.000Z',
            nextReadAt: '2026-11-21T12:00:00.000Z',
          },
          // the test's platforms have no adapters
          {
            kind: 'posts',
            state: 'unavailable',
            problem: null,
            backfilledTo: null,
            backfillUntil: null,
            imported: null,
            wanted: null,
            lastReadAt: null,
            nextReadAt: null,
          },
        ],
        missingRights: ['read_insights'],
      },
    ])
  })
})

describe('rights and plans', () => {
  const plain = [insightsCampaigns, insightsLabels, insightsCollecting, insightsPosts, insightsPostsCsv] as const
  it('are asked for by every call', async () => {
    const without = await teamOn(app).holder(home, { channel: ['view'], post: ['view'] })
    const other = await app.signedInOwner()
    for (const endpoint of plain) {
      expect((await app.send(endpoint, { params: home.params }, { as: without })).statusCode, endpoint.path).toBe(403)
      expect((await app.send(endpoint, { params: home.params }, { as: other.person })).statusCode, endpoint.path).toBe(
        404,
      )
    }
    const { a } = await fill()
    // after the plan has ended, everything can still be read and exported
    await teamOn(app).endPlan(home)
    for (const endpoint of [...plain, insightsSummary] as const)
      expect((await app.send(endpoint, { params: home.params }, { as: home.person })).statusCode, endpoint.path).toBe(
        200,
      )
    await teamOn(app).plan(home, 'free')
    for (const endpoint of [insightsCampaigns, insightsLabels, insightsCollecting] as const)
      expect((await app.send(endpoint, { params: home.params }, { as: home.person })).statusCode, endpoint.path).toBe(
        402,
      )
    expect(
      (await app.send(insightsAudience, { params: home.params, query: { channelId: x } }, { as: home.person }))
        .statusCode,
    ).toBe(402)
    expect(
      (await app.send(insightsPost, { params: { ...home.params, postId: a } }, { as: home.person })).statusCode,
    ).toBe(402)
    expect(
      (await app.send(insightsSeriesCsv, { params: home.params, query: { names: 'reactions' } }, { as: home.person }))
        .statusCode,
    ).toBe(402)
  })
})
