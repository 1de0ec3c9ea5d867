import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsChannels, insightsSeries, insightsSummary } from '#contract/analytics/overview.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { foldCounts } from '../dashboard/fold.ts'
import { addDays } from '../rangeDays.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let figures: ReturnType<typeof figuresOn>
let home: TestHome
let facebook: string
let x: string
let youtube: string
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
  youtube = await content.channel(home, { platform: 'youtube', handle: '@tube' })
  await connectedOn('2020-01-01')
})

/** Since when the channels are connected: posts of days before aren't known. */
const connectedOn = async (day: string, ids: readonly string[] = [facebook, x, youtube]) =>
  await app.database.owner.query('update channel set connected_at = $2 where id = any($1)', [ids, `${day}T10:00:00Z`])

type Query = NonNullable<CallOf<typeof insightsSummary>['query']>
const week = { from: '2026-11-15', to: '2026-11-21', compareFrom: '2026-11-08', compareTo: '2026-11-14' }
const summary = (query: Query = week, who: TestPerson = home.person) =>
  app.call(insightsSummary, { params: home.params, query }, { as: who })
type Base = 'inTheseDays' | 'postsPublished'
const card = async (
  name: string,
  query: Query = week,
  { base = 'inTheseDays', who }: { base?: Base; who?: TestPerson } = {},
) => (await summary(query, who)).cards.find((one) => one.name === name && one.base === base)
/** Why each channel that isn't in a figure isn't. */
const missing = async (
  name: string,
  query: Query = week,
  { base = 'inTheseDays', who }: { base?: Base; who?: TestPerson } = {},
) =>
  Object.fromEntries(
    (await summary(query, who)).missing.flatMap(({ channelIds, reason, figures: of }) =>
      of[base]?.some((one) => one === name) === true ? channelIds.map((id) => [id, reason]) : [],
    ),
  )
const posts = { base: 'postsPublished' } as const
const series = (query: NonNullable<CallOf<typeof insightsSeries>['query']>, who: TestPerson = home.person) =>
  app.call(insightsSeries, { params: home.params, query }, { as: who })
const channels = (query: Query = week, who: TestPerson = home.person) =>
  app.call(insightsChannels, { params: home.params, query }, { as: who })

/**
 * Posts on three platforms with readings in the week and before it. What the page's post gained between its readings, 80
 * views, belongs to the days between them: 51 to those before the week, 11, 12 and 6 to its first three.
 */
async function fill(): Promise<{ page: string; tweet: string; video: string }> {
  const page = await figures.published(home, facebook, '2026-11-10T12:00:00Z', { text: 'Elms #Rooks' })
  await figures.reading(page, '2026-11-10T13:00:00Z', { views: 30, reactions: 3, comments: 0, clicks: 2 })
  await figures.reading(page, '2026-11-17T12:00:00Z', { views: 110, reactions: 5, comments: 1, clicks: 2 })
  const tweet = await figures.published(home, x, '2026-11-18T12:00:00Z', { text: 'Nests' })
  await figures.reading(tweet, '2026-11-18T13:00:00Z', { impressions: 40, reactions: 4, shares: 1 })
  await figures.reading(tweet, '2026-11-19T12:00:00Z', { impressions: 90, reactions: 3, shares: 1 })
  const video = await figures.published(home, youtube, '2026-11-16T12:00:00Z', { text: 'A film' })
  await figures.reading(video, '2026-11-17T12:00:00Z', { views: 1000, reactions: 50, comments: 5 })
  return { page, tweet, video }
}

/** A channel's figures on each of these days, as its platform reported them. */
async function days(channelId: string, from: string, count: number, of: Record<string, number>): Promise<void> {
  for (let i = 0; i < count; i++) await figures.channelDay(channelId, addDays(from, i), of)
}

