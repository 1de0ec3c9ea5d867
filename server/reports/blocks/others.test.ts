import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsCampaigns } from '#contract/analytics/compared.ts'
import { insightsCompetitors } from '#contract/analytics/competitors.ts'
import { shownValue } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { bioPageFigures } from '#contract/linkInBio/figures.ts'
import { writeReportText } from '#contract/reports/aiText.ts'
import { startAiStub, type AiStub } from '../../testing/aiStub.ts'
import { bioPagesOn } from '../../testing/bioPages.ts'
import { contentOn } from '../../testing/content.ts'
import { figuresOn } from '../../testing/figures.ts'
import type { TestHome, TestPerson } from '../../testing/people.ts'
import { contentWith, documentsOn, everythingIn, partOf } from '../../testing/reports.ts'
import { startApp, TEST_NOW, type TestApp } from '../../testing/startApp.ts'
import { taxonomyOn } from '../../testing/taxonomy.ts'
import { teamOn } from '../../testing/team.ts'

let stub: AiStub
let app: TestApp
let home: TestHome
let mastodon: string
let bluesky: string
beforeAll(async () => {
  stub = await startAiStub()
  app = await startApp({ env: { AI_BASE_URL: stub.baseUrl, AI_MODEL: 'small' } })
})
afterAll(async () => {
  await app.close()
  await stub.stop()
})
beforeEach(async () => {
  stub.reset()
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  const content = contentOn(app.parts)
  mastodon = await content.channel(home, { platform: 'mastodon', handle: '@crows' })
  bluesky = await content.channel(home, { platform: 'bluesky', handle: '@rooks' })
})

const week = { from: '2026-11-15', to: '2026-11-21' }
const compared = { ...week, compareFrom: '2026-11-08', compareTo: '2026-11-14' }
const read = (...args: Parameters<ReturnType<typeof documentsOn>['read']>) => documentsOn(app).read(...args)
describe('the campaigns of a report', () => {
  it('have the figures of the insights, and nothing of deleted ones or of other channels', async () => {
    const figures = figuresOn(app.database)
    const taxonomy = taxonomyOn(app)
    const [autumn, winter, gone] = [
      await taxonomy.campaign(home, 'أضواء الخريف 🍂'),
      await taxonomy.campaign(home, '冬のセール'),
      await taxonomy.campaign(home),
    ]
    for (const [campaignId, channelId, reactions] of [
      [autumn, mastodon, 5],
      [autumn, bluesky, 7],
      [winter, bluesky, 1],
    ] as const) {
      const post = await figures.published(home, channelId, '2026-11-16T10:00:00Z')
      await figures.reading(post, '2026-11-18T10:00:00Z', { reactions, comments: 1 })
      await taxonomy.join(home, [post], [campaignId])
    }
    await app.database.owner.query('delete from campaign where id = $1', [gone])
    const names: FigureKey[] = ['engagements', 'reactions', 'saves']
    const bound = await app.colleague(home, 'editor', { channelIds: [mastodon] })
    for (const who of [home.person, bound]) {
      const document = await read(
        home,
        contentWith([
          { kind: 'campaigns', names, ids: [autumn, winter, gone] },
          { kind: 'campaigns', names },
        ]),
        { who },
      )
      const { groups } = await app.call(
        insightsCampaigns,
        { params: home.params, query: { ...compared, ids: [autumn, winter, gone].join(), names: names.join() } },
        { as: who },
      )
      const rows = (i: number) => partOf(document.blocks[i], 'table').rows
      const expected = groups.map(({ name, posts, figures: of }) => [
        name,
        posts,
        ...names.flatMap((one) => {
          const figure = of.find((it) => it.name === one)
          return [shownValue(one, figure?.value ?? null), figure?.changePercent ?? null]
        }),
      ])
      for (const i of [0, 1])
        expect(rows(i).map(([name, ...cells]) => [name?.text, ...cells.map(({ value }) => value ?? null)])).toEqual(
          expected,
        )
      expect(document.blocks[0]?.notes.at(-1)).toBe(
        who === bound
          ? "2 chosen campaigns aren't listed: deleted, or without posts of these channels in these days."
          : "1 chosen campaign isn't listed: deleted, or without posts of these channels in these days.",
      )
      if (who === bound)
        for (const hidden of ['冬のセール', 'rooks', 'Bluesky']) expect(everythingIn(document)).not.toContain(hidden)
    }
    const none = await read(home, contentWith([{ kind: 'campaigns', names, ids: [gone] }]))
    expect(none.blocks[0]?.parts).toEqual([{ kind: 'nothing', text: 'No campaigns with posts in these days.' }])
  })
})

