import { randomBytes } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { PREVIEW_PAGES } from '#contract/reports/files.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import { blockOf, chartPart, figureOf, postOf, postTable, reportOf, valueOf } from '../../testing/reportDocument.ts'
import type { DocumentBlock } from '../document.ts'
import { pdfOf } from './pdf.ts'
import { previewOf } from './preview.ts'

/* The pages of a report as its editor shows them. */

const cover = blockOf('cover', [{ kind: 'cover', title: 'For you', subtitle: '', lines: [], logo: true }], {
  kind: 'cover',
  heading: null,
})
const figures = blockOf('figures', [{ kind: 'figures', figures: [figureOf('Views', valueOf(1))] }])
const chart = (id: string, width: 3 | 6 = 6) => blockOf(id, [chartPart(['Views'])], { kind: 'chart', width })
/** A photo: it can't be compressed away. */
const photo = (side: number) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .blur(3)
    .jpeg({ quality: 90 })
    .toBuffer()

describe('the preview of a report', () => {
  it('has the pages of the PDF, and says on which each block starts', async () => {
    const blocks: DocumentBlock[] = [
      cover,
      figures,
      chart('left', 3),
      chart('right', 3),
      blockOf('break', [], { kind: 'pageBreak', heading: null }),
      blockOf('table', [postTable(60)], { kind: 'postTable' }),
      chart('last'),
    ]
    const report = reportOf(blocks)
    const preview = await previewOf(report, 'org')
    expect(preview.pageCount).toBe((await pdfOf(report, 'org')).pages)
    expect(preview.pages).toHaveLength(preview.pageCount)
    const pages = Object.fromEntries(preview.blocks.map(({ blockId, page }) => [blockId, page]))
    expect(pages).toMatchObject({ cover: 1, figures: 2, left: 2, right: 2, break: null, table: 3 })
    expect(pages['last']).toBeGreaterThan(3)
    expect(preview.missing).toEqual([])
  })

  it('names what no font can show', async () => {
    expect((await previewOf(reportOf([{ ...figures, heading: 'Old \u{12000}' }]), 'org')).missing).toEqual(['U+12000'])
  })

  it(`stops after ${PREVIEW_PAGES} pages, and counts the others`, async () => {
    const breaks = Array.from({ length: 25 }, (_, i) => [
      { ...figures, blockId: `f${i}` },
      blockOf(`b${i}`, [], { kind: 'pageBreak' as const, heading: null }),
    ]).flat()
    const preview = await previewOf(reportOf(breaks), 'org')
    expect([preview.pages.length, preview.pageCount]).toEqual([PREVIEW_PAGES, 25])
    expect(preview.blocks.find(({ blockId }) => blockId === 'f24')?.page).toBe(25)
  })

  it('draws the first pages of a report that is far too large to be drawn', async () => {
    const tables = Array.from({ length: 4 }, (_, i) =>
      blockOf(`t${i}`, [postTable(REPORTS.tableRows)], { kind: 'postTable' }),
    )
    const report = reportOf([cover, ...tables, figures])
    const preview = await previewOf(report, 'org')
    const { pages } = await pdfOf(report, 'org')
    expect([preview.pages.length, preview.pageCount]).toEqual([PREVIEW_PAGES, pages])
    expect(preview.blocks.find(({ blockId }) => blockId === 'figures')?.page).toBe(pages)
    // the same pages as those of a report that can be drawn at once
    const [, second] = (await previewOf(reportOf([cover, ...tables.slice(0, 1)]), 'org')).pages
    const lettersOf = (page = '') => page.replace(/<defs>.*<\/defs>/, '').match(/<use /g)?.length
    // the footer's number of pages has more digits
    expect(Math.abs((lettersOf(preview.pages[1]) ?? 0) - (lettersOf(second) ?? 0))).toBeLessThan(3)
  })

  it('draws the first pages of one that only turns out to be too large when it is drawn', async () => {
    const posts = Array.from({ length: REPORTS.topPosts }, () => postOf({ excerpt: 'W'.repeat(200) }))
    const blocks = Array.from({ length: 38 }, (_, i) =>
      blockOf(`p${i}`, [{ kind: 'posts', posts }], { kind: 'topPosts' }),
    )
    const preview = await previewOf(reportOf([cover, ...blocks, figures]), 'org')
    expect(preview.pages).toHaveLength(PREVIEW_PAGES)
    expect(preview.pageCount).toBeGreaterThan(38)
    expect(preview.blocks.at(-1)).toEqual({ blockId: 'figures', page: preview.pageCount })
  })

  it('draws charts and pictures in the picture itself, small enough to be sent after each change', async () => {
    const pictures = new Map(
      await Promise.all(Array.from({ length: 6 }, async (_, i) => [`p${i}`, await photo(640)] as const)),
    )
    const posts = Array.from({ length: 6 }, (_, i) => postOf({ picture: `p${i}` }))
    const before = [...pictures.values()].reduce((sum, { length }) => sum + length, 0)
    const report = reportOf(
      [cover, figures, chart('c'), blockOf('p', [{ kind: 'posts', posts }], { kind: 'topPosts' })],
      { pictures },
    )
    const { pages } = await previewOf(report, 'org')
    const whole = pages.join('')
    expect(whole.match(/href="data:image\/jpeg;base64,/g)).toHaveLength(6)
    expect(whole.match(/href="data:image\/svg\+xml,%3csvg/g)).toHaveLength(1)
    expect(whole.match(/href="(?!data:|#)/g)).toBeNull()
    expect(brotliCompressSync(whole).length).toBeLessThan(before / 2)
  })

  it('is small: six pages of figures, charts and tables have less than 120 kB on the wire', async () => {
    const blocks = [
      cover,
      figures,
      chart('a'),
      chart('b', 3),
      chart('c', 3),
      blockOf('t', [postTable(80)], { kind: 'postTable' }),
    ]
    const { pages } = await previewOf(reportOf(blocks), 'org')
    expect(pages.length).toBeGreaterThanOrEqual(5)
    expect(pages.reduce((sum, page) => sum + brotliCompressSync(page).length, 0)).toBeLessThan(120_000)
  })
})