describe('the totals of these days', () => {
  it("take a channel's own days where its platform reports them, else what its posts gained, and say which", async () => {
    await fill()
    await days(facebook, '2026-11-08', 12, { views: 100, interactions: 9 })
    expect(await card('viewsAndImpressions')).toMatchObject({
      subject: 'channel',
      // five days of the page, and what the post on X gained
      value: 500 + 90,
      before: 700,
      holds: [
        { platform: 'facebook', source: 'series', terms: ['Views'] },
        { platform: 'x', source: 'gains', terms: ['Impressions'] },
      ],
    })
    expect(await missing('viewsAndImpressions')).toEqual({ [youtube]: 'termsForbid' })
    // Facebook counts interactions of the page by day, and reactions only of posts
    expect(await card('engagements')).toMatchObject({
      value: 45 + 4,
      holds: [
        { platform: 'facebook', source: 'series', terms: ["Interactions (Facebook's count)"] },
        { platform: 'x', source: 'gains', terms: ['Likes', 'Reposts and quotes'] },
      ],
    })
    // five reactions of the page's post in a week of readings, and three on X
    expect(await card('reactions')).toMatchObject({ value: 4, before: 4 })
    expect(await card('saves')).toMatchObject({
      value: null,
      before: null,
      changePercent: null,
      whyNotComparable: null,
    })
    expect(await missing('saves')).toEqual({
      [facebook]: 'notReported',
      [x]: 'nothingReported',
      [youtube]: 'notReported',
    })
    const before = await summary()
    await foldCounts({ databases: app.parts.databases, signal: new AbortController().signal })
    expect(await summary()).toEqual(before)
  })

  it('compare the days that both ranges have', async () => {
    await days(facebook, '2026-11-08', 12, { views: 100, interactions: 9 })
    await figures.channelDay(facebook, '2026-11-20', { views: 1, interactions: 0 }, '2026-11-20T20:00:00Z')
    expect(await card('viewsAndImpressions')).toMatchObject({
      value: 501,
      before: 700,
      changePercent: 0,
      compared: { value: 500, before: 500 },
      whyNotComparable: null,
      coverage: {
        days: 7,
        reportedDays: 6,
        daysBefore: 7,
        reportedDaysBefore: 7,
        comparedDays: 5,
        channels: { both: 1, onlyNow: 0, onlyBefore: 0, notComparable: 0 },
        finalUntil: null,
        asOfDay: null,
      },
    })
    // two days after a day is over, its value is final
    await figures.channelDay(facebook, '2026-11-15', { views: 100, interactions: 9 }, '2026-11-18T20:00:00Z')
    await figures.channelDay(facebook, '2026-11-16', { views: 100, interactions: 9 }, '2026-11-18T20:00:00Z')
    expect((await card('viewsAndImpressions'))?.coverage.finalUntil).toBe('2026-11-15')
  })

  it('divide by each other: the rate is that of the channels and days that have both', async () => {
    await days(facebook, '2026-11-08', 12, { views: 100, interactions: 10 })
    await figures.channelDay(facebook, '2026-11-20', { views: 900 })
    expect(await card('engagementRate')).toMatchObject({
      value: 10,
      before: 10,
      changePercent: null,
      changePoints: 0,
      quotient: { part: 50, whole: 500 },
    })
    await fill()
    expect(await card('engagementRate')).toMatchObject({
      value: 9.15,
      quotient: { part: 50 + 4, whole: 500 + 90 },
      compared: { value: 10, before: 10 },
      coverage: { channels: { both: 1, onlyNow: 1 } },
    })
  })

  it('cover the whole days between the first and the last reading of posts', async () => {
    const tweet = await figures.published(home, x, '2026-11-06T12:00:00Z')
    let seen = 0
    for (let day = 6; day <= 21; day++)
      await figures.reading(tweet, `2026-11-${String(day).padStart(2, '0')}T20:00:00Z`, { impressions: (seen += 12) })
    expect(await card('viewsAndImpressions')).toMatchObject({
      // today's last hours aren't known yet
      value: 82,
      before: 84,
      changePercent: 0,
      compared: { value: 60, before: 60 },
      coverage: { reportedDays: 7, reportedDaysBefore: 7, comparedDays: 5, finalUntil: '2026-11-19' },
    })
    // nothing gained is a gain of 0, not a gap
    await app.database.owner.query('delete from post_metric where post_id = $1 and read_at > $2', [
      tweet,
      '2026-11-17T00:00Z',
    ])
    await figures.reading(tweet, '2026-11-21T20:00:00Z', { impressions: 12 * 11 })
    expect(await card('viewsAndImpressions')).toMatchObject({
      compared: { value: 22, before: 60 },
      changePercent: -63.33,
    })
  })

  it('of constant days change by 0.00% or say why not: with any delays, gaps, and days that were read too early', async () => {
    const instagram = await content.channel(home, { platform: 'instagram' })
    const tweet = await figures.published(home, x, '2026-10-20T12:00:00Z')
    const [day, LAST] = [fc.integer({ min: 0, max: 34 }), '2026-11-21']
    const side = fc.record({
      delay: fc.nat(9),
      first: day,
      gaps: fc.array(day, { maxLength: 12 }),
      early: fc.array(day, { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(
        side,
        side,
        // after the clocks went back: a day of 25 hours gains more
        fc.integer({ min: 0, max: 26 }),
        day,
        fc.integer({ min: 1, max: 16 }),
        async (page, account, firstRead, back, length) => {
          for (const table of ['channel_figure', 'post_metric'])
            await app.database.owner.query(`delete from ${table} where org_id = $1`, [home.orgId])
          for (const [channelId, { delay, first, gaps, early }, of] of [
            [facebook, page, { views: 100, interactions: 7, profileViews: 3 }],
            [instagram, account, { views: 900, reactions: 50, comments: 4 }],
          ] as const)
            for (let i = delay; i <= first; i++)
              if (!gaps.includes(i))
                // a day that was read while it went on has only a part
                await figures.channelDay(
                  channelId,
                  addDays(LAST, -i),
                  early.includes(i) ? { ...of, views: 1 } : of,
                  `${addDays(LAST, early.includes(i) ? -i : 1 - i)}T20:00:00Z`,
                )
          for (let i = firstRead; i >= 0; i--)
            await figures.reading(tweet, `${addDays(LAST, -i)}T12:00:00Z`, {
              impressions: 24 * (40 - i),
              reactions: 2 * (40 - i),
            })
          const to = addDays(LAST, -Math.min(back, 10))
          const from = addDays(to, 1 - length)
          const reply = await summary({ from, to, compareFrom: addDays(from, -length), compareTo: addDays(from, -1) })
          for (const { base, name, value, before, changePercent, changePoints, whyNotComparable } of reply.cards)
            if (base === 'inTheseDays' && (value !== null || before !== null) && name !== 'engagementRate')
              expect([name, changePercent, whyNotComparable === null]).toEqual([
                name,
                changePercent === null ? null : 0,
                changePercent !== null,
              ])
            else if (name === 'engagementRate') expect(changePoints ?? 0).toBe(0)
        },
      ),
      { numRuns: 12 },
    )
  })

  it('keep platforms whose terms forbid sums apart, under their own names', async () => {
    await fill()
    await figures.channelDay(youtube, '2026-11-16', { views: 400, followers: 900, watchSeconds: 60 })
    await figures.channelDay(youtube, '2026-11-20', { followers: 900 })
    const { apart, cards } = await summary()
    // what only they report has no total, and isn't missing from one
    expect(cards.map(({ name }) => name)).not.toContain('engagedViews')
    const alone = await summary({ ...week, platforms: 'youtube' })
    expect(alone.cards.map(({ name }) => name)).toContain('engagedViews')
    // the number of posts counts theirs, and what leaves them out says so
    const [published, ...ofPosts] = cards.filter(({ base, value }) => base === 'postsPublished' && value !== null)
    expect([published?.name, published?.value, ofPosts.map(({ name }) => name)]).toEqual([
      'published',
      2,
      ['viewsAndImpressions', 'engagements', 'engagementRate', 'reactions', 'shares'],
    ])
    for (const { posts } of ofPosts)
      expect(posts).toEqual({ known: 1, all: 1, apart: [{ platform: 'youtube', posts: 1 }] })
    const ours = await app.call(
      insightsSummary,
      { params: home.params, query: { ...week, platforms: 'x' } },
      { as: home.person },
    )
    expect(ours.cards.flatMap(({ posts }) => posts?.apart ?? [])).toEqual([])
    expect(
      apart.map(({ platform, figures: own }) => [platform, own.map(({ base, name, value }) => [base, name, value])]),
    ).toEqual([
      [
        'youtube',
        [
          ['inTheseDays', 'viewsAndImpressions', 400],
          ['inTheseDays', 'watchSeconds', 60],
          ['inTheseDays', 'followers', 900],
          ['postsPublished', 'viewsAndImpressions', 1000],
          ['postsPublished', 'reactions', 50],
          ['postsPublished', 'comments', 5],
        ],
      ],
    ])
    const accepted = await startApp({ database: app.database, env: { YOUTUBE_ANALYTICS_TERMS: 'accepted' } })
    try {
      const reply = await accepted.call(insightsSummary, { params: home.params, query: week }, { as: home.person })
      expect(reply.apart).toEqual([])
      expect(reply.cards.flatMap(({ posts }) => posts?.apart ?? [])).toEqual([])
      expect(reply.cards.find(({ name }) => name === 'viewsAndImpressions')).toMatchObject({ value: 490 })
      expect(reply.missing.filter(({ reason }) => reason === 'termsForbid')).toEqual([])
    } finally {
      await accepted.close()
    }
  })

  it('say that the days compared were deleted by the terms of the platform', async () => {
    await days(youtube, '2026-10-23', 30, { views: 10 })
    const month = { from: '2026-10-23', to: '2026-11-21', compareFrom: '2026-09-23', compareTo: '2026-10-22' }
    await figures.channelDay(youtube, '2026-10-22', { views: 10 })
    const { apart } = await summary(month)
    expect(apart[0]?.figures).toMatchObject([
      { value: 300, before: 10, changePercent: null, whyNotComparable: 'forgotten' },
    ])
  })

  it('have no percent across a break in how a platform counts', async () => {
    await days(facebook, '2026-06-01', 28, { views: 10, interactions: 1 })
    const june = { from: '2026-06-15', to: '2026-06-28', compareFrom: '2026-06-01', compareTo: '2026-06-14' }
    expect(await card('viewsAndImpressions', june)).toMatchObject({
      value: 140,
      changePercent: null,
      whyNotComparable: 'break',
    })
    expect(await card('engagementRate', june)).toMatchObject({ changePoints: null, whyNotComparable: 'break' })
    // how days were counted that have nothing doesn't matter
    const first = { from: '2026-06-01', to: '2026-06-28', compareFrom: '2026-05-04', compareTo: '2026-05-31' }
    expect(await card('viewsAndImpressions', first)).toMatchObject({ before: null, whyNotComparable: 'nothingBefore' })
    expect(await card('engagements', june)).toMatchObject({ changePercent: 0 })
  })

  it('add up what adds up, and never people', async () => {
    await figures.channelDay(facebook, '2026-11-09', { profileViews: 4, reach: 70 })
    await figures.channelDay(facebook, '2026-11-16', { profileViews: 5, reach: 80 })
    await figures.channelDay(facebook, '2026-11-18', { profileViews: 6, reach: 90 })
    expect(await card('profileViews')).toMatchObject({
      value: 11,
      before: 4,
      compared: { value: 5, before: 4 },
      changePercent: 25,
    })
    expect(await card('reach')).toBeUndefined()
  })

  it('return only the figures that are asked for, and those of each platform', async () => {
    await fill()
    await figures.channelDay(facebook, '2026-11-19', { followers: 50 })
    const reply = await summary({ ...week, names: 'reactions,published', byPlatform: 'reactions,followers' })
    expect(reply.cards.map(({ base, name }) => [base, name])).toEqual([
      ['inTheseDays', 'reactions'],
      ['postsPublished', 'published'],
      ['postsPublished', 'reactions'],
    ])
    expect(
      reply.platforms.map(({ platform, channels: n, figures: own }) => [
        platform,
        n,
        own.map(({ base, name, value }) => [base, name, value]),
      ]),
    ).toEqual([
      [
        'facebook',
        1,
        [
          ['inTheseDays', 'reactions', 1],
          ['inTheseDays', 'followers', 50],
          ['postsPublished', 'reactions', null],
        ],
      ],
      [
        'x',
        1,
        [
          ['inTheseDays', 'reactions', 3],
          ['postsPublished', 'reactions', 3],
        ],
      ],
    ])
    expect(JSON.stringify(reply.missing)).not.toContain('viewsAndImpressions')
    const apart = await summary({ ...week, names: 'reactions', byPlatform: 'followers', postsByPlatform: 'reactions' })
    expect(
      apart.platforms.map(({ platform, figures: own }) => [
        platform,
        own.map(({ base, name, value }) => [base, name, value]),
      ]),
    ).toEqual([
      [
        'facebook',
        [
          ['inTheseDays', 'followers', 50],
          ['postsPublished', 'reactions', null],
        ],
      ],
      ['x', [['postsPublished', 'reactions', 3]]],
    ])
    // posts are counted by us: none are 0
    const may = { from: '2026-05-01', to: '2026-05-31', names: 'published', byPlatform: 'published' }
    expect((await summary(may)).platforms.map(({ figures: own }) => own.map(({ value }) => value))).toEqual([
      [0],
      [0],
      [0],
    ])
    // so they add up over all platforms; of those apart, nothing else is there
    const all = await summary({ ...week, names: 'published', byPlatform: 'published,reactions' })
    const counts = all.platforms.map(({ platform, figures: own }) => [
      platform,
      own.map(({ name, value }) => [name, value]),
    ])
    expect(counts).toContainEqual(['youtube', [['published', 1]]])
    const sum = all.platforms.reduce(
      (n, { figures: own }) => n + (own.find(({ name }) => name === 'published')?.value ?? 0),
      0,
    )
    expect(sum).toBe(all.cards.find(({ name }) => name === 'published')?.value)
    const other = await summary({ ...week, names: 'reactions', postNames: 'published,comments' })
    expect(other.cards.map(({ base, name }) => [base, name])).toEqual([
      ['inTheseDays', 'reactions'],
      ['postsPublished', 'published'],
      ['postsPublished', 'comments'],
    ])
  })
})

describe('levels', () => {
  it('are the last value at the end of the range, compared over the channels that have both', async () => {
    await figures.channelDay(facebook, '2026-11-12', { followers: 500 })
    await figures.channelDay(facebook, '2026-11-16', { followers: 510 })
    await figures.channelDay(facebook, '2026-11-18', { followers: 530 })
    await figures.channelDay(x, '2026-11-20', { followers: 50 })
    expect(await card('followers')).toMatchObject({
      value: 580,
      before: 500,
      changePercent: 6,
      compared: { value: 530, before: 500 },
      coverage: { comparedDays: null, channels: { both: 1, onlyNow: 1 }, asOfDay: '2026-11-18' },
    })
  })

  it('of channels that were not read for a week are missing', async () => {
    await figures.channelDay(facebook, '2026-11-13', { followers: 500 })
    await figures.channelDay(x, '2026-11-07', { followers: 40 })
    await figures.channelDay(x, '2026-11-14', { followers: 50 })
    expect(await card('followers')).toMatchObject({
      value: 50,
      before: 550,
      changePercent: 0,
      coverage: { channels: { both: 1, onlyBefore: 1 } },
    })
    await figures.channelDay(x, '2026-11-14', { followers: 50 })
  })
})

describe('posts published in these days', () => {
  it('have their figures to date, compared once they had a week', async () => {
    await fill()
    expect(await card('published', week, posts)).toMatchObject({ subject: 'post', value: 2, before: 1 })
    expect(await card('viewsAndImpressions', week, posts)).toMatchObject({
      value: 90,
      before: 110,
      changePercent: null,
      whyNotComparable: 'notFinal',
      holds: [{ platform: 'x', source: 'posts', terms: ['Impressions'] }],
    })
    expect(await missing('viewsAndImpressions', week, posts)).toEqual({
      [facebook]: 'noPosts',
      [youtube]: 'termsForbid',
    })
    const other = await figures.published(home, facebook, '2026-11-16T12:00:00Z')
    await figures.reading(other, '2026-11-17T12:00:00Z', { views: 50, reactions: 5 })
    expect(await card('viewsAndImpressions', week, posts)).toMatchObject({
      value: 140,
      before: 110,
      changePercent: null,
      whyNotComparable: 'notFinal',
    })
    // a rate waits for its two sides
    expect(await card('engagementRate', week, posts)).toMatchObject({
      value: 6.43,
      quotient: { part: 9, whole: 140 },
      compared: null,
      changePoints: null,
      whyNotComparable: 'notFinal',
    })
    app.clock.set(new Date('2026-11-28T12:00:00Z'))
    expect(await card('viewsAndImpressions', week, posts)).toMatchObject({
      changePercent: -54.55,
      compared: { value: 50, before: 110 },
      coverage: { comparedDays: 7, channels: { both: 1, onlyNow: 1 } },
    })
    // 5 of 50 against 8 of 110, of the page alone
    expect(await card('engagementRate', week, posts)).toMatchObject({
      compared: { value: 10, before: 7.27 },
      changePercent: null,
      changePoints: 2.73,
      coverage: { comparedDays: 7 },
    })
  })

  it('are counted up to yesterday when they are compared', async () => {
    for (const day of ['14', '13', '08', '15', '16', '21']) await figures.published(home, x, `2026-11-${day}T10:00:00Z`)
    expect(await card('published', week, posts)).toMatchObject({
      value: 3,
      before: 3,
      // six days: the 15th to the 20th against the 8th to the 13th
      compared: { value: 2, before: 2 },
      changePercent: 0,
      coverage: { comparedDays: 6 },
    })
    expect(await missing('published', week, posts)).toEqual({})
  })
})

describe('posts of days before a channel was connected', () => {
  const publish = async (channelId: string, days: readonly string[]) => {
    for (const day of days) await figures.published(home, channelId, `2026-11-${day}T10:00:00Z`)
  }
  const found = async (channelId: string, day: string, more: Record<string, unknown>) => {
    await figures.elsewhere(home, channelId, `2026-11-${day}T10:00:00Z`)
    const list = { cursor: null, wanted: 100, imported: 100, ...more }
    await app.database.owner.query(
      `insert into insight_sync (org_id, channel_id, kind, state, read_at, cursor, wanted, imported) values ($1, $2, 'posts', 'done', $3, $4, $5, $6)
       on conflict (org_id, channel_id, kind) do update set cursor = excluded.cursor, imported = excluded.imported`,
      [home.orgId, channelId, TEST_NOW, list.cursor, list.wanted, list.imported],
    )
    await foldCounts({ databases: app.parts.databases, signal: new AbortController().signal })
  }

  it("aren't known, so there's no percent, and the number is of the days that are", async () => {
    await publish(x, ['14', '15', '16', '17'])
    await connectedOn('2026-11-12', [x])
    // of the week before, two days are known: not half of it
    expect(await card('published', week, posts)).toMatchObject({
      value: 3,
      before: 1,
      changePercent: null,
      compared: null,
      whyNotComparable: 'nothingBefore',
      coverage: { reportedDays: 7, reportedDaysBefore: 2, channels: { both: 0, notComparable: 1 } },
    })
    await connectedOn('2026-11-16', [x])
    const other = await card('published', { ...week, platforms: 'x' }, posts)
    expect(other).toMatchObject({ value: 3, whyNotComparable: 'nothingBefore', coverage: { reportedDays: 5 } })
    // another channel was connected long ago: it alone is compared
    await publish(facebook, ['09', '16', '17'])
    expect(await card('published', week, posts)).toMatchObject({
      value: 5,
      compared: { value: 2, before: 1 },
      changePercent: 100,
      coverage: { channels: { both: 1, notComparable: 1 } },
    })
  })

  it('are compared on the known days, if these are half of them', async () => {
    await publish(x, ['11', '12', '15', '18', '19', '20'])
    await connectedOn('2026-11-10', [x])
    expect(await card('published', week, posts)).toMatchObject({
      // from the fourth day on: the 18th to the 20th against the 11th to the 13th
      whyNotComparable: 'nothingBefore',
    })
    await connectedOn('2026-11-09', [x])
    expect(await card('published', week, posts)).toMatchObject({
      compared: { value: 3, before: 2 },
      changePercent: 50,
      coverage: { comparedDays: 4 },
    })
  })

  it('are known as far back as its list was read', async () => {
    await publish(x, ['15', '16'])
    await connectedOn('2026-11-15', [x])
    await found(x, '08', {})
    expect(await card('published', week, posts)).toMatchObject({
      compared: { value: 2, before: 1 },
      changePercent: 100,
    })
    // it has more than what was imported, of which the oldest is of the 8th
    await found(x, '09', { cursor: 'more' })
    expect(await card('published', week, posts)).toMatchObject({ compared: { value: 1, before: 1 }, changePercent: 0 })
    // a list that wasn't read to where it should be says nothing
    await found(x, '10', { imported: 0 })
    expect((await card('published', week, posts))?.whyNotComparable).toBe('nothingBefore')
  })

  it("aren't known of a channel with stories, which are listed for a day", async () => {
    await publish(x, ['15', '16'])
    await connectedOn('2026-11-15', [x])
    await found(x, '08', {})
    await app.database.owner.query(
      "update measured_post set post_type = 'story' where channel_id = $1 and shown_at > '2026-11-16'",
      [x],
    )
    expect((await card('published', week, posts))?.whyNotComparable).toBe('nothingBefore')
  })
})

describe('what is missing', () => {
  const sync = async (channelId: string, state: string, readAt: string | null = null) =>
    await app.database.owner.query(
      `insert into insight_sync (org_id, channel_id, kind, state, read_at) values ($1, $2, 'days', $3, $4)
       on conflict (org_id, channel_id, kind) do update set state = excluded.state, read_at = excluded.read_at`,
      [home.orgId, channelId, state, readAt],
    )

  it('has its reason for each channel', async () => {
    await app.database.owner.query("update channel set status = 'TOKEN_EXPIRED' where id = $1", [x])
    await app.database.owner.query("update channel set missing_rights = '{read_insights}' where id = $1", [facebook])
    expect(await missing('followers')).toEqual({
      [facebook]: 'rightsMissing',
      [x]: 'disconnected',
      [youtube]: 'termsForbid',
    })
    await app.database.owner.query("update channel set missing_rights = '{}' where id = $1", [facebook])
    await figures.channelDay(facebook, '2026-11-19', { followers: 50 })
    expect((await missing('profileViews'))[facebook]).toBe('tooFewFollowers')
  })

  it('is what the reading says: no permission, no spending limit, nothing read, nothing reported', async () => {
    expect(await missing('followers')).toMatchObject({ [facebook]: 'notReadYet', [x]: 'notReadYet' })
    await sync(facebook, 'rights')
    await sync(x, 'off')
    expect(await missing('followers')).toMatchObject({ [facebook]: 'rightsMissing', [x]: 'off' })
    // of a platform that charges, posts aren't read either
    expect((await missing('viewsAndImpressions'))[x]).toBe('off')
    await sync(facebook, 'done', '2026-11-20T10:00:00Z')
    expect(await missing('followers')).toMatchObject({ [facebook]: 'nothingReported' })
  })

  it('is a rate whose sides are counted in different ways, although both are there', async () => {
    const threads = await content.channel(home, { platform: 'threads', handle: '@threads' })
    expect(await missing('engagementRate')).toMatchObject({ [threads]: 'countedDifferently' })
    expect((await missing('clicks'))[threads]).not.toBe('countedDifferently')
  })

  it('is said once for all channels of a platform that miss the same', async () => {
    const [bluesky, other] = [
      await content.channel(home, { platform: 'bluesky' }),
      await content.channel(home, { platform: 'bluesky' }),
    ]
    const found = (await summary({ ...week, platforms: 'bluesky' })).missing
    expect(found.map(({ reason, channelIds }) => [reason, channelIds])).toEqual([
      ['notReadYet', [bluesky, other]],
      ['noPosts', [bluesky, other]],
    ])
    const all = (await summary(week)).missing.filter(
      ({ platform, reason }) => platform === 'bluesky' && reason === 'notReported',
    )
    expect(all).toMatchObject([
      {
        channelIds: [bluesky, other],
        figures: { inTheseDays: expect.arrayContaining(['viewsAndImpressions', 'engagementRate']) },
      },
    ])
  })
})

it('compare with days that are years away at once, and say that there is nothing', async () => {
  await fill()
  const query = { from: '2026-11-15', to: '2026-11-21', compareFrom: '2000-01-01', compareTo: '2000-01-07' }
  expect(await card('viewsAndImpressions', query)).toMatchObject({
    value: 90,
    before: null,
    whyNotComparable: 'nothingBefore',
  })
  expect(await card('published', query, posts)).toMatchObject({
    value: 2,
    // no channel was connected then
    before: null,
    whyNotComparable: 'nothingBefore',
  })
  // none and none before: no change, and the reason is said
  const none = { ...query, from: '2001-01-01', to: '2001-01-07' }
  expect(await card('published', none, posts)).toMatchObject({
    value: 0,
    before: 0,
    changePercent: null,
    whyNotComparable: 'nothingBefore',
  })
})

describe('a filter for posts', () => {
  it('covers the posts of a campaign, a label or a hashtag, by what they gained', async () => {
    const { page, tweet } = await fill()
    const taxonomy = taxonomyOn(app)
    const [campaignId, labelId] = [await taxonomy.campaign(home), await taxonomy.label(home)]
    await taxonomy.join(home, [page], [campaignId])
    await taxonomy.tag(home, [tweet], [labelId])
    await days(facebook, '2026-11-15', 4, { followers: 50, views: 500 })
    expect(await card('viewsAndImpressions', { ...week, campaignId })).toMatchObject({
      subject: 'post',
      value: 29,
      before: 81,
    })
    expect(await card('viewsAndImpressions', { ...week, labelId })).toMatchObject({ value: 90, before: null })
    expect(await card('reactions', { ...week, hashtag: '#rooks' })).toMatchObject({ value: 1, before: 4 })
    expect(await card('published', { ...week, hashtag: 'rooks' }, posts)).toMatchObject({ value: 0, before: 1 })
    // "#Roo" isn't that hashtag, and a word without # isn't one
    expect(await card('reactions', { ...week, hashtag: 'Roo' })).toMatchObject({ value: null })
    expect(await card('reactions', { ...week, hashtag: 'elms' })).toMatchObject({ value: null })
    // followers aren't those of some posts
    expect(await card('followers', { ...week, campaignId })).toBeUndefined()
    // as of the newest reading of these posts in these days
    expect((await summary({ ...week, campaignId })).asOf).toBe('2026-11-17T12:00:00.000Z')
    expect((await summary({ from: '2026-11-19', to: '2026-11-21', campaignId })).asOf).toBe(null)
  })

  it('covers as many posts as there are, and figures that the reading before the range lacks', async () => {
    const { owner } = app.database
    // three readings each: only the one in between lacks the comments
    await owner.query(
      `with made as (
         insert into measured_post (org_id, id, project_id, channel_id, elsewhere, remote_id, post_type, published_at, shown_at, excerpt, permalink, hashtags, found_at)
         select $1, uuidv7(), $2, $3, true, 'many ' || n, 'post', '2026-09-01T12:00:00Z', '2026-09-01T12:00:00Z', '#many', 'https://platform.example/' || n, hashtag_keys($2, '{many}'), now() from generate_series(1, 1003) n returning org_id, id
       )
       insert into post_metric (org_id, post_id, figures, read_at)
       select org_id, id, jsonb_build_object('reactions', nth * 2, 'comments', case when nth <> 2 then nth end), t.at from made
       cross join unnest('{2026-10-01T12:00:00Z,2026-11-16T12:00:00Z,2026-11-18T12:00:00Z}'::timestamptz[]) with ordinality t(at, nth)`,
      [home.orgId, home.projectId, facebook],
    )
    const filter = { from: '2026-11-18', to: '2026-11-18', hashtag: 'many' }
    // of the 2 gained in two days until noon, a whole one was there at midnight
    expect(await card('reactions', filter)).toMatchObject({ value: 1003 })
    // the reading in between lacks them: of the 2 gained since 1 October, too
    expect(await card('comments', filter)).toMatchObject({ value: 1003 })
    expect(await card('comments', { ...filter, from: '2026-10-01' })).toMatchObject({ value: 3009 })
    expect(await card('reactions', { ...filter, from: '2026-10-02', to: '2026-11-18' })).toMatchObject({ value: 4012 })
  })
})

it('are for the last 7 days against the 7 before without a range, and compare only on request', async () => {
  await fill()
  const reply = await app.call(insightsSummary, { params: home.params }, { as: home.person })
  expect(reply.range).toEqual({
    from: '2026-11-15',
    to: '2026-11-21',
    compare: { from: '2026-11-08', to: '2026-11-14' },
  })
  expect(reply.asOf).toBe('2026-11-19T12:00:00.000Z')
  expect(await card('reactions', { from: '2026-11-15', to: '2026-11-21' })).toMatchObject({
    value: 4,
    before: null,
    whyNotComparable: null,
  })
})

describe('figures by day', () => {
  it('leave gaps where nothing was reported, and say 0 where nothing was gained', async () => {
    await fill()
    const reply = await series({ ...week, names: 'viewsAndImpressions', subject: 'post' })
    expect(reply.days).toEqual([15, 16, 17, 18, 19, 20, 21].map((day) => `2026-11-${day}`))
    expect(reply.series).toEqual([
      { key: 'total', name: 'viewsAndImpressions', values: [11, 12, 6, 63, 27, null, null] },
    ])
    expect(reply.asOf).toBe('2026-11-19T12:00:00.000Z')
    const byPlatform = await series({ ...week, names: 'reactions', by: 'platform', subject: 'post' })
    expect(byPlatform.series.map(({ key, values }) => [key, values])).toEqual([
      ['facebook', [0, 0, 1, null, null, null, null]],
      ['x', [null, null, null, 4, -1, null, null]],
      ['youtube', [null, null, 50, null, null, null, null]],
    ])
    const byChannel = await series({ ...week, names: 'comments', by: 'channel', channelIds: facebook })
    expect(byChannel.series).toEqual([{ key: facebook, name: 'comments', values: [0, 0, 1, null, null, null, null] }])
  })

  it('come from the same source as the total', async () => {
    await fill()
    await days(facebook, '2026-11-15', 5, { views: 100, interactions: 9 })
    const reply = await series({ ...week, names: 'viewsAndImpressions,engagements' })
    expect(reply.series.map(({ values }) => values)).toEqual([
      [100, 100, 100, 163, 127, null, null],
      [9, 9, 9, 14, 8, null, null],
    ])
    for (const { name, values } of reply.series)
      expect((await card(name))?.value).toBe(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))
  })

  it('of posts published in these days are on the day of publishing', async () => {
    await fill()
    const reply = await series({ ...week, base: 'postsPublished', names: 'published,viewsAndImpressions' })
    expect(reply.series.map(({ values }) => values)).toEqual([
      [0, 1, 0, 1, 0, 0, 0],
      [null, null, null, 90, null, null, null],
    ])
  })

  it('are 0 where we published nothing, which we know of every day', async () => {
    const { series: lines } = await series({ ...week, base: 'postsPublished', names: 'published' })
    expect(lines).toEqual([{ key: 'total', name: 'published', values: [0, 0, 0, 0, 0, 0, 0] }])
    // and don't know of days before the first channel was connected
    await connectedOn('2026-11-16')
    await connectedOn('2026-11-18', [x])
    const [total] = (await series({ ...week, base: 'postsPublished', names: 'published' })).series
    expect(total?.values).toEqual([null, null, 0, 0, 0, 0, 0])
  })

  it('carry followers from before the range through gaps, and for a week after the last value', async () => {
    await figures.channelDay(facebook, '2026-10-01', { followers: 500 })
    await figures.channelDay(facebook, '2026-11-19', { followers: 490, reach: 9 })
    await figures.channelDay(x, '2026-11-10', { followers: 50 })
    await figures.channelDay(facebook, '2026-11-15', { reach: 7 })
    const total = await series({ ...week, names: 'followers,reach' })
    expect(total.series).toEqual([{ key: 'total', name: 'followers', values: [550, 550, 550, 500, 490, 490, 490] }])
    const own = await series({ ...week, names: 'reach', by: 'channel' })
    expect(own.series).toEqual([{ key: facebook, name: 'reach', values: [7, null, null, null, 9, null, null] }])
  })

  it('of constant channels are a constant line, from any start and with any gaps', async () => {
    const channelsOf = [facebook, x]
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 12 }), { minLength: 2, maxLength: 2 }),
        fc.integer({ min: 1, max: 40 }),
        async (known, start) => {
          await app.database.owner.query('delete from channel_figure where org_id = $1', [home.orgId])
          for (const [i, channelId] of channelsOf.entries()) {
            await figures.channelDay(channelId, addDays('2026-11-21', -41), { followers: 100 * (i + 1) })
            await figures.channelDay(channelId, addDays('2026-11-21', -i * 7), { followers: 100 * (i + 1) })
            for (const back of known[i] ?? [])
              await figures.channelDay(channelId, addDays('2026-11-21', -back), { followers: 100 * (i + 1) })
          }
          const from = addDays('2026-11-21', -start)
          const { series: lines } = await series({ from, to: '2026-11-21', names: 'followers' })
          expect(lines).toEqual([
            { key: 'total', name: 'followers', values: Array.from({ length: start + 1 }, () => 300) },
          ])
        },
      ),
      { numRuns: 12 },
    )
  })

  it('mark the days on which a platform changed how it counts', async () => {
    const reply = await series({ from: '2026-08-20', to: '2026-09-01', names: 'viewsAndImpressions', by: 'platform' })
    expect(reply.breaks).toEqual([
      { date: '2026-08-27', platform: 'youtube', subject: 'channel', figure: 'views', note: 'views-from-first-frame' },
    ])
  })
})