describe('the competitors of a report', () => {
  it('are compared as in the insights', async () => {
    const figures = figuresOn(app.database)
    for (let day = 13; day <= 21; day += 1)
      await figures.channelDay(bluesky, `2026-11-${day}`, { followers: 100 + day })
    const id = crypto.randomUUID()
    await app.database.owner.query(
      `insert into competitor (org_id, id, project_id, platform, remote_id, name, handle, picture_url, profile_url, state, posts_since, read_at, next_at, added_at, seen_at)
       values ($1, $2, $3, 'bluesky', 'other', 'ライバル', '@other', null, 'https://social.example/other', 'read', '2026-11-19T00:00:00Z', '2026-11-21T09:00:00Z', null, '2026-11-01T00:00:00Z', '2026-11-21T00:00:00Z')`,
      [home.orgId, id, home.projectId],
    )
    await app.database.owner.query(
      "insert into competitor_figure (org_id, competitor_id, name, day, value, read_at) select $1, $2, 'followers', day::date, 50 + extract(day from day), day from generate_series('2026-11-14'::timestamptz, '2026-11-21', '1 day') day",
      [home.orgId, id],
    )
    const bound = await app.colleague(home, 'editor', { channelIds: [mastodon] })
    for (const who of [home.person, bound]) {
      const { blocks } = await read(home, contentWith([{ kind: 'competitors' }]), { who })
      const { accounts } = await app.call(insightsCompetitors, { params: home.params, query: compared }, { as: who })
      expect(
        partOf(blocks[0], 'table').rows.map((cells) => [
          cells[0]?.text,
          ...cells.slice(3).map(({ value }) => value ?? null),
        ]),
      ).toEqual(
        accounts.map((one) => [
          one.isOwn ? one.name : `${one.name} (${one.handle})`,
          one.followers.value,
          one.growth.value,
          one.growthPercent.value,
          one.posts.value,
          one.postsPerWeek.value,
          one.medianEngagements.value,
        ]),
      )
      expect(accounts.map(({ isOwn }) => isOwn)).toEqual(who === bound ? [false] : [true, false])
      expect(blocks[0]?.notes).toContain('Posts not known of all days: ライバル (3 of 7 days).')
    }
    const other = await read(home, contentWith([{ kind: 'competitors', platforms: ['x'] }]))
    expect(other.blocks[0]?.parts).toEqual([{ kind: 'nothing', text: 'There are no competitors to compare with.' }])
  })
})

describe('the link in bio page of a report', () => {
  it('has the figures of its screen, compared as the report is', async () => {
    const pages = bioPagesOn(app.database)
    const pageId = await pages.page(home, { at: '2025-11-01T00:00:00Z', name: 'صفحتنا' })
    const shop = await pages.item(pageId, { label: '店 🛍️' })
    const mail = await pages.item(pageId, { label: 'Mail', url: 'mailto:hello@example.com' })
    const counted = (day: string, number: number, [views, visitors, clicks]: readonly number[]) =>
      app.database.owner.query(
        'insert into bio_count (org_id, page_id, day, number, views, visitors, clicks) values ($1, $2, $3, $4, $5, $6, $7)',
        [home.orgId, pageId, day, number, views, visitors, clicks],
      )
    for (const [day, views] of [
      ['2025-11-16', 4],
      ['2025-12-24', 1000],
      ['2026-11-09', 10],
      ['2026-11-16', 30],
      ['2026-11-20', 25],
    ] as const) {
      await counted(day, 0, [views, Math.floor(views / 2), 0])
      await counted(day, shop, [0, 0, Math.round(views / 5)])
    }
    expect(mail).toBeGreaterThan(shop)
    const block = { kind: 'bio', pageId } as const
    const { blocks } = await read(home, contentWith([block]))
    const told = await app.call(
      bioPageFigures,
      { params: { ...home.params, pageId }, query: week },
      { as: home.person },
    )
    const shown = partOf(blocks[0], 'figures').figures
    const total = (name: string) => told.totals.find((one) => one.name === name)
    expect(shown.map(({ value, changeValue }) => [value.value, changeValue])).toEqual([
      [total('bioViews')?.value, total('bioViews')?.changePercent],
      [15, null],
      [total('bioClicks')?.value, total('bioClicks')?.changePercent],
    ])
    expect(shown[1]).toMatchObject({ title: 'Visitors', base: 'on the highest day', note: '16 Nov 2026' })
    expect(partOf(blocks[0], 'chart').data.series.map(({ values }) => values)).toEqual([
      told.days.map(({ bioViews }) => bioViews),
      told.days.map(({ bioClicks }) => bioClicks),
    ])
    expect(partOf(blocks[0], 'table').rows).toEqual([
      [
        { text: '店 🛍️', link: 'https://shop.example/' },
        { text: '11', value: 11 },
      ],
      [{ text: 'Mail' }, { text: '–', value: null }],
    ])
    expect(blocks[0]?.heading).toBe('Link in bio: صفحتنا')
    const year = await read(home, contentWith([block], { days: { span: 'custom', ...week, compare: 'year' } }))
    // 55 views against 4 a year ago, whatever was counted in between
    expect(partOf(year.blocks[0], 'figures').figures[0]).toMatchObject({
      changeValue: 1275,
      change: '+1275.00%',
    })
    const alone = await read(home, contentWith([block], { days: { span: 'custom', ...week, compare: 'off' } }))
    expect(partOf(alone.blocks[0], 'figures').figures.map(({ change, note }) => [change, note])).toEqual([
      [null, null],
      [null, '16 Nov 2026'],
      [null, null],
    ])
    await app.database.owner.query('delete from bio_page where id = $1', [pageId])
    expect((await read(home, contentWith([block]))).blocks[0]?.parts).toEqual([
      { kind: 'nothing', text: 'This link in bio page was deleted.' },
    ])
  })
})

