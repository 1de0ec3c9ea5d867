import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'csv-parse/sync'
import { bioPageFigures, bioPageFiguresCsv } from '#contract/linkInBio/figures.ts'
import { bioPagesOn, visitFrom } from '../testing/bioPages.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let pages: ReturnType<typeof bioPagesOn>
let home: TestHome
let pageId: string
beforeAll(async () => {
  app = await startApp()
  pages = bioPagesOn(app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  pageId = await pages.page(home, { at: '2026-11-01T00:00:00Z' })
})

const params = (id = pageId, at = home) => ({ ...at.params, pageId: id })
type Query = { from?: string; to?: string }
const read = (query: Query = {}, who: TestPerson = home.person) =>
  app.call(bioPageFigures, { params: params(), query }, { as: who })
const counted = (day: string, number: number, counts: { views?: number; visitors?: number; clicks?: number }) =>
  app.database.owner.query(
    'insert into bio_count (org_id, page_id, day, number, views, visitors, clicks) values ($1, $2, $3, $4, $5, $6, $7)',
    [home.orgId, pageId, day, number, counts.views ?? 0, counts.visitors ?? 0, counts.clicks ?? 0],
  )
const csv = async (query: Query = {}) => {
  const reply = await app.send(bioPageFiguresCsv, { params: params(), query }, { as: home.person })
  expect(reply.statusCode).toBe(200)
  const rows: unknown = parse(reply.body, { bom: true })
  return rows
}

describe('the figures of a link in bio page', () => {
  it('are what was counted: by day, by link, and in total, with visitors only by day', async () => {
    const shop = await pages.item(pageId, { label: 'Shop' })
    const mail = await pages.item(pageId, { label: 'Mail', url: 'mailto:hello@example.com' })
    const page = { orgId: home.orgId, pageId, zone: 'UTC' }
    for (let day = 0; day < 2; day += 1) {
      for (let n = 0; n < 3; n += 1) app.parts.clicks.pageView(page, visitFrom(`192.0.2.${n % 2}`))
      app.parts.clicks.itemClick(page, { number: shop, postId: null }, visitFrom('192.0.2.1'))
      await app.parts.clicks.flush()
      app.clock.advance({ days: 1 })
    }
    const found = await read({ from: '2026-11-21', to: '2026-11-23' })
    expect(found.days).toEqual([
      { day: '2026-11-21', bioViews: 3, bioVisitors: 2, bioClicks: 1 },
      { day: '2026-11-22', bioViews: 3, bioVisitors: 2, bioClicks: 1 },
      { day: '2026-11-23', bioViews: 0, bioVisitors: 0, bioClicks: 0 },
    ])
    expect(found.totals.map(({ name, adds, value }) => [name, adds, value])).toEqual([
      ['bioViews', 'sum', 6],
      ['bioVisitors', 'none', null],
      ['bioClicks', 'sum', 2],
    ])
    expect(found.items).toEqual([
      { number: shop, kind: 'button', label: 'Shop', url: 'https://shop.example/', clicks: 2, before: 0 },
      { number: mail, kind: 'button', label: 'Mail', url: 'mailto:hello@example.com', clicks: null, before: null },
    ])
  })

  it('are compared with as many days before, on the days that are over', async () => {
    await counted('2026-11-20', 0, { views: 30 })
    // today, which isn't over
    await counted('2026-11-21', 0, { views: 500 })
    await counted('2026-11-13', 0, { views: 20 })
    await counted('2026-11-14', 0, { views: 7 })
    const { range, totals } = await read()
    expect(range).toEqual({
      from: '2026-11-15',
      to: '2026-11-21',
      compare: { from: '2026-11-08', to: '2026-11-14' },
    })
    expect(totals[0]).toEqual({
      name: 'bioViews',
      adds: 'sum',
      value: 530,
      before: 27,
      changePercent: 50,
      compared: { value: 30, before: 20 },
      whyNotComparable: null,
    })
    expect(totals[2]).toMatchObject({ value: 0, before: 0, changePercent: null, whyNotComparable: 'nothingBefore' })
  })

  it('have nothing before the page was created, and no change', async () => {
    await app.database.owner.query("update bio_page set created_at = '2026-11-12T10:00:00Z' where id = $1", [pageId])
    await counted('2026-11-13', 0, { views: 20 })
    await counted('2026-11-20', 0, { views: 30 })
    expect((await read()).totals[0]).toMatchObject({
      value: 30,
      before: 20,
      changePercent: null,
      compared: null,
      whyNotComparable: 'nothingBefore',
    })
    const { totals, days } = await read({ from: '2026-11-09', to: '2026-11-14' })
    expect(totals[0]).toMatchObject({ value: 20, before: null })
    expect(days.map(({ bioViews }) => bioViews)).toEqual([null, null, null, 0, 20, 0])
    expect((await read({ from: '2026-11-21', to: '2026-11-22' })).days.map(({ bioViews }) => bioViews)).toEqual([
      0,
      null,
    ])
    expect((await read({ from: '2026-11-21', to: '2026-11-21' })).totals[0]?.whyNotComparable).toBe('notFinal')
  })

  it('keep the clicks of links that were deleted', async () => {
    const shop = await pages.item(pageId, { label: '=Shop' })
    await counted('2026-11-20', shop, { clicks: 3 })
    await counted('2026-11-20', 40, { clicks: 2 })
    await counted('2026-10-20', 41, { clicks: 2 })
    expect((await read()).items).toEqual([
      { number: shop, kind: 'button', label: '=Shop', url: 'https://shop.example/', clicks: 3, before: 0 },
      { number: 40, kind: null, label: null, url: null, clicks: 2, before: 0 },
    ])
    expect((await read()).totals[2]).toMatchObject({ name: 'bioClicks', value: 5 })
  })

  it('are a file with a row per day and a column per link, no cell of which is a formula', async () => {
    const shop = await pages.item(pageId, { label: '=cmd' })
    await counted('2026-11-20', 0, { views: 30, visitors: 12 })
    await counted('2026-11-20', shop, { clicks: 3 })
    await counted('2026-11-21', 40, { clicks: 2 })
    expect(await csv({ from: '2026-11-20', to: '2026-11-21' })).toEqual([
      ['Day', 'Page views', 'Visitors', 'Link clicks', 'Clicks: =cmd', 'Clicks: Deleted link 40'],
      ['2026-11-20', '30', '12', '3', '3', '0'],
      ['2026-11-21', '0', '0', '2', '0', '2'],
    ])
  })

  it('are those of the days in the zone of the project', async () => {
    await app.database.owner.query("update project set zone = 'Pacific/Auckland' where id = $1", [home.projectId])
    // 22 November has begun there
    app.clock.set(new Date('2026-11-21T11:30:00Z'))
    expect((await read()).range).toMatchObject({ from: '2026-11-16', to: '2026-11-22' })
  })

  it('are of the last 7 days on Free', async () => {
    await teamOn(app).plan(home, 'free')
    expect((await read()).days).toHaveLength(7)
    expect((await read({ from: '2026-11-15', to: '2026-11-21' })).days).toHaveLength(7)
    for (const endpoint of [bioPageFigures, bioPageFiguresCsv]) {
      const refused = await app.send(
        endpoint,
        { params: params(), query: { from: '2026-11-14', to: '2026-11-21' } },
        { as: home.person },
      )
      expect([refused.statusCode, refused.json()]).toMatchObject([402, { code: 'PLAN_LIMIT' }])
    }
  })

  it("are nobody else's", async () => {
    const other = await app.signedInOwner()
    const team = teamOn(app)
    const noInsights = await team.holder(home, { post: ['view', 'edit'] })
    const viewer = await team.holder(home, { insights: ['view'] })
    expect((await read({}, viewer)).days).toHaveLength(7)
    for (const endpoint of [bioPageFigures, bioPageFiguresCsv]) {
      const ask = async (who: TestPerson | undefined, where: { orgId: string; projectId: string; pageId: string }) =>
        (await app.send(endpoint, { params: where, query: {} }, who ? { as: who } : {})).statusCode
      expect(await ask(undefined, params())).toBe(401)
      expect(await ask(noInsights, params())).toBe(403)
      expect(await ask(home.person, params(randomUUID()))).toBe(404)
      // their page by its id in our project, and ours by theirs
      expect(await ask(other.person, params(pageId, other))).toBe(404)
      expect(await ask(other.person, params())).toBe(404)
    }
  })

  it('are refused for days that are no range', async () => {
    for (const query of [
      { from: '2026-11-20' },
      { from: '2026-11-21', to: '2026-11-20' },
      { from: '2024-01-01', to: '2026-11-20' },
      { from: '1999-12-31', to: '2000-01-01' },
      { from: 'yesterday', to: '2026-11-20' },
    ]) {
      const refused = await app.send(bioPageFigures, { params: params(), query }, { as: home.person })
      expect([query, refused.statusCode]).toEqual([query, 400])
    }
  })
})