describe('channels', () => {
  it('have their own figures, and the median and quartiles of at least three of their platform', async () => {
    const pages = [
      facebook,
      await content.channel(home, { platform: 'facebook' }),
      await content.channel(home, { platform: 'facebook' }),
    ]
    for (const [i, page] of pages.entries()) await figures.channelDay(page, '2026-11-16', { followers: 100 * (i + 1) })
    await figures.channelDay(youtube, '2026-11-16', { followers: 7 })
    const reply = await channels()
    expect(
      reply.channels.map(({ channelId, figures: own }) => [
        channelId,
        own.find(({ name }) => name === 'followers')?.value,
      ]),
    ).toEqual([
      [facebook, 100],
      [x, undefined],
      [youtube, 7],
      [pages[1], 200],
      [pages[2], 300],
    ])
    expect(reply.mediansOf).toBe('organization')
    // who lacks the figure and why; YouTube's channel has it, but no rank
    const lacking = reply.missing.filter(({ figures: of }) => of.inTheseDays?.includes('followers'))
    expect(lacking.map(({ channelIds, reason }) => [channelIds, reason])).toEqual([[[x], 'notReadYet']])
    expect(reply.missing.find(({ reason }) => reason === 'termsForbid')).toMatchObject({
      platform: 'youtube',
      figures: { inTheseDays: ['engagements', 'engagementRate'] },
    })
    expect(reply.apart).toEqual(['youtube'])
    const ofFacebook = { platform: 'facebook', channels: 3 }
    expect(reply.medians).toEqual([
      { ...ofFacebook, base: 'inTheseDays', name: 'followers', value: 200, q1: 150, q3: 250 },
      { ...ofFacebook, base: 'postsPublished', name: 'published', value: 0, q1: 0, q3: 0 },
    ])
    // the filter for channels narrows the rows, not the median
    const one = await channels({ ...week, channelIds: facebook })
    expect([one.channels.length, one.medians]).toEqual([1, reply.medians])
  })

  it('that are profiles on LinkedIn have only what their posts gained', async () => {
    const profile = await content.channel(home, { platform: 'linkedin' })
    await app.database.owner.query("update channel set kind = 'Profile' where id = $1", [profile])
    const post = await figures.published(home, profile, '2026-11-16T12:00:00Z')
    await figures.reading(post, '2026-11-17T12:00:00Z', { impressions: 40, reactions: 2 })
    const reply = await channels({ ...week, channelIds: profile, names: 'viewsAndImpressions,engagementRate' })
    expect(reply.channels[0]?.figures).toMatchObject([
      { base: 'inTheseDays', name: 'viewsAndImpressions', value: 40 },
      { base: 'inTheseDays', name: 'engagementRate', value: 5 },
      { base: 'postsPublished', name: 'viewsAndImpressions', value: 40 },
      { base: 'postsPublished', name: 'engagementRate', value: 5 },
    ])
  })
})

