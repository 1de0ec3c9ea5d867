import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { contrastOf } from '#contract/reports/accent.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import { blockOf, chartPart, figureOf, postOf, postTable, reportOf, valueOf } from '../../testing/reportDocument.ts'
import type { DocumentBlock, Part, ReportDocument } from '../document.ts'
import { pageOf } from './page.ts'

/* A report as a page for people who have a link to it. */

const links = { pdfPath: '/r/token/report.pdf', picturePath: (key: string) => `/r/token/picture/${key}` }
const made = (blocks: readonly DocumentBlock[], more?: Partial<ReportDocument>) => pageOf(reportOf(blocks, more), links)

type Tag = { name: string; attributes: Record<string, string> }
function tagsIn(html: string): Tag[] {
  const tags: Tag[] = []
  new Parser({ onopentag: (name, attributes) => tags.push({ name, attributes }) }).end(html)
  return tags
}
const named = (html: string, name: string) => tagsIn(html).filter((tag) => tag.name === name)
const cover = blockOf(
  'cover',
  [{ kind: 'cover', title: 'For you', subtitle: 'In short', lines: ['1 Nov to 30 Nov 2026'], logo: true }],
  {
    kind: 'cover',
    heading: null,
  },
)
const pictures = new Map([
  ['logo', Buffer.from('x')],
  ['p1', Buffer.from('x')],
])

