import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsChannels, insightsSeries, insightsSummary } from '#contract/analytics/overview.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { foldCounts } from '../dashboard/fold.ts'
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
})

type Query = NonNullable<CallOf<typeof insightsSummary>['query']>
const week = { from: '2026-11-15', to: '2026-11-21', compareFrom: '2026-11-08', compareTo: '2026-11-14' }
const summary = (query: Query = week, who: TestPerson = home.person) =>
  app.call(insightsSummary, { params: home.params, query }, { as: who })
const card = async (name: string, query: Query = week, who: TestPerson = home.person) =>
  (await summary(query, who)).cards.find((one) => one.name === name)
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

describe('the totals of a range', () => {
  it('are what posts gained, compared with other days, and say what they hold', async () => {
    await fill()
    const expected = { subject: 'post', name: 'viewsAndImpressions', value: 119, before: 81, changePercent: 46.91 }
    expect(await card('viewsAndImpressions')).toMatchObject({
      ...expected,
      holds: [
        { platform: 'facebook', term: 'Views' },
        { platform: 'x', term: 'Impressions' },
      ],
      missing: [{ channelId: youtube, reason: 'termsForbid' }],
    })
    expect(await card('reactions')).toMatchObject({ value: 4, before: 4, changePercent: 0 })
    expect(await card('engagements')).toMatchObject({ value: 6, before: 6 })
    expect(await card('saves')).toMatchObject({ value: null, before: null, changePercent: null })
    expect((await card('saves'))?.missing).toEqual([
      { channelId: facebook, reason: 'notReported' },
      { channelId: x, reason: 'notReadYet' },
      { channelId: youtube, reason: 'notReported' },
    ])
    // our own count of posts covers every platform
    expect(await card('published')).toMatchObject({ value: 2, before: 1, changePercent: 100, missing: [] })
    await foldCounts({ databases: app.parts.databases, signal: new AbortController().signal })
    expect(await card('viewsAndImpressions')).toMatchObject(expected)
  })

  it('keep platforms whose terms forbid sums apart, under their own names', async () => {
    await fill()
    await figures.channelDay(youtube, '2026-11-16', { followers: 900, watchSeconds: 60 })
    const { apart } = await summary()
    expect(apart).toEqual([
      {
        platform: 'youtube',
        figures: [
          { subject: 'post', name: 'views', value: 1000, before: null, changePercent: null },
          { subject: 'post', name: 'reactions', value: 50, before: null, changePercent: null },
          { subject: 'post', name: 'comments', value: 5, before: null, changePercent: null },
          { subject: 'channel', name: 'watchSeconds', value: 60, before: null, changePercent: null },
          { subject: 'channel', name: 'followers', value: 900, before: null, changePercent: null },
        ],
      },
    ])
    const accepted = await startApp({ database: app.database, env: { YOUTUBE_ANALYTICS_TERMS: 'accepted' } })
    try {
      const reply = await accepted.call(insightsSummary, { params: home.params, query: week }, { as: home.person })
      expect(reply.apart).toEqual([])
      expect(reply.cards.find(({ name }) => name === 'viewsAndImpressions')).toMatchObject({ value: 1119, missing: [] })
    } finally {
      await accepted.close()
    }
  })

  it('take the last value of followers, add up what adds up, and never add people', async () => {
    await figures.channelDay(facebook, '2026-11-12', { followers: 500, profileViews: 4, reach: 70 })
    await figures.channelDay(facebook, '2026-11-16', { followers: 510, profileViews: 5, reach: 80 })
    await figures.channelDay(facebook, '2026-11-18', { followers: 530, profileViews: 6, reach: 90 })
    await figures.channelDay(x, '2026-11-16', { followers: 50 })
    expect(await card('followers')).toMatchObject({ subject: 'channel', value: 580, before: 500, changePercent: 16 })
    expect(await card('profileViews')).toMatchObject({ subject: 'post', value: null })
    const profile = (await summary()).cards.filter(
      ({ name, subject }) => name === 'profileViews' && subject === 'channel',
    )
    expect(profile).toMatchObject([{ value: 11, before: 4, changePercent: 175 }])
    expect(await card('reach')).toBeUndefined()
  })

  it('give the reason for each missing channel', async () => {
    await app.database.owner.query("update channel set status = 'TOKEN_EXPIRED' where id = $1", [x])
    await app.database.owner.query("update channel set missing_rights = '{read_insights}' where id = $1", [facebook])
    expect((await card('followers'))?.missing).toEqual([
      { channelId: facebook, reason: 'rightsMissing' },
      { channelId: x, reason: 'disconnected' },
      { channelId: youtube, reason: 'termsForbid' },
    ])
    await app.database.owner.query("update channel set missing_rights = '{}' where id = $1", [facebook])
    await figures.channelDay(facebook, '2026-11-16', { followers: 50 })
    expect(
      (await summary()).cards.find((one) => one.name === 'profileViews' && one.subject === 'channel')?.missing,
    ).toContainEqual({
      channelId: facebook,
      reason: 'tooFewFollowers',
    })
  })

  it('cover the posts of a campaign, a label or a hashtag', async () => {
    const { page, tweet } = await fill()
    const taxonomy = taxonomyOn(app)
    const [campaignId, labelId] = [await taxonomy.campaign(home), await taxonomy.label(home)]
    await taxonomy.join(home, [page], [campaignId])
    await taxonomy.tag(home, [tweet], [labelId])
    await figures.channelDay(facebook, '2026-11-16', { followers: 50 })
    expect(await card('viewsAndImpressions', { ...week, campaignId })).toMatchObject({ value: 29, before: 81 })
    expect(await card('viewsAndImpressions', { ...week, labelId })).toMatchObject({ value: 90, before: null })
    expect(await card('reactions', { ...week, hashtag: '#rooks' })).toMatchObject({ value: 1, before: 4 })
    expect(await card('published', { ...week, hashtag: 'rooks' })).toMatchObject({ value: 0, before: 1 })
    // "#Roo" isn't that hashtag, and a word without # isn't one
    expect(await card('reactions', { ...week, hashtag: 'Roo' })).toMatchObject({ value: null })
    expect(await card('reactions', { ...week, hashtag: 'elms' })).toMatchObject({ value: null })
    // followers aren't those of some posts
    expect(await card('followers', { ...week, campaignId })).toBeUndefined()
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
    expect(await card('reactions', { from: '2026-11-15', to: '2026-11-21' })).toMatchObject({ value: 4, before: null })
  })
})

