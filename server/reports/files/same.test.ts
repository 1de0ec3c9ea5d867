import { parse } from 'csv-parse/sync'
import { extractText, getDocumentProxy } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { valueText } from '#contract/values.ts'
import { blockOf, chartPart, figureOf, postOf, postTable, reportOf, valueOf } from '../../testing/reportDocument.ts'
import { unzip } from '../../testing/unzip.ts'
import type { DocumentBlock, Part } from '../document.ts'
import { csvOfBlock } from './csv.ts'
import { pageOf } from './page.ts'
import { pdfOf } from './pdf.ts'
import { workbookOf } from './workbook.ts'

/* One report as PDF, page, CSV and workbook: all say the same, to the unit. Each is read back. */

const figures = [
  figureOf('Views', valueOf(1_284_310), {
    change: '+12.50% compared with 1 Oct to 31 Oct 2026',
    direction: 'up',
    changeValue: 12.5,
  }),
  figureOf('Engagement rate', valueOf(3.754, 'percent'), {
    change: '\u22120.35 pts compared with 1 Oct to 31 Oct 2026',
    changeValue: -0.35,
  }),
  figureOf('Watch time', valueOf(754_325, 'seconds')),
  figureOf('Reach', valueOf(null), { note: 'Never added up, so it has no total' }),
  figureOf('Unfollows', valueOf(0)),
]
const posts = [
  postOf({
    channel: '@one',
    figures: [
      { title: 'Views', value: valueOf(77_001) },
      { title: 'Average watched', value: valueOf(41.5, 'percent') },
    ],
  }),
  postOf({
    channel: '@two',
    platform: 'youtube',
    figures: [
      { title: 'Watch time', value: valueOf(3_723, 'seconds') },
      { title: 'Views', value: valueOf(null) },
    ],
  }),
]
const series = chartPart(['Views', 'Before'], {
  data: {
    axis: { kind: 'days', keys: ['2026-11-01', '2026-11-02', '2026-11-03'] },
    series: [
      { key: 'a', name: 'Views', values: [1_201, null, 0] },
      { key: 'b', name: 'Watch time', values: [61, 3_600, null], unit: 'seconds' },
    ],
  },
})
/** Of more posts than are in the table. */
const foot = [
  [
    { text: 'Total' },
    { text: '' },
    { text: '' },
    { text: '9,876,543', value: 9_876_543 },
    { text: '24,680', value: 24_680 },
    { text: '\u2013', value: null },
  ],
]
const blocks: DocumentBlock[] = [
  blockOf('figures', [{ kind: 'figures', figures }]),
  blockOf('posts', [{ kind: 'posts', posts }]),
  blockOf('table', [{ ...postTable(40), foot }]),
  blockOf('chart', [series]),
  blockOf('text', [{ kind: 'text', paragraphs: [{ text: 'Words only' }] }], { heading: 'Block text' }),
]
const report = reportOf(blocks)

const rowsOf = ({ rows, foot: below = [] }: Extract<Part, { kind: 'table' }>) => [...rows, ...below]
/** What people see of a block's values, in their order. */
const textsOf = (part: Part): string[] =>
  part.kind === 'figures'
    ? part.figures.map(({ value }) => value.text)
    : part.kind === 'posts'
      ? part.posts.flatMap((post) => post.figures.map(({ value }) => value.text))
      : part.kind === 'table'
        ? rowsOf(part).flatMap((row) => row.filter(({ value }) => value !== undefined).map(({ text }) => text))
        : part.kind === 'chart'
          ? part.data.axis.keys.flatMap((_, i) =>
              part.data.series.map(({ values, unit }) => valueText(values[i] ?? null, unit)),
            )
          : []
/** The same as numbers; null where nothing is known. */
const numbersOf = (part: Part): (number | null)[] =>
  part.kind === 'figures'
    ? part.figures.flatMap(({ value, changeValue }) => [value.value, changeValue])
    : part.kind === 'posts'
      ? // one column for each figure of any post
        part.posts.flatMap((post) =>
          ['Views', 'Average watched', 'Watch time'].map(
            (title) => post.figures.find((one) => one.title === title)?.value.value ?? null,
          ),
        )
      : part.kind === 'table'
        ? rowsOf(part).flatMap((row) =>
            row.filter(({ value }) => value !== undefined).map(({ value }) => value ?? null),
          )
        : part.kind === 'chart'
          ? part.data.axis.keys.flatMap((_, i) => part.data.series.map(({ values }) => values[i] ?? null))
          : []
const partOf = (block: DocumentBlock): Part => {
  const [part] = block.parts
  if (!part) throw new Error('a block without a part')
  return part
}
const NUMBERS = /^-?\d+(?:\.\d+)?$/