describe('the page of a report', () => {
  it('has one style that its policy names, and no scripts', () => {
    const { html, policy } = made([cover, blockOf('c', [chartPart(['Views'])])], { accent: '#f59e0b' })
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(html) ?? []
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(policy).toContain("default-src 'none'; img-src 'self'")
    expect(named(html, 'script')).toEqual([])
    const attributes = tagsIn(html).flatMap((tag) => Object.keys(tag.attributes))
    expect(attributes.filter((name) => name === 'style' || name.startsWith('on'))).toEqual([])
    expect(html).toContain('<meta name="robots" content="noindex,nofollow">')
  })

  it('has its title as the only first heading, and a second one for each block', () => {
    const { html } = made([
      cover,
      blockOf('a', [{ kind: 'nothing', text: 'None' }]),
      blockOf('b', [chartPart(['Views']), postTable(1)]),
    ])
    const headings = (page: string) => tagsIn(page).flatMap(({ name }) => (/^h\d$/.test(name) ? [name] : []))
    expect(headings(html)).toEqual(['h1', 'h2', 'h2', 'h3'])
    expect(headings(made([cover, cover]).html)).toEqual(['h1', 'h2'])
    expect(html).toContain('<h1 dir="auto">For you</h1>')
  })

  it('shows pictures by their paths, with texts for people who do not see them', () => {
    const posts = [postOf({ picture: 'p1', published: '3 Nov 2026', channel: '@rook' }), postOf({ picture: 'gone' })]
    const { html } = made([cover, blockOf('p', [{ kind: 'posts', posts }])], { pictures })
    expect(named(html, 'img').map(({ attributes: { src, alt } }) => [src, alt])).toEqual([
      ['/r/token/picture/logo', 'Rook & Partners'],
      ['/r/token/picture/p1', 'Picture of the post of 3 Nov 2026 on @rook'],
    ])
    expect(html).toContain('No picture')
    expect(html).toContain('<a class="pdf" href="/r/token/report.pdf">Download PDF</a>')
  })

  it('has charts with a name, a description and a table of their values', () => {
    const { html } = made([blockOf('c', [chartPart(['Views', 'Before'])])])
    const charts = named(html, 'svg')
    // for a large screen and for a phone
    expect(charts).toHaveLength(2)
    const ids = tagsIn(html).flatMap(({ attributes: { id } }) => id ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    for (const { attributes } of charts)
      for (const id of attributes['aria-labelledby']?.split(' ') ?? ['none']) expect(ids).toContain(id)
    expect(named(html, 'details')).toHaveLength(1)
    expect(html.match(/<tr><th scope="row" class="short">2026-11-/g)).toHaveLength(30)
    // colors come from the style, so they change with the theme
    expect(html.replace(/<style>.*<\/style>/s, '')).not.toMatch(/(?:fill|stroke)="#/)
  })

  it('gives the words of posts more of a table than names of channels', () => {
    const cell = (text: string) => ({ text, value: null })
    const table: Part = {
      kind: 'table',
      columns: ['Published', 'Channel', 'Post'].map((title) => ({ title, align: 'start', unit: null })),
      rows: [[cell('3 Nov 2026'), cell('Bluesky · @hamburg.rook.example'), cell('Grinder day. '.repeat(6))]],
    }
    const { html } = made([blockOf('t', [table])])
    const [, row = ''] = /<tbody>(.*)<\/tbody>/.exec(html) ?? []
    expect(tagsIn(row).flatMap(({ attributes }) => attributes.class ?? [])).toEqual(['short', 'folded', 'long'])
  })

  it('prints the totals of a table once, below its last row, and words in columns that can be read', () => {
    const [, print = ''] = /@media print\{(.*)\}<\/style>/.exec(made([blockOf('t', [postTable(60)])]).html) ?? []
    // browsers repeat a footer on each printed page
    expect(print).toContain('tfoot{display:table-row-group}')
    expect(print).toMatch(/\.folded\{min-width:6rem\}\.long\{min-width:10rem\}/)
  })

  it('has a header row and a header column in its tables, which scroll with the keyboard', () => {
    const { html } = made([blockOf('t', [postTable(3)])])
    expect(named(html, 'th').map(({ attributes }) => attributes.scope)).toEqual([
      ...Array.from({ length: 6 }, () => 'col'),
      'row',
      'row',
      'row',
    ])
    expect(named(html, 'div').find(({ attributes }) => attributes.class === 'scroll')?.attributes).toMatchObject({
      tabindex: '0',
      role: 'group',
      'aria-label': 'Block t',
    })
  })

  it('says what it covers and what is not final, even without a title page', () => {
    const { html } = made([], { filtered: 'Only X', notFinal: ['@rook on X'], project: 'Nest' })
    expect(html).toContain('<p dir="auto">Only X</p>')
    expect(html).toContain('Figures of @rook on X aren&#39;t final')
    expect(html).toContain('<h1 dir="auto">November for Northlight</h1>')
    expect(html).toContain('<li dir="auto">1 Nov to 30 Nov 2026</li>')
  })

  it('leaves page breaks to paper', () => {
    const { html } = made([blockOf('x', [], { kind: 'pageBreak', heading: null })])
    expect(named(html, 'section')).toEqual([])
  })

  it('shows what people wrote as text', () => {
    const written = `<script>alert(1)</script>"><img src=x onerror=alert(1)>' & </style></title>`
    const posts = [postOf({ channel: written, excerpt: written, link: 'javascript:alert(1)', published: written })]
    const table = {
      kind: 'table',
      columns: [{ title: written, align: 'start', unit: null }],
      rows: [[{ text: written, link: 'data:text/html,x' }]],
    } as const
    const { html } = made(
      [
        blockOf('c', [{ kind: 'cover', title: written, subtitle: written, lines: [written], logo: true }], {
          kind: 'cover',
          heading: null,
        }),
        blockOf('a', [{ kind: 'text', paragraphs: [{ text: written }, { list: [written] }] }], {
          heading: written,
          about: written,
          notes: [written],
        }),
        blockOf('f', [
          {
            kind: 'figures',
            figures: [
              figureOf(written, { ...valueOf(1), text: written }, { change: written, note: written, base: written }),
            ],
          },
        ]),
        blockOf('p', [
          { kind: 'posts', posts },
          table,
          chartPart([written], { label: written }),
          { kind: 'nothing', text: written },
        ]),
      ],
      { title: written, organization: written, days: written, filtered: written, notFinal: [written], pictures },
    )
    const plain = made([]).html
    expect(named(html, 'script')).toEqual([])
    expect(named(html, 'img').map(({ attributes }) => attributes.src)).toEqual(['/r/token/picture/logo'])
    expect(named(html, 'style')).toHaveLength(named(plain, 'style').length)
    const hrefs = named(html, 'a').map(({ attributes }) => attributes.href)
    expect(hrefs).toEqual(['/r/token/report.pdf'])
    let text = ''
    new Parser({ ontext: (piece) => (text += piece) }, { decodeEntities: true }).end(html)
    expect(text.split(written).length).toBeGreaterThan(18)
  })

  it('is readable in the colors of an organization, in both themes', () => {
    for (const accent of [null, '#ffff00', '#000000', '#777777']) {
      const { html } = made([], { accent })
      const all = [...html.matchAll(/--(bar|on|brand|surface|canvas):(#[0-9a-f]{6})/g)].map(
        ([, name, color]) => [name, color] as const,
      )
      const colorsOf = (name: string) => all.flatMap(([one, color]) => (one === name && color ? [color] : []))
      expect(contrastOf(colorsOf('bar')[0] ?? '', colorsOf('on')[0] ?? '')).toBeGreaterThanOrEqual(4.5)
      for (const [i, brand] of colorsOf('brand').entries())
        expect(contrastOf(brand, colorsOf('surface')[i] ?? '')).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('stays below 100 kB on the wire with 500 posts and ten charts', () => {
    const charts = Array.from({ length: 10 }, (_, i) =>
      blockOf(`c${i}`, [chartPart(['Views', 'Before', 'Other'])], { kind: 'chart' }),
    )
    const { html } = made([cover, ...charts, blockOf('t', [postTable(REPORTS.tableRows)], { kind: 'postTable' })])
    expect(gzipSync(html).length).toBeLessThan(100_000)
  })
})