describe('who sees what', () => {
  it('keeps channels outside of a role out of sums, lines and medians', async () => {
    await fill()
    const pages = [
      await content.channel(home, { platform: 'facebook' }),
      await content.channel(home, { platform: 'facebook' }),
    ]
    for (const page of [facebook, ...pages]) await figures.channelDay(page, '2026-11-16', { followers: 100 })
    const bound = await app.colleague(home, 'editor', { channelIds: [facebook, pages[0] ?? ''] })
    expect(await card('reactions', week, { who: bound })).toMatchObject({ value: 1 })
    expect(await missing('reactions', week, { who: bound })).toEqual({ [pages[0] ?? '']: 'notReadYet' })
    expect(await card('followers', week, { who: bound })).toMatchObject({ value: 200 })
    expect(await card('published', week, { ...posts, who: bound })).toMatchObject({ value: 0, before: 1 })
    expect(await card('published', { ...week, channelIds: x }, { ...posts, who: bound })).toMatchObject({
      value: 0,
      before: 0,
    })
    expect((await summary(week, bound)).apart).toEqual([])
    const lines = await series(
      { ...week, names: 'viewsAndImpressions,reactions', by: 'channel', channelIds: `${x},${facebook}` },
      bound,
    )
    expect(new Set(lines.series.map(({ key }) => key))).toEqual(new Set([facebook]))
    const reply = await channels(week, bound)
    expect(reply.channels.map(({ channelId }) => channelId)).toEqual([facebook, pages[0]])
    expect([reply.medians, reply.mediansOf]).toEqual([[], 'project'])
    const lacking = new Set(reply.missing.flatMap(({ channelIds }) => channelIds))
    expect([...lacking].filter((id) => id !== facebook && id !== pages[0])).toEqual([])
  })

  it('refuses roles without insights, strangers and other organizations', async () => {
    const without = await teamOn(app).holder(home, { channel: ['view'], post: ['view'] })
    const other = await app.signedInOwner()
    for (const endpoint of [insightsSummary, insightsChannels]) {
      expect((await app.send(endpoint, { params: home.params }, { as: without })).statusCode).toBe(403)
      expect((await app.send(endpoint, { params: home.params }, { as: other.person })).statusCode).toBe(404)
    }
  })

  it('needs a plan with analytics', async () => {
    await teamOn(app).plan(home, 'free')
    for (const endpoint of [insightsSummary, insightsChannels]) {
      const reply = await app.send(endpoint, { params: home.params }, { as: home.person })
      expect([reply.statusCode, reply.json()]).toMatchObject([402, { code: 'PLAN_LIMIT', meta: { gate: 'analytics' } }])
    }
  })
})

