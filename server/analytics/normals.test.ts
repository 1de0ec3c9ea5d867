import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsSummary } from '#contract/analytics/overview.ts'
import { dashboardBrandEngagement } from '#contract/dashboard.ts'
import type { CallOf } from '#contract/endpoint.ts'
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
let bluesky: string
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
  bluesky = await content.channel(home, { platform: 'bluesky', handle: '@rooks' })
})

/** A whole week before today, in which every day was read after it was over. */
const week = { from: '2026-11-09', to: '2026-11-15', compareFrom: '2026-11-02', compareTo: '2026-11-08' }
type Query = NonNullable<CallOf<typeof insightsSummary>['query']>
const summary = (query: Query = {}, who: TestPerson = home.person) =>
  app.call(
    insightsSummary,
    {
      params: home.params,
      query: { ...week, names: 'viewsAndImpressions,followers,engagementRate', normal: 'true', ...query },
    },
    { as: who },
  )
const normal = async (query?: Query, who?: TestPerson, of = 'viewsAndImpressions') =>
  (await summary({ ...query, ...(of === 'interactions' ? { names: of } : {}) }, who)).cards.find(
    ({ base, name }) => base === 'inTheseDays' && name === of,
  )?.normal

/** Views of the page: 100 a day for so many weeks before the week, with 5 more in every second one; then `now` a day. */
async function page(now: number, { weeks = 8, channelId = facebook } = {}): Promise<void> {
  for (let day = -7 * weeks; day < 7; day += 1)
    await figures.channelDay(channelId, addDays(week.from, day), {
      views: day >= 0 ? now : Math.floor(day / 7) % 2 === 0 ? 100 : 105,
      interactions: 9,
      followers: 1000,
    })
}

describe('what is usual of a total', () => {
  it('comes from the same weekdays of the 8 weeks before, only when it is asked for', async () => {
    await page(103)
    expect(await normal()).toEqual({ low: 647, high: 788, value: 721, days: 7, periods: 8, standing: 'within' })
    expect(await normal({ normal: 'false' })).toBeUndefined()
    const { cards } = await summary()
    // levels and rates don't add up
    for (const name of ['followers', 'engagementRate'])
      expect(cards.find((card) => card.name === name)?.normal ?? null, name).toBeNull()
    const byPlatform = await summary({ byPlatform: 'viewsAndImpressions' })
    expect(byPlatform.platforms[0]?.figures[0]?.normal).toMatchObject({ value: 721 })
  })

  it.each([
    [200, 'above'],
    [20, 'below'],
  ])('%i a day are %s it', async (now, standing) => {
    await page(now)
    expect(await normal()).toMatchObject({ value: now * 7, standing })
  })

  it('has the gains of posts where the platform reports no days', async () => {
    const post = await figures.published(home, bluesky, '2026-09-01T12:00:00Z')
    const start = Date.parse('2026-09-01T13:00:00Z')
    // ten reactions a day
    for (let day = 0; day < 80; day += 1)
      await figures.reading(post, new Date(start + day * 86_400_000).toISOString(), { reactions: day * 10 })
    const { cards } = await summary({ names: 'reactions' })
    expect(cards.find(({ base }) => base === 'inTheseDays')?.normal).toMatchObject({
      value: 70,
      days: 7,
      periods: 8,
      standing: 'within',
    })
  })

  it('is not known of fewer than 6 weeks, of more than 30 days, of chosen posts, and across a new way of counting', async () => {
    await page(100, { weeks: 5 })
    expect(await normal()).toBeNull()
    await page(100, { weeks: 44 })
    expect((await normal())?.periods).toBe(8)
    const interactions = async (from: string) => (await normal({ from }, undefined, 'interactions'))?.days
    expect(await interactions('2026-10-17')).toBe(30)
    expect(await interactions('2026-10-16')).toBeUndefined()
    // Facebook's pages have views since June
    expect(await normal({ from: '2026-10-17' })).toBeNull()
    const labelId = await taxonomyOn(app).label(home)
    expect((await normal({ labelId })) ?? null).toBeNull()
  })

  it('is that of the channels of the role, and of the filter', async () => {
    const other = await content.channel(home, { platform: 'facebook', handle: '@other' })
    await page(103)
    await page(5000, { channelId: other })
    const bound = await app.colleague(home, 'editor', { channelIds: [facebook] })
    expect(await normal({}, bound)).toMatchObject({ value: 721, standing: 'within' })
    expect(await normal({ channelIds: other })).toMatchObject({ standing: 'above' })
    expect(await normal()).toMatchObject({ value: 721 + 35_000 })
  })

  it('is the same on the dashboard', async () => {
    await page(103)
    for (let day = 7; day < 12; day += 1) await figures.channelDay(facebook, addDays(week.from, day), { views: 103 })
    const dashboard = await app.call(
      dashboardBrandEngagement,
      { params: home.params, query: { rangeType: 'seven' } },
      { as: home.person },
    )
    const { from, to, compareFrom, compareTo } = dashboard.range
    const hub = await normal({ from, to, compareFrom, compareTo })
    expect(hub).toMatchObject({ days: 6, periods: 8 })
    expect(dashboard.totals.viewsAndImpressions.normal).toEqual(hub)
  })
})
