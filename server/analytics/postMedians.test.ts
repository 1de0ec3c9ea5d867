import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsPostMedians } from '#contract/analytics/posts.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { teamOn } from '../testing/team.ts'
import { readPostMedians } from './postMedians.ts'
import { loadScope, type Reader } from './scope.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let figures: ReturnType<typeof figuresOn>
let home: TestHome
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
})

const week = { from: '2026-11-15', to: '2026-11-21' }
type Query = NonNullable<CallOf<typeof insightsPostMedians>['query']>
const medians = (query: Query = week, who: TestPerson = home.person) =>
  app.call(insightsPostMedians, { params: home.params, query }, { as: who })

/** Does something as a call of the owner would. */
const reading = <T>(does: (c: Reader) => Promise<T>): Promise<T> =>
  asTenant(app.parts.databases.web, home.orgId, (tx) => {
    const project = { projectId: home.projectId, channelIds: null, zone: 'Europe/London' }
    // the parts of an organization that scopes read
    return does({ tx, org: { orgId: home.orgId } as Reader['org'], project, now: TEST_NOW })
  })

async function fill() {
  const facebook = await content.channel(home, { platform: 'facebook', handle: '@page' })
  const youtube = await content.channel(home, { platform: 'youtube', handle: '@films' })
  const post = async (channelId: string, at: string, reported: Record<string, number>) => {
    const id = await figures.published(home, channelId, at)
    await figures.reading(id, at, reported)
    return id
  }
  const first = await post(facebook, '2026-11-16T10:00:00Z', { views: 100, reactions: 10, averageWatchMs: 4000 })
  const second = await post(facebook, '2026-11-17T10:00:00Z', { views: 300, reactions: 0, averageWatchMs: 9000 })
  await post(facebook, '2026-11-18T10:00:00Z', { views: 1000, reactions: 100 })
  await post(facebook, '2026-11-19T10:00:00Z', { reactions: 7 })
  await post(facebook, '2026-11-01T10:00:00Z', { views: 90_000, reactions: 900 })
  const film = await post(youtube, '2026-11-17T10:00:00Z', { views: 50_000, reactions: 4000 })
  return { facebook, youtube, first, second, film }
}

describe('medians and totals of the post table', () => {
  it('are those of the posts of the range that have the figure', async () => {
    await fill()
    const { medians: all, without } = await medians({
      ...week,
      columns: 'views,reactions,engagementRate,averageWatchMs,clicks',
    })
    expect(all).toEqual([
      { name: 'views', posts: 3, median: 300, total: 1400 },
      { name: 'reactions', posts: 4, median: 8.5, total: 117 },
      // 110 engagements by 1,400 views, of the posts that have both; the rates are 10, 0 and 10
      { name: 'engagementRate', posts: 3, median: 10, total: 7.86 },
      // averages aren't added up
      { name: 'averageWatchMs', posts: 2, median: 6500, total: null },
    ])
    expect(without).toEqual(['youtube'])
    const names = (await medians()).medians?.map(({ name }) => name)
    expect(names).toEqual([
      'viewsAndImpressions',
      'engagements',
      'engagementRate',
      'views',
      'reactions',
      'averageWatchMs',
    ])
  })

  it('leave out platforms whose terms forbid it, also alone', async () => {
    await fill()
    expect(await medians({ ...week, platforms: 'youtube' })).toEqual({ medians: [], without: ['youtube'] })
  })

  it('follow the filters, and the channels of a role', async () => {
    const { facebook, first, second } = await fill()
    const campaignId = await taxonomyOn(app).campaign(home)
    await taxonomyOn(app).join(home, [first, second], [campaignId])
    const columns = 'views,engagementRate,averageWatchMs,clicks'
    expect((await medians({ ...week, campaignId, columns })).medians).toEqual([
      { name: 'views', posts: 2, median: 200, total: 400 },
      { name: 'engagementRate', posts: 2, median: 5, total: 2.5 },
      { name: 'averageWatchMs', posts: 2, median: 6500, total: null },
    ])
    const x = await content.channel(home, { platform: 'x', handle: '@x' })
    const bound = await teamOn(app).holder(home, { insights: ['view'] }, { channelIds: [x] })
    expect(await medians(week, bound)).toEqual({ medians: [], without: [] })
    expect((await medians({ ...week, channelIds: facebook }, bound)).medians).toEqual([])
  })

  it('are left out where there are too many posts to read them all', async () => {
    await fill()
    const read = (most: number) =>
      reading(async (c) => {
        const scope = await loadScope(c, week, { accepted: [], free: true })
        return (await readPostMedians(c, scope, ['views'], most)).medians
      })
    expect([await read(3), (await read(4))?.length]).toEqual([null, 1])
  })

  it('look a hashtag up once, not again for each figure', async () => {
    const { facebook } = await fill()
    const tagged = await figures.published(home, facebook, '2026-11-16T10:00:00Z', { text: 'Autumn #Rooks!' })
    await figures.reading(tagged, '2026-11-16T11:00:00Z', { views: 5, reactions: 2 })
    const found = await reading(async (c) => {
      const scope = await loadScope(c, { ...week, hashtag: 'rooks' }, { accepted: [], free: true })
      const contents = JSON.stringify([{ text: 'Autumn', media: [] }])
      await app.database.owner.query('update post set contents = $2 where id = $1', [tagged, contents])
      return (await readPostMedians(c, scope, ['views', 'reactions'])).medians
    })
    expect(found?.map(({ name, median }) => [name, median])).toEqual([
      ['views', 5],
      ['reactions', 2],
    ])
  })

  it('need the permission, a project of one’s own, and for older posts a plan with analytics', async () => {
    const without = await teamOn(app).holder(home, { channel: ['view'] })
    const other = await app.signedInOwner()
    const statusFor = async (query: Query, who: TestPerson) =>
      (await app.send(insightsPostMedians, { params: home.params, query }, { as: who })).statusCode
    expect([await statusFor(week, without), await statusFor(week, other.person)]).toEqual([403, 404])
    expect(await statusFor({ ...week, columns: 'applause' }, home.person)).toBe(400)
    await teamOn(app).plan(home, 'free')
    expect(await statusFor(week, home.person)).toBe(200)
    expect(await statusFor({ from: '2026-11-14', to: '2026-11-21' }, home.person)).toBe(402)
  })
})
