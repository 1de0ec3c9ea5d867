import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsChannels, insightsSummary } from '#contract/analytics/overview.ts'
import { figureText, shownValue } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { contentOn } from '../../testing/content.ts'
import { figuresOn } from '../../testing/figures.ts'
import type { TestHome, TestPerson } from '../../testing/people.ts'
import { contentWith, documentsOn, everythingIn, fillWeeks, partOf, type TestBlock } from '../../testing/reports.ts'
import { startApp, TEST_NOW, type TestApp } from '../../testing/startApp.ts'
import { taxonomyOn } from '../../testing/taxonomy.ts'
import { teamOn } from '../../testing/team.ts'

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
const compared = { ...week, compareFrom: '2026-11-08', compareTo: '2026-11-14' }
const read = (...args: Parameters<ReturnType<typeof documentsOn>['read']>) => documentsOn(app).read(...args)
const ask = (query: object, who: TestPerson) =>
  app.call(insightsSummary, { params: home.params, query: { ...compared, ...query } }, { as: who })

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

describe('figures of a report', () => {
  it.each(['owner', 'someone with some channels'])('are those that the insights show to the %s', async (which) => {
    await fill()
    const who = which === 'owner' ? home.person : await app.colleague(home, 'editor', { channelIds: [x, youtube] })
    const document = await read(home, contentWith([byTotal, ofPosts]), { who })
    const { cards, apart } = await ask({}, who)
    const known = [...cards, ...apart.flatMap((one) => one.figures)]
    let compares = 0
    for (const [i, base] of (['inTheseDays', 'postsPublished'] as const).entries()) {
      const { figures: shown } = partOf(document.blocks[i], 'figures')
      const own = names.map((name) =>
        cards.find(
          (one) =>
            one.name === name &&
            one.base === (name === 'published' ? 'postsPublished' : name === 'followers' ? 'inTheseDays' : base),
        ),
      )
      const beside = apart.flatMap((one) =>
        names.flatMap(
          (name) =>
            one.figures.find((of) => of.name === name && of.base === (name === 'followers' ? 'inTheseDays' : base)) ??
            [],
        ),
      )
      expect(shown.map(({ value }) => value.value)).toEqual(
        [...own, ...beside].map((one) => (one ? shownValue(one.name, one.value) : null)),
      )
      expect(shown.map(({ changeValue }) => changeValue)).toEqual(
        [...own, ...beside].map((one) => one?.changePoints ?? one?.changePercent ?? null),
      )
      expect(shown.map(({ value }) => value.text)).toEqual(
        [...own, ...beside].map((one, at) => figureText(one?.name ?? names[at] ?? 'views', one?.value)),
      )
      for (const { value, note } of shown) if (value.value === null) expect(note, JSON.stringify(shown)).toMatch(/\w/)
      compares += shown.filter(({ changeValue }) => changeValue !== null).length
    }
    expect([compares > 3, known.length > 8]).toEqual([true, true])
    expect(partOf(document.blocks[0], 'figures').figures.some(({ title }) => title === 'Views on YouTube')).toBe(true)
    expect(document.blocks[0]?.notes.join()).toContain("YouTube's terms don't allow adding its figures")
  })

  it('are the same by channel and by platform', async () => {
    await fill()
    const asked: FigureKey[] = ['viewsAndImpressions', 'engagements', 'followers']
    for (const who of [home.person, await app.colleague(home, 'editor', { channelIds: [facebook, youtube] })]) {
      const { blocks } = await read(
        home,
        contentWith([
          { ...byTotal, by: 'channel', names: asked },
          { ...byTotal, by: 'platform', names: asked },
        ]),
        { who },
      )
      const { channels } = await app.call(insightsChannels, { params: home.params, query: compared }, { as: who })
      const { platforms, apart } = await ask({ names: asked.join(), byPlatform: asked.join() }, who)
      const rowsOf = (
        all: readonly {
          name: string
          figures: readonly { base: string; name: string; value: number | null; changePercent: number | null }[]
        }[],
      ) =>
        all
          .map(({ name, figures: own }) => [
            name,
            ...asked.flatMap((one) => {
              const figure = own.find((of) => of.base === 'inTheseDays' && of.name === one)
              return [figure?.value ?? null, figure?.changePercent ?? null]
            }),
          ])
          .toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))
      const shown = [0, 1].map((i) =>
        partOf(blocks[i], 'table')
          .rows.map(([head, ...cells]) => [head?.text, ...cells.map(({ value }) => value ?? null)])
          .toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
      )
      const labels = { facebook: 'Facebook', x: 'X', youtube: 'YouTube' } as Record<string, string>
      expect(shown[0]).toEqual(
        rowsOf(
          channels.map((one) => ({ name: `${one.channelName} (${labels[one.platformName]})`, figures: one.figures })),
        ),
      )
      expect(shown[1]).toEqual(
        rowsOf(
          platforms.map((one) => ({
            name: labels[one.platform] ?? '',
            figures: [
              ...one.figures,
              ...apart.filter(({ platform }) => platform === one.platform).flatMap((of) => of.figures),
            ],
          })),
        ),
      )
      // ranked, with what may not be ranked at the end
      expect(partOf(blocks[0], 'table').rows.at(-1)?.[0]?.text).toBe('tube (YouTube)')
    }
  })

  it('never show what the reader may not see', async () => {
    await fill()
    const bound = await app.colleague(home, 'editor', { channelIds: [x] })
    const blocks: TestBlock[] = [
      { kind: 'cover' },
      byTotal,
      { ...byTotal, by: 'channel' },
      { ...byTotal, by: 'platform' },
      { kind: 'chart', base: 'inTheseDays', name: 'followers', by: 'channel' },
      { kind: 'chart', base: 'inTheseDays', name: 'views', by: 'platform' },
      { kind: 'figures', base: 'inTheseDays', by: 'total', names, channelIds: [facebook] },
    ]
    const seen = everythingIn(await read(home, contentWith(blocks, { channelIds: [facebook, x] }), { who: bound }))
    for (const hidden of ['page', 'tube', 'Facebook', 'YouTube', facebook, youtube, '1,013', '1013'])
      expect(seen).not.toContain(hidden)
    expect(seen).toContain('x (X)')
    expect(everythingIn(await read(home, contentWith(blocks, { channelIds: [facebook, x] })))).toContain(
      'page (Facebook)',
    )
  })

  it('say what is missing: no channels, a silent platform, days without figures, deleted channels', async () => {
    await fill()
    const none = await read(home, contentWith([byTotal], { channelIds: [facebook], platforms: ['x'] }))
    expect(none.blocks[0]?.parts).toEqual([{ kind: 'nothing', text: 'No channels in these filters.' }])
    const silent = await content.channel(home, { platform: 'mastodon', handle: '@quiet' })
    const quiet = await read(
      home,
      contentWith([
        { ...byTotal, channelIds: [silent], names: ['followers', 'viewsAndImpressions', 'reach'] },
        { kind: 'chart', base: 'inTheseDays', name: 'followers', channelIds: [silent] },
      ]),
    )
    expect(partOf(quiet.blocks[0], 'figures').figures.map(({ value, note }) => [value.text, note])).toEqual([
      ['–', "It hasn't been read yet"],
      ['–', 'None of these platforms reports it'],
      ['–', 'Never added up, so it has no total'],
    ])
    expect(quiet.blocks[1]?.parts).toEqual([{ kind: 'nothing', text: 'No figures in these days.' }])
    expect(quiet.blocks[1]?.notes).toEqual(["Not included: quiet (Mastodon). It hasn't been read yet."])
    const empty = await read(
      home,
      contentWith([byTotal], { days: { span: 'custom', from: '2021-01-01', to: '2021-01-07', compare: 'year' } }),
    )
    expect(
      partOf(empty.blocks[0], 'figures').figures.every(
        ({ value, note }) => value.value === 0 || (value.value === null && note !== null),
      ),
    ).toBe(true)
    await app.database.owner.query("update channel set deleted_at = '2026-11-20T00:00:00Z' where id = $1", [facebook])
    const { blocks } = await read(home, contentWith([{ ...byTotal, by: 'channel', names: ['viewsAndImpressions'] }]))
    expect(partOf(blocks[0], 'table').rows.map(([head]) => head?.text)).toContain('Facebook · @page (deleted)')
  })

  it('cover the posts of a campaign, a label or a hashtag, as the insights do', async () => {
    const posts = await fill()
    const taxonomy = taxonomyOn(app)
    const campaignId = await taxonomy.campaign(home, 'أضواء الخريف')
    await taxonomy.join(home, posts.slice(3, 12), [campaignId])
    const document = await read(home, contentWith([ofPosts, byTotal], { campaignId, hashtag: '#rooks' }))
    expect(document.filtered).toBe('Campaign: أضواء الخريف · #rooks')
    const only = await read(home, contentWith([ofPosts, byTotal], { campaignId }))
    const { cards } = await ask({ campaignId }, home.person)
    const views = (base: string) => cards.find((one) => one.base === base && one.name === 'viewsAndImpressions')?.value
    expect([0, 1].map((i) => partOf(only.blocks[i], 'figures').figures[1]?.value.value)).toEqual([
      views('postsPublished'),
      views('inTheseDays'),
    ])
    expect(views('postsPublished')).toBeGreaterThan(0)
  })
})
