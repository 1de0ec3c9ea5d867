import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FigureKey } from '#contract/analytics/names.ts'
import { contentOf, reportTemplates } from '#contract/reports/templates.ts'
import { blockKinds } from '#contract/reports/content.ts'
import { bioPagesOn } from '../../testing/bioPages.ts'
import { contentOn } from '../../testing/content.ts'
import { figuresOn } from '../../testing/figures.ts'
import { received } from '../../testing/inbox.ts'
import type { TestHome } from '../../testing/people.ts'
import { contentWith, documentsOn, everythingIn, partOf, type TestBlock } from '../../testing/reports.ts'
import { startApp, TEST_NOW, type TestApp } from '../../testing/startApp.ts'
import { taxonomyOn } from '../../testing/taxonomy.ts'
import { teamOn } from '../../testing/team.ts'

/* What holds for every kind of block, whoever reads the report and whatever there is. */

let app: TestApp
let home: TestHome
let pageId: string
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  pageId = await bioPagesOn(app.database).page(home, { name: 'Elm page' })
})

const read = (...args: Parameters<ReturnType<typeof documentsOn>['read']>) => documentsOn(app).read(...args)

/** A block of each kind and way. */
const every = (): TestBlock[] => {
  const names: FigureKey[] = [
    'published',
    'viewsAndImpressions',
    'engagements',
    'engagementRate',
    'followers',
    'reach',
    'shortLinkClicks',
  ]
  const figures = (['total', 'channel', 'platform'] as const).flatMap((by) =>
    (['inTheseDays', 'postsPublished'] as const).map((base) => ({ kind: 'figures', base, by, names }) as const),
  )
  const charts = (['total', 'channel', 'platform'] as const).flatMap((by) =>
    names.map((name) => ({ kind: 'chart', base: 'inTheseDays', by, name }) as const),
  )
  return [
    { kind: 'cover' },
    { kind: 'text', text: 'Hello' },
    ...figures,
    ...charts,
    { kind: 'postTable', columns: ['viewsAndImpressions', 'reactions'], sort: 'viewsAndImpressions' },
    { kind: 'topPosts', by: 'reactions' },
    { kind: 'inbox' },
    { kind: 'campaigns', names: ['engagements', 'followers'] },
    { kind: 'competitors' },
    { kind: 'bio', pageId },
    { kind: 'ai', text: 'Views rose.', about: { from: '2026-11-15', to: '2026-11-21', channelIds: [] } },
    { kind: 'pageBreak' },
  ]
}
const inOwnWords = (blocks: readonly TestBlock[]): TestBlock[] =>
  blocks.map((block, i) => ({ ...block, heading: `Heading ${i}` }))