describe('bad input', () => {
  it.each([
    ['a range that ends before it begins', { from: '2026-11-20', to: '2026-11-19' }, 'to'],
    ['more than 731 days', { from: '2024-11-20', to: '2026-11-21' }, 'to'],
    ['a range without an end', { from: '2026-11-20' }, 'to'],
    ['a range without a start', { to: '2026-11-20' }, 'from'],
    ["a day that doesn't exist", { from: '2026-02-30', to: '2026-03-01' }, 'from'],
    ['a comparison without a range', { compareFrom: '2026-11-20', compareTo: '2026-11-20' }, 'compareFrom'],
    ['a comparison that ends before it begins', { ...week, compareTo: '2024-11-01' }, 'compareTo'],
    ['a year that no platform knows', { from: '1999-12-31', to: '2000-01-05' }, 'from'],
    ['days that never come', { ...week, compareFrom: '2099-12-30', compareTo: '2100-01-02' }, 'compareTo'],
    ['two words as a hashtag', { hashtag: 'two words' }, 'hashtag'],
    ['an unknown platform', { platforms: 'myspace' }, 'platforms.0'],
    ["an id that isn't one", { channelIds: 'none' }, 'channelIds.0'],
    ['more than 500 ids', { channelIds: Array.from({ length: 501 }, () => randomUUID()).join() }, 'channelIds'],
    ['an unknown name', { campaign: 'x' }, 'campaign'],
  ])('refuses %s', async (_, query, field) => {
    const reply = await app.send(insightsSummary, { params: home.params, query }, { as: home.person })
    expect([reply.statusCode, Object.keys(reply.json().errors ?? {})]).toEqual([400, [field]])
  })

  it('takes the longest range, and refuses unknown names and too many values', async () => {
    expect((await summary({ from: '2024-11-21', to: '2026-11-21' })).range.from).toBe('2024-11-21')
    const refused = async (query: object) => {
      const reply = await app.send(insightsSeries, { params: home.params, query }, { as: home.person })
      return [reply.statusCode, Object.keys(reply.json().errors ?? {})]
    }
    expect(await refused({ names: 'applause' })).toEqual([400, ['names.0']])
    expect(await refused({})).toEqual([400, ['names']])
    expect(await refused({ names: 'reach', subject: 'post' })).toEqual([400, ['names']])
    expect(await refused({ names: 'engagementRate' })).toEqual([400, ['names']])
    expect(await refused({ names: 'published' })).toEqual([400, ['names']])
    expect(await refused({ names: 'followers', base: 'postsPublished' })).toEqual([400, ['names']])
    for (let i = 0; i < 15; i++) await content.channel(home)
    const wide = { from: '2024-11-21', to: '2026-11-21', by: 'channel' }
    const all = 'reactions,likes,loves,laughs,wows,sads,angers,comments,shares,reposts,quotes,saves'
    expect((await series({ ...wide, names: all.split(',').slice(0, 11).join(), by: 'channel' })).series).toEqual([])
    expect(await refused({ ...wide, names: all })).toEqual([400, ['names']])
  })
})
