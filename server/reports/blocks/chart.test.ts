import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsSeries } from '#contract/analytics/overview.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { contentOn } from '../../testing/content.ts'
import { figuresOn } from '../../testing/figures.ts'
import type { TestHome } from '../../testing/people.ts'
import { contentWith, documentsOn, fillWeeks, partOf } from '../../testing/reports.ts'
import { startApp, TEST_NOW, type TestApp } from '../../testing/startApp.ts'
import { taxonomyOn } from '../../testing/taxonomy.ts'
import { teamOn } from '../../testing/team.ts'
import { notFinalOf } from './notFinal.ts'

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
  await app.database.owner.query("update channel set connected_at = '2020-01-01T10:00:00Z'")
})

const week = { from: '2026-11-15', to: '2026-11-21' }
const read = (...args: Parameters<ReturnType<typeof documentsOn>['read']>) => documentsOn(app).read(...args)
const fill = () => fillWeeks(figures, home, { facebook, x, youtube })

const names: FigureKey[] = [
  'published',
  'viewsAndImpressions',
  'engagements',
  'engagementRate',
  'followers',
  'reactions',
  'comments',
  'saves',
]
const byTotal = { kind: 'figures', base: 'inTheseDays', by: 'total', names } as const
const ofPosts = { ...byTotal, base: 'postsPublished' } as const