describe('every block of a report', () => {
  it('says that there is nothing where a project has no channels, or a role none of them', async () => {
    expect(new Set(every().map(({ kind }) => kind))).toEqual(new Set(blockKinds))
    const none = await read(home, contentWith(every()))
    await contentOn(app.parts).channel(home, { platform: 'bluesky', handle: '@hidden' })
    const without = await app.colleague(home, 'editor', { channelIds: [] })
    const unseen = await read(home, contentWith(every()), { who: without })
    for (const { blocks, notFinal } of [none, unseen]) {
      for (const { kind, parts } of blocks) {
        if (kind === 'cover' || kind === 'text' || kind === 'pageBreak' || kind === 'bio' || kind === 'ai') continue
        expect(parts, kind).toEqual([{ kind: 'nothing', text: expect.stringMatching(/\.$/) }])
      }
      expect(notFinal).toEqual([])
    }
    expect(everythingIn(unseen)).not.toContain('hidden')
  })

  it.each([
    ['days without figures', { days: { span: 'custom', from: '2020-01-01', to: '2020-01-31', compare: 'before' } }],
    ['days to come', { days: { span: 'custom', from: '2027-01-01', to: '2027-01-31', compare: 'year' } }],
    ['one day', { days: { span: 'custom', from: '2026-11-20', to: '2026-11-20', compare: 'off' } }],
    ['a campaign that was deleted', { campaignId: '01a2278a-bb06-762b-b99d-8a8072c5a38a' }],
    ['a label that was deleted', { labelId: '01a2278a-bb06-762b-b99d-8a8072c5a38a' }],
    ['two years', { days: { span: 'custom', from: '2024-11-22', to: '2026-11-21', compare: 'year' } }],
  ] as const)('can be read of %s, and has a dash or 0 with a reason where nothing is known', async (_, more) => {
    const channel = await contentOn(app.parts).channel(home, { platform: 'bluesky', handle: '@rooks' })
    await contentOn(app.parts).channel(home, { platform: 'youtube', handle: '@tube' })
    const post = await figuresOn(app.database).published(home, channel, '2026-11-16T10:00:00Z')
    await figuresOn(app.database).reading(post, '2026-11-17T10:00:00Z', { reactions: 4 })
    const document = await read(home, contentWith(every(), more))
    expect(document.blocks).toHaveLength(every().length)
    for (const { kind, parts, notes } of document.blocks)
      for (const part of parts) {
        if (part.kind === 'nothing') expect(part.text, kind).toMatch(/\.$/)
        if (part.kind === 'figures')
          for (const { title, value, note } of part.figures)
            if (value.value === null)
              expect([value.text, note], `${kind} ${title}`).toEqual(['–', expect.stringMatching(/\w/)])
        if (part.kind === 'table' && part.rows.length > 0 && kind === 'figures')
          for (const [i, { title }] of part.columns.entries())
            if (i > 0 && title !== 'Change' && part.rows.every((cells) => (cells[i]?.value ?? null) === null))
              expect(notes.join(' '), `${kind} ${title}`).toContain(title)
      }
    if ('campaignId' in more || 'labelId' in more) expect(document.filtered).toContain('a deleted one')
  })

  it('needs a plan with analytics', async () => {
    await teamOn(app).plan(home, 'free')
    await expect(read(home, contentWith(every()))).rejects.toMatchObject({ code: 'PLAN_LIMIT' })
  })

  it('can be read with each template, and has the heading that it was given', async () => {
    const channelId = await contentOn(app.parts).channel(home, { platform: 'bluesky', handle: '@rooks' })
    const campaignId = await taxonomyOn(app).campaign(home)
    for (const template of reportTemplates) {
      const content = contentOf(template, { campaignId, channelId })
      const { blocks } = await read(home, content)
      expect(
        blocks.map(({ kind }) => kind),
        template,
      ).toEqual(content.blocks.map(({ kind }) => kind))
    }
    const given = await read(home, contentWith(inOwnWords(every())))
    for (const [i, { kind, heading }] of given.blocks.entries())
      expect(heading).toBe(kind === 'cover' || kind === 'pageBreak' ? null : `Heading ${i}`)
    expect(partOf(given.blocks[0], 'cover').title).toBe('Heading 0')
  })

  it('never has names, posts or figures of channels that the role lacks', async () => {
    const [content, figures, taxonomy] = [contentOn(app.parts), figuresOn(app.database), taxonomyOn(app)]
    const own = await content.channel(home, { platform: 'bluesky', handle: '@rooks' })
    const theirs = await content.channel(home, { platform: 'mastodon', handle: '@secretive' })
    const hidden = await content.channel(home, { platform: 'youtube', handle: '@undisclosed' })
    for (const [channelId, text, told] of [
      [own, 'Nests', 11],
      [theirs, 'Confidential', 76_543],
      [hidden, 'Classified', 98_765],
    ] as const) {
      const post = await figures.published(home, channelId, '2026-11-16T10:00:00Z', { text })
      await figures.reading(post, '2026-11-17T10:00:00Z', { reactions: told, views: told }, '2026-11-16T10:00:00Z')
      await figures.elsewhere(home, channelId, '2026-11-17T10:00:00Z', { text: `${text} app` })
      await taxonomy.join(home, [post], [await taxonomy.campaign(home, `${text} weeks`)])
      await figures.channelDay(channelId, '2026-11-16', { followers: told })
      if (channelId !== hidden) await received(app, home, { channelId, at: new Date('2026-11-16T12:00Z') })
    }
    const who = await app.colleague(home, 'editor', { channelIds: [own] })
    const named = every().map((block): TestBlock =>
      'names' in block || block.kind === 'chart' ? { ...block, channelIds: [own, theirs, hidden] } : block,
    )
    for (const blocks of [every(), named]) {
      const seen = everythingIn(await read(home, contentWith(blocks, { channelIds: [own, theirs, hidden] }), { who }))
      expect(seen).toContain('Nests')
      for (const word of [
        'secretive',
        'undisclosed',
        'Confidential',
        'Classified',
        'Mastodon',
        'YouTube',
        '76543',
        '76,543',
        '98765',
        '98,765',
        theirs,
        hidden,
      ])
        expect(seen, word).not.toContain(word)
      const all = everythingIn(await read(home, contentWith(blocks)))
      for (const word of ['secretive', 'undisclosed', 'Confidential', 'Classified weeks']) expect(all).toContain(word)
    }
    expect(FigureKey.options).toContain('reach')
  })

  it('is left out from where the figures are more than fit into a report, and texts stay', async () => {
    const content = contentOn(app.parts)
    const figures = figuresOn(app.database)
    for (let i = 0; i < 12; i += 1) {
      const id = await content.channel(home, { platform: 'bluesky', handle: `@rook${i}` })
      await figures.channelDay(id, '2026-11-20', { followers: 100 + i })
    }
    const charts = Array.from({ length: 36 }, () => ({
      kind: 'chart' as const,
      base: 'inTheseDays' as const,
      by: 'channel' as const,
      name: 'followers' as const,
    }))
    const two = { span: 'custom', from: '2024-11-22', to: '2026-11-22', compare: 'off' } as const
    const { blocks } = await read(
      home,
      contentWith([{ kind: 'cover' }, ...charts, { kind: 'competitors' }, { kind: 'text', text: 'Bye' }], {
        days: two,
      }),
    )
    expect(blocks.map(({ parts }) => parts[0]?.kind)).toEqual([
      'cover',
      ...Array<string>(11).fill('chart'),
      ...Array<string>(26).fill('nothing'),
      'text',
    ])
    expect(partOf(blocks[20], 'nothing').text).toContain('more figures than fit into one')
  })
})