describe('figures by day', () => {
  it('leave gaps where nothing was told, and say 0 where nothing was gained', async () => {
    await fill()
    const reply = await series({ ...week, names: 'viewsAndImpressions,published' })
    expect(reply.days).toEqual([15, 16, 17, 18, 19, 20, 21].map((day) => `2026-11-${day}`))
    expect(reply.series).toEqual([
      { key: 'total', subject: 'post', name: 'viewsAndImpressions', values: [11, 12, 6, 63, 27, null, null] },
      { key: 'total', subject: 'post', name: 'published', values: [0, 1, 0, 1, 0, 0, 0] },
    ])
    expect(reply.asOf).toBe('2026-11-19T12:00:00.000Z')
    const byPlatform = await series({ ...week, names: 'reactions', by: 'platform' })
    expect(byPlatform.series.map(({ key, values }) => [key, values])).toEqual([
      ['facebook', [0, 0, 1, null, null, null, null]],
      ['x', [null, null, null, 4, -1, null, null]],
      ['youtube', [null, null, 50, null, null, null, null]],
    ])
    const byChannel = await series({ ...week, names: 'comments', by: 'channel', channelIds: facebook })
    expect(byChannel.series).toEqual([
      { key: facebook, subject: 'post', name: 'comments', values: [0, 0, 1, null, null, null, null] },
    ])
  })

  it('are 0 where we published nothing, which we know of every day', async () => {
    const { series: lines } = await series({ ...week, names: 'published' })
    expect(lines).toEqual([{ key: 'total', subject: 'post', name: 'published', values: [0, 0, 0, 0, 0, 0, 0] }])
  })

  it('carry the last value of followers forward in a sum, and have no sum of people', async () => {
    await figures.channelDay(facebook, '2026-11-15', { followers: 500, reach: 7 })
    await figures.channelDay(x, '2026-11-16', { followers: 50 })
    await figures.channelDay(facebook, '2026-11-18', { followers: 490, reach: 9 })
    const total = await series({ ...week, subject: 'channel', names: 'followers,reach' })
    expect(total.series).toEqual([
      { key: 'total', subject: 'channel', name: 'followers', values: [500, 550, null, 540, null, null, null] },
    ])
    const own = await series({ ...week, subject: 'channel', names: 'reach', by: 'channel' })
    expect(own.series).toEqual([
      { key: facebook, subject: 'channel', name: 'reach', values: [7, null, null, 9, null, null, null] },
    ])
  })

  it('mark the days on which a platform changed how it counts', async () => {
    const reply = await series({ from: '2026-08-20', to: '2026-09-01', names: 'viewsAndImpressions', by: 'platform' })
    expect(reply.breaks).toEqual([
      { date: '2026-08-27', platform: 'youtube', subject: 'post', figure: 'views', note: 'views-from-first-frame' },
    ])
  })
})

describe('channels', () => {
  it('have their own figures, and the median of at least three of their platform', async () => {
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
    expect(reply.medians).toEqual([
      { platform: 'facebook', subject: 'channel', name: 'followers', value: 200, channels: 3 },
    ])
    // the filter for channels narrows the rows, not the median
    const one = await channels({ ...week, channelIds: facebook })
    expect([one.channels.length, one.medians]).toEqual([1, reply.medians])
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
    expect(await card('viewsAndImpressions', week, bound)).toMatchObject({
      value: 29,
      missing: [{ channelId: pages[0] }],
    })
    expect(await card('followers', week, bound)).toMatchObject({ value: 200 })
    expect(await card('published', week, bound)).toMatchObject({ value: 0, before: 1 })
    expect(await card('published', { ...week, channelIds: x }, bound)).toMatchObject({ value: 0, before: 0 })
    expect((await summary(week, bound)).apart).toEqual([])
    const lines = await series(
      { ...week, names: 'viewsAndImpressions,published', by: 'channel', channelIds: `${x},${facebook}` },
      bound,
    )
    expect(new Set(lines.series.map(({ key }) => key))).toEqual(new Set([facebook]))
    const reply = await channels(week, bound)
    expect(reply.channels.map(({ channelId }) => channelId)).toEqual([facebook, pages[0]])
    expect([reply.medians, reply.mediansOf]).toEqual([[], 'project'])
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
    expect(await refused({ names: 'reach' })).toEqual([400, ['names']])
    expect(await refused({ names: 'engagements', subject: 'channel' })).toEqual([400, ['names']])
    for (let i = 0; i < 15; i++) await content.channel(home)
    const wide = { from: '2024-11-21', to: '2026-11-21', by: 'channel' }
    const all = 'reactions,likes,loves,laughs,wows,sads,angers,comments,shares,reposts,quotes,saves'
    expect((await series({ ...wide, names: all.split(',').slice(0, 11).join(), by: 'channel' })).series).toEqual([])
    expect(await refused({ ...wide, names: all })).toEqual([400, ['names']])
  })
})