describe('charts of a report', () => {
  it('are drawn by day with the values of the insights, in total beside the days before', async () => {
    await fill()
    const document = await read(
      home,
      contentWith([
        { kind: 'chart', base: 'inTheseDays', name: 'viewsAndImpressions', by: 'total' },
        { kind: 'chart', base: 'inTheseDays', name: 'viewsAndImpressions', by: 'platform' },
        { kind: 'chart', base: 'inTheseDays', name: 'followers', by: 'channel' },
        { kind: 'chart', base: 'inTheseDays', name: 'published', by: 'total' },
        { kind: 'chart', base: 'inTheseDays', name: 'engagementRate', by: 'total' },
      ]),
    )
    const lines = (query: object) =>
      app.call(
        insightsSeries,
        { params: home.params, query: { ...week, names: 'viewsAndImpressions', ...query } },
        { as: home.person },
      )
    const chart = (i: number) => partOf(document.blocks[i], 'chart').data
    const [total, before] = [await lines({}), await lines({ from: '2026-11-08', to: '2026-11-14' })]
    expect(chart(0).series.map(({ values }) => values)).toEqual([total.series[0]?.values, before.series[0]?.values])
    expect(chart(0)).toMatchObject({
      axis: { keys: total.days },
      series: [{ key: 'total' }, { comparedWith: 'total', name: '08 Nov to 14 Nov 2026' }],
    })
    const byPlatform = await lines({ by: 'platform' })
    expect(chart(1).series.map(({ key, values }) => ({ key, values }))).toEqual(
      byPlatform.series.map(({ key, values }) => ({ key, values })),
    )
    expect(chart(1).series.map(({ name }) => name)).toEqual(['Facebook', 'X', 'YouTube'])
    const ofChannels = await lines({ by: 'channel', names: 'followers' })
    expect(chart(2).series.map(({ values }) => values)).toEqual(ofChannels.series.map(({ values }) => values))
    const counted = await lines({ base: 'postsPublished', names: 'published' })
    expect(chart(3).series[0]?.values).toEqual(counted.series[0]?.values)
    expect(document.blocks[4]?.parts).toEqual([
      { kind: 'nothing', text: 'Worked out from all of these days together, not by day.' },
    ])
    // the last day of YouTube wasn't read, and those of posts can still change
    expect(document.notFinal.length).toBeGreaterThan(0)
    expect(
      await documentsOn(app).inTenant(home)((c) =>
        notFinalOf(
          c,
          { content: contentWith([{ kind: 'chart', base: 'inTheseDays', name: 'viewsAndImpressions' }]) },
          documentsOn(app).deps,
        ),
      ),
    ).toEqual(document.notFinal)
    expect(
      await documentsOn(app).inTenant(home)((c) =>
        notFinalOf(c, { content: contentWith([ofPosts]) }, documentsOn(app).deps),
      ),
    ).toEqual([])
  })

  it('are compared with the same days of last year, or with nothing', async () => {
    await fill()
    for (let day = 15; day <= 21; day += 1) await figures.channelDay(facebook, `2025-11-${day}`, { views: day })
    const chart = { kind: 'chart', base: 'inTheseDays', name: 'viewsAndImpressions' } as const
    const drawn = async (compare: 'year' | 'off') => {
      const { blocks } = await read(
        home,
        contentWith([{ ...chart, channelIds: [facebook] }], { days: { span: 'custom', ...week, compare } }),
      )
      return partOf(blocks[0], 'chart').data.series.map(({ name, values }) => [name, values])
    }
    const [own, year] = await drawn('year')
    expect(year).toEqual(['15 Nov to 21 Nov 2025', [15, 16, 17, 18, 19, 20, 21]])
    expect(await drawn('off')).toEqual([own])
  })

  it('mark the days on which a platform changed how it counts, as the insights do', async () => {
    for (const channelId of [facebook, youtube]) await figures.channelDay(channelId, '2026-06-16', { views: 5 })
    const days = { span: 'custom', from: '2026-06-10', to: '2026-06-20', compare: 'off' } as const
    const { blocks } = await read(
      home,
      contentWith([{ kind: 'chart', base: 'inTheseDays', name: 'views', by: 'platform' }], { days }),
    )
    const { breaks } = await app.call(
      insightsSeries,
      { params: home.params, query: { from: days.from, to: days.to, names: 'views', by: 'platform' } },
      { as: home.person },
    )
    expect(breaks.length).toBeGreaterThan(0)
    expect(partOf(blocks[0], 'chart').data.breaks?.map(({ at }) => at)).toEqual(breaks.map(({ date }) => date))
    expect(blocks[0]?.notes.join(' ')).toContain('Facebook, 15 Jun 2026: Views replaced impressions on this day.')
  })

  it('draw the largest channels of very many, and say how many are left out', async () => {
    const many = await Promise.all(
      Array.from({ length: 14 }, (_, i) => content.channel(home, { platform: 'facebook', handle: `@page${i}` })),
    )
    for (const [i, id] of many.entries()) await figures.channelDay(id, '2026-11-20', { followers: 100 + i })
    const { blocks } = await read(
      home,
      contentWith([{ kind: 'chart', base: 'inTheseDays', name: 'followers', by: 'channel', channelIds: many }]),
    )
    const { series } = partOf(blocks[0], 'chart').data
    expect(new Set(series.map(({ key }) => key))).toEqual(new Set(many.slice(2)))
    expect(new Set(series.map(({ look }) => JSON.stringify(look))).size).toBe(12)
    expect(blocks[0]?.notes).toContain("Only the 12 channels with the most followers are drawn, 2 more aren't.")
  })

  it('of a campaign are those of the insights, in total and by platform', async () => {
    const posts = await fill()
    const taxonomy = taxonomyOn(app)
    const campaignId = await taxonomy.campaign(home)
    await taxonomy.join(home, posts.slice(2, 18), [campaignId])
    const asked = (['viewsAndImpressions', 'reactions', 'comments', 'engagements'] as const).flatMap((name) =>
      (['total', 'platform'] as const).flatMap((by) =>
        (['inTheseDays', 'postsPublished'] as const).map((base) => ({ name, by, base })),
      ),
    )
    const charts = asked.map((one) => ({ kind: 'chart', ...one }) as const)
    const { blocks } = await read(home, contentWith(charts, { campaignId }))
    const drawn = blocks.map((block) => {
      const { series } = partOf(block, 'chart').data
      return series.filter(({ comparedWith }) => !comparedWith).map(({ key, values }) => ({ key, values }))
    })
    const told = await Promise.all(
      asked.map(async ({ name, by, base }) => {
        const query = { ...week, campaignId, names: name, by, base }
        const { series } = await app.call(insightsSeries, { params: home.params, query }, { as: home.person })
        return series.map(({ key, values }) => ({ key, values }))
      }),
    )
    expect(drawn).toEqual(told)
  })
})
