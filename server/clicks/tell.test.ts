import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsCampaigns } from '#contract/analytics/compared.ts'
import { insightsChannels, insightsSeries, insightsSummary } from '#contract/analytics/overview.ts'
import { insightsPost, insightsPosts } from '#contract/analytics/posts.ts'
import { bioPagesOn, visitFrom } from '../testing/bioPages.ts'
import { foldCounts } from '../dashboard/fold.ts'
import { contentOn } from '../testing/content.ts'
import { daysOfMonths, figuresOn, gainedDays } from '../testing/figures.ts'
import type { TestHome } from '../testing/people.ts'
import { quietLog } from '../testing/publishing.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { teamOn } from '../testing/team.ts'
import { createClicks } from './clicks.ts'
import { tellClicks } from './tell.ts'

let app: TestApp
let figures: ReturnType<typeof figuresOn>
let home: TestHome
let x: string
let youtube: string
let posts: { x: string; youtube: string; plain: string }
beforeAll(async () => {
  app = await startApp()
  figures = figuresOn(app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  x = await contentOn(app.parts).channel(home, { platform: 'x', handle: '@x' })
  youtube = await contentOn(app.parts).channel(home, { platform: 'youtube', handle: '@tube' })
  posts = {
    x: await figures.published(home, x, '2026-11-09T10:00:00Z'),
    youtube: await figures.published(home, youtube, '2026-11-16T10:00:00Z'),
    plain: await figures.published(home, x, '2026-11-17T10:00:00Z'),
  }
  for (const id of [posts.x, posts.plain])
    await figures.reading(id, '2026-11-18T10:00:00Z', { impressions: 100, reactions: 5, clicks: 7 })
})

const run = () => ({ databases: app.parts.databases, signal: new AbortController().signal })
type Name = 'shortLinkClicks' | 'bioClicks'
const clicked = (postId: string, day: string, n: number, name: Name = 'shortLinkClicks') =>
  app.database.owner.query(
    `insert into post_click as c (org_id, post_id, name, day, n) values ($1, $2, $3, $4, $5)
     on conflict (org_id, post_id, name, day) do update set n = c.n + excluded.n`,
    [home.orgId, postId, name, day, n],
  )
/** Clicks of both weeks on both platforms, told in two steps. */
const clickedAndTold = async () => {
  await clicked(posts.x, '2026-11-10', 2)
  await clicked(posts.x, '2026-11-16', 4)
  expect(await tellClicks(run())).toBe(1)
  await clicked(posts.x, '2026-11-16', 1)
  await clicked(posts.youtube, '2026-11-17', 3)
  await clicked(posts.youtube, '2026-11-17', 6, 'bioClicks')
  expect(await tellClicks(run())).toBe(2)
  expect(await tellClicks(run())).toBe(0)
}
const week = { from: '2026-11-15', to: '2026-11-21', compareFrom: '2026-11-08', compareTo: '2026-11-14' }
const as = () => ({ as: home.person })
const summary = (query: object = {}) =>
  app.call(insightsSummary, { params: home.params, query: { ...week, ...query } }, as())
const cards = async (query: object = {}) =>
  (await summary(query)).cards
    .filter(({ name }) => name === 'shortLinkClicks' || name === 'bioClicks')
    .map(({ base, name, value, before, holds }) => [base, name, value, before, holds.length])

describe('clicks that are counted here', () => {
  it('are in no list of figures until someone clicks, and missing nowhere', async () => {
    const { cards: all, missing } = await summary()
    expect(all.some(({ name }) => name === 'shortLinkClicks' || name === 'bioClicks')).toBe(false)
    const { posts: rows } = await app.call(insightsPosts, { params: home.params, query: week }, as())
    expect(rows.flatMap((row) => Object.keys(row.figures)).filter((name) => name.endsWith('inkClicks'))).toEqual([])
    await clickedAndTold()
    const after = await summary()
    expect(after.missing.flatMap(({ figures: of }) => Object.values(of).flat())).not.toContain('shortLinkClicks')
    expect(after.missing).toEqual(missing)
  })

  it('are totals over all platforms, also those whose own figures may not be added', async () => {
    await clickedAndTold()
    expect(await cards()).toEqual([
      ['inTheseDays', 'shortLinkClicks', 8, 2, 0],
      ['inTheseDays', 'bioClicks', 6, 0, 0],
      ['postsPublished', 'shortLinkClicks', 3, 7, 0],
      ['postsPublished', 'bioClicks', 6, null, 0],
    ])
    const total = (await summary()).cards.find(({ base, name }) => base === 'inTheseDays' && name === 'shortLinkClicks')
    // Sunday to Friday against Sunday to Friday: today isn't over
    expect(total).toMatchObject({ changePercent: 300, compared: { value: 8, before: 2 }, whyNotComparable: null })
    expect((await summary()).apart.flatMap(({ figures: of }) => of.map(({ name }) => name))).not.toContain('bioClicks')
  })

  it('are no engagements: a platform may have counted the same ones', async () => {
    const before = (await summary()).cards.filter(({ name }) => name === 'engagements' || name === 'clicks')
    await clickedAndTold()
    const after = (await summary()).cards.filter(({ name }) => name === 'engagements' || name === 'clicks')
    expect(after).toEqual(before)
  })

  it('are in the post table, which sorts by them over all platforms, and in the sheet of a post that was never read', async () => {
    await clickedAndTold()
    const { posts: rows } = await app.call(
      insightsPosts,
      { params: home.params, query: { from: '2026-11-08', to: '2026-11-21', sort: 'shortLinkClicks' } },
      as(),
    )
    expect(rows.map(({ postId, figures: of }) => [postId, of.shortLinkClicks, of.engagements])).toEqual([
      [posts.x, 7, 12],
      [posts.youtube, 3, undefined],
      [posts.plain, undefined, 12],
    ])
    const sheet = await app.call(insightsPost, { params: { ...home.params, postId: posts.youtube } }, as())
    expect([sheet.figures, sheet.readings]).toEqual([{ bioClicks: 6, shortLinkClicks: 3 }, []])
  })

  it('have a line by day, 0 where nobody clicked, and are the same for chosen posts', async () => {
    await clickedAndTold()
    const campaignId = await taxonomyOn(app).campaign(home)
    await taxonomyOn(app).join(home, [posts.x, posts.youtube], [campaignId])
    const lines = async (query: object) =>
      (
        await app.call(
          insightsSeries,
          { params: home.params, query: { ...week, names: ['shortLinkClicks'], ...query } },
          as(),
        )
      ).series.map(({ values }) => values)
    expect(await lines({})).toEqual([[0, 5, 3, 0, 0, 0, 0]])
    expect(await lines({ campaignId })).toEqual(await lines({}))
    const chosen = (await cards({ campaignId })).map((card) => card.slice(0, 4))
    expect(chosen).toEqual((await cards()).map((card) => card.slice(0, 4)))
    const { groups } = await app.call(insightsCampaigns, { params: home.params, query: week }, as())
    expect(groups[0]?.figures.find(({ name }) => name === 'shortLinkClicks')).toMatchObject({ value: 3, before: 7 })
  })

  it('are each channel’s own', async () => {
    await clickedAndTold()
    const { channels } = await app.call(
      insightsChannels,
      { params: home.params, query: { ...week, base: 'inTheseDays', names: ['shortLinkClicks'] } },
      as(),
    )
    expect(channels.map(({ channelId, figures: of }) => [channelId, of[0]?.value, of[0]?.before])).toEqual([
      [x, 5, 2],
      [youtube, 3, 0],
    ])
  })

  it('agree with a recount, also after the zone changed: their days stay those in which they were counted', async () => {
    await clickedAndTold()
    const stored = async () => {
      await foldCounts(run())
      const { rows } = await app.database.owner.query(
        `select 'gains' as kind, channel_id, name, day::text, gain::int as amount, readings::int as n from ${gainedDays} where org_id = $1 and name ~ 'Clicks$' and channel_id = any($2)
         union all select 'posts', channel_id, name, day::text, amount::int, count::int from ${daysOfMonths('posts')} where org_id = $1 and name ~ 'Clicks$' and count > 0 order by 1, 2, 3, 4`,
        [home.orgId, [x, youtube]],
      )
      return rows
    }
    const told = await stored()
    expect(told).toContainEqual({
      kind: 'gains',
      channel_id: x,
      name: 'shortLinkClicks',
      day: '2026-11-16',
      amount: 5,
      n: 1,
    })
    await app.database.owner.query('select recount_project($1, $2)', [home.orgId, home.projectId])
    expect(await stored()).toEqual(told)
    await app.database.owner.query("update project set zone = 'Pacific/Auckland' where id = $1", [home.projectId])
    expect(await stored()).toEqual(told)
    await clicked(posts.x, '2026-11-18', 1)
    await tellClicks(run())
    expect((await cards())[0]).toEqual(['inTheseDays', 'shortLinkClicks', 9, 2, 0])
  })

  it('of a post that the platform listed before we knew it was ours become those of ours, with its tiles', async () => {
    const found = await figures.elsewhere(home, x, '2026-11-16T10:00:00Z', { remoteId: 'twin' })
    const ours = await figures.published(home, x, '2026-11-16T10:00:00Z', { remoteId: 'other' })
    const pages = bioPagesOn(app.database)
    const [first, second] = [await pages.page(home), await pages.page(home)]
    await pages.item(first, { postId: found })
    await pages.item(second, { postId: found })
    await pages.item(second, { postId: ours })
    await clicked(found, '2026-11-17', 4, 'bioClicks')
    await clicked(ours, '2026-11-17', 3, 'bioClicks')
    await tellClicks(run())
    const total = (await cards())[0]
    await app.database.owner.query("update post set remote_id = 'twin' where id = $1", [ours])
    const { rows: tiles } = await app.database.owner.query(
      'select page_id, post_id from bio_item where org_id = $1 order by page_id',
      [home.orgId],
    )
    expect(tiles).toEqual([first, second].toSorted().map((page_id) => ({ page_id, post_id: ours })))
    const { posts: rows } = await app.call(
      insightsPosts,
      { params: home.params, query: { ...week, sort: 'bioClicks' } },
      as(),
    )
    expect(rows.flatMap(({ postId, figures: of }) => (of.bioClicks ? [[postId, of.bioClicks]] : []))).toEqual([
      [ours, 7],
    ])
    expect((await cards())[0]).toEqual(total)
    expect(total).toEqual(['inTheseDays', 'bioClicks', 7, 0, 0])
  })

  it('are neither lost nor counted twice while nodes count, tell and delete at once', async () => {
    const pages = bioPagesOn(app.database)
    const pageIds = await Promise.all(Array.from({ length: 6 }, () => pages.page(home)))
    const failed: object[] = []
    const log = {
      ...quietLog,
      error: (about: object) => void failed.push(about),
      warn: (about: object) => void failed.push(about),
    }
    const nodes = [1, 2].map(() => createClicks({ databases: app.parts.databases, clock: app.clock, log }))
    const kept = [posts.x, posts.plain]
    let clicks = 0
    const count = async () => {
      for (let round = 0; round < 25; round += 1) {
        for (const node of nodes)
          for (const pageId of pageIds)
            for (const postId of [...kept, posts.youtube]) {
              const of = { orgId: home.orgId, zone: 'UTC' }
              node.itemClick({ ...of, pageId }, { number: 1 + (round % 3), postId }, visitFrom('192.0.2.1'))
              if (postId !== posts.youtube) clicks += 1
            }
        await Promise.all(nodes.map((node) => node.flush()))
      }
    }
    const tell = async () => {
      for (let round = 0; round < 25; round += 1) await tellClicks({ ...run(), log })
    }
    const change = async () => {
      for (const pageId of pageIds.slice(0, 3)) {
        await app.database.owner.query('update bio_page set name = name where id = $1', [pageId])
        await app.database.owner.query('delete from bio_page where id = $1', [pageId])
      }
      await app.database.owner.query('delete from post where id = $1', [posts.youtube])
      await app.database.owner.query('select recount_project($1, $2)', [home.orgId, home.projectId])
    }
    await Promise.all([count(), tell(), tell(), change()])
    await Promise.all(nodes.map((node) => node.close()))
    await tellClicks({ ...run(), log })
    expect(failed).toEqual([])
    const { rows } = await app.database.owner.query(
      'select sum(n)::int as n, sum(told)::int as told from post_click where org_id = $1 and post_id = any($2)',
      [home.orgId, kept],
    )
    expect(rows).toEqual([{ n: clicks, told: clicks }])
    const { rows: figuresOf } = await app.database.owner.query(
      "select sum(value)::int as n from post_figure where org_id = $1 and name = 'bioClicks' and post_id = any($2)",
      [home.orgId, kept],
    )
    expect(figuresOf).toEqual([{ n: clicks }])
  })

  it('stay when what a platform reported has to be deleted', async () => {
    await clickedAndTold()
    await figures.reading(posts.youtube, '2026-11-18T10:00:00Z', { views: 9 })
    await app.database.owner.query('delete from post_metric where post_id = $1', [posts.youtube])
    const sheet = await app.call(insightsPost, { params: { ...home.params, postId: posts.youtube } }, as())
    expect(sheet.figures).toEqual({ bioClicks: 6, shortLinkClicks: 3 })
  })

  it('of a post that is deleted at the same time break nothing', async () => {
    await clicked(posts.x, '2026-11-16', 4)
    await app.database.owner.query('delete from post where id = $1', [posts.x])
    expect(await tellClicks(run())).toBe(0)
  })
})