let pdf: string
let html: string
let sheets: Map<string, Buffer>
beforeAll(async () => {
  const proxy = await getDocumentProxy(new Uint8Array((await pdfOf(report, 'org')).pdf))
  pdf = (await extractText(proxy, { mergePages: true })).text
  html = pageOf(report, { pdfPath: '/r/x/report.pdf', picturePath: (key) => `/r/x/${key}` }).html
  sheets = unzip(await workbookOf(report))
})

/** From its heading to the next one. */
const cutOf = (whole: string, blockId: string, heading: (name: string) => string): string => {
  const after = whole.slice(whole.indexOf(heading(`Block ${blockId}`)) + heading(`Block ${blockId}`).length)
  const next = after.search(new RegExp(heading('Block (?:figures|posts|table|chart|text)')))
  return next < 0 ? after : after.slice(0, next)
}
/** Whether texts follow each other in a longer one. */
function inOrder(whole: string, texts: readonly string[]): string[] {
  let from = 0
  return texts.filter((text) => {
    const at = whole.indexOf(text, from)
    if (at < 0) return true
    from = at + text.length
    return false
  })
}
const words = (text: string): string =>
  text
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')

const valued = blocks.slice(0, 4).map((block) => [block.blockId, block] as const)
describe.for(valued)('a block of %s', ([blockId, block]) => {
  it('shows the same values in the PDF and on the page', () => {
    const part = partOf(block)
    const onPage = words(cutOf(html, blockId, (name) => `${name}</h2>`))
    expect(inOrder(onPage, textsOf(part))).toEqual([])
    if (part.kind === 'chart') return
    expect(inOrder(cutOf(pdf, blockId, (name) => name).replaceAll(/\s+/g, ' '), textsOf(part))).toEqual([])
  })

  it('has the same numbers in CSV and in the workbook', () => {
    const part = partOf(block)
    const csv = csvOfBlock(block)
    expect(csv.startsWith('\uFEFF')).toBe(true)
    const [, ...records] = parse(csv, { bom: true, skip_empty_lines: true })
    const asNumbers = records.flatMap((cells) => cells.filter((cell) => cell === '' || NUMBERS.test(cell)))
    const wanted = numbersOf(part)
    // texts can be empty too, so gaps are only counted where there's nothing else
    const known = wanted.filter((one) => one !== null)
    expect(asNumbers.filter((cell) => cell !== '').map(Number)).toEqual(known)
    const sheet = sheets.get(`xl/worksheets/sheet${blocks.indexOf(block) + 2}.xml`)?.toString() ?? ''
    expect([...sheet.matchAll(/<v>([^<]+)<\/v>/g)].map(([, number]) => Number(number))).toEqual(known)
  })
})

describe('files of figures', () => {
  it('have the units in the titles of their columns, and gaps that are empty', () => {
    const [head, first, second] = parse(csvOfBlock(blocks[1] ?? blockOf('x', [])), { bom: true })
    expect(head).toEqual([
      'Published',
      'Channel',
      'Platform',
      'Post',
      'Link',
      'Views',
      'Average watched (%)',
      'Watch time (seconds)',
    ])
    expect(first?.slice(5)).toEqual(['77001', '41.5', ''])
    expect(second?.slice(5)).toEqual(['', '', '3723'])
  })

  it('are empty for a block without figures, which has no sheet either', () => {
    expect(
      csvOfBlock(
        blockOf('t', [
          { kind: 'text', paragraphs: [{ text: 'Hello' }] },
          { kind: 'nothing', text: 'None' },
        ]),
      ),
    ).toBe('')
    const names = [...(sheets.get('xl/workbook.xml')?.toString() ?? '').matchAll(/<sheet name="([^"]+)"/g)].map(
      ([, name]) => name,
    )
    expect(names).toEqual(['Report', 'Block figures', 'Block posts', 'Block table', 'Block chart'])
  })

  it('have totals of more than their rows apart from these', () => {
    const [, total] = csvOfBlock(blocks[2] ?? blockOf('x', [])).split('\r\n\r\n')
    expect(total).toBe('Total,,,,9876543,24680,\r\n')
    expect(html).toMatch(/<tfoot><tr><th scope="row" class="short"><bdi>Total</)
  })

  it('separate several tables of a block', () => {
    const csv = csvOfBlock(blockOf('two', [{ kind: 'figures', figures }, series]))
    expect(csv.split('\r\n\r\n')).toHaveLength(2)
  })

  it('describe a chart in words as the PDF does', async () => {
    const [, described] = /<desc[^>]*>([^<]+)</.exec(html) ?? []
    expect(described).toBe('Views by day, 01 Nov to 03 Nov: Views 1,201, Watch time 3,661')
    const proxy = await getDocumentProxy(
      new Uint8Array((await pdfOf(reportOf([blocks[3] ?? blockOf('x', [])]), 'org')).pdf),
    )
    expect(JSON.stringify(await (await proxy.getPage(1)).getStructTree())).toContain(described)
  })
})