describe('the text that AI writes for a report', () => {
  const ask = (who: TestPerson, more: object = {}) =>
    app.send(writeReportText, { params: home.params, body: { content: contentWith([], more) } }, { as: who })
  const write = (who: TestPerson) =>
    app.call(writeReportText, { params: home.params, body: { content: contentWith([]) } }, { as: who })

  it('is about the channels and days of the report that the role includes, and charges one credit', async () => {
    const figures = figuresOn(app.database)
    for (const [channelId, reactions] of [
      [mastodon, 310],
      [bluesky, 42],
    ] as const) {
      const id = await figures.published(home, channelId, '2026-11-16T10:00:00Z')
      await figures.reading(id, '2026-11-18T10:00:00Z', { reactions }, '2026-11-16T10:00:00Z')
    }
    const bound = await app.colleague(home, 'editor', { channelIds: [bluesky] })
    // a model that repeats a fact
    const answer = (value: string) => ({
      json: {
        sentences: [
          {
            text: `There were ${value} reactions on posts of these days.`,
            facts: ['f1', 'f2', 'f3', 'f4', 'f5', 'f6'].slice(0, 6),
          },
          { text: `Posts had ${value} reactions.`, facts: [value] },
        ],
      },
    })
    stub.always(answer('42'))
    expect((await ask(bound)).json()).toMatchObject({ code: 'AI_PROMPT_GENERATION_ERROR' })
    const asked = JSON.stringify(stub.calls.map(({ body }) => body))
    expect([asked.includes('42'), asked.includes('310'), asked.includes('352')]).toEqual([true, false, false])
    const material: { facts: { id: string; figure: string; of: string; value: string }[] } = JSON.parse(
      String(stub.calls[0]?.body.messages[1]?.content),
    )
    const fact =
      material.facts.find(
        ({ figure, of, value }) => figure === 'Reactions' && value === '42' && of.includes('all channels'),
      ) ?? material.facts.find(({ value }) => value === '42')
    stub.always({
      json: { sentences: [{ text: `There were 42 ${fact?.figure.toLowerCase()} in these days.`, facts: [fact?.id] }] },
    })
    const written = await write(bound)
    expect(written).toMatchObject({ about: { ...week, channelIds: [bluesky] } })
    expect(written.text).toContain('42')
    const { rows } = await app.database.owner.query<{ used: number }>('select used from ai_usage where org_id = $1', [
      home.orgId,
    ])
    expect(rows[0]?.used).toBe(1)
    const block = { kind: 'ai', text: written.text, about: written.about } as const
    expect(partOf((await read(home, contentWith([block]), { who: bound })).blocks[0], 'text').paragraphs).toEqual([
      { text: written.text },
    ])
    const other = await app.colleague(home, 'editor', { channelIds: [mastodon] })
    expect(everythingIn(await read(home, contentWith([block]), { who: other }))).not.toContain('42')
    expect(
      (
        await ask(home.person, { days: { span: 'custom', from: '2021-01-01', to: '2021-01-07', compare: 'off' } })
      ).json(),
    ).toMatchObject({ code: 'NO_POSTS_FOUND' })
  })
})
