import { describe, expect, it } from 'vitest'
import { blockOf, figureOf, postTable, reportOf, valueOf } from '../../testing/reportDocument.ts'
import { unzip } from '../../testing/unzip.ts'
import { workbookOf } from './workbook.ts'
import { namesOf, workbookFiles } from './xlsx.ts'

/* What a workbook consists of, so that spreadsheets open it and run nothing of it. */

const about = { title: 'Report', creator: 'Rook', created: new Date('2026-12-01T08:00:00Z') }
const sheetOf = (cells: readonly (string | number | null)[]) =>
  workbookFiles([{ name: 'One', rows: [{ cells }], frozen: 0 }], about).get('xl/worksheets/sheet1.xml') ?? ''

describe('a workbook', () => {
  it('has texts as texts, whatever they begin with, and never a formula', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '=HYPERLINK("https://evil.example","x")']) {
      const sheet = sheetOf([text])
      expect(sheet).toContain('t="inlineStr"')
      expect(sheet).not.toContain('<f>')
      expect(sheet).not.toContain('<v>')
    }
  })

  it('has numbers as numbers, and nothing where nothing is known', () => {
    expect(sheetOf([12.5, null, 0, '', Number.NaN, 7])).toContain(
      '<row r="1"><c r="A1" s="3"><v>12.5</v></c><c r="C1" s="2"><v>0</v></c><c r="F1" s="2"><v>7</v></c></row>',
    )
  })

  it('writes what XML and spreadsheets read as something else', () => {
    expect(sheetOf(['<a>&"\u0000\uFFFE\ud800'])).toContain('>&lt;a&gt;&amp;&quot;\uFFFD<')
    expect(sheetOf(['_x0041_'])).toContain('>_x005F_x0041_<')
    expect(sheetOf(['x'.repeat(40_000)])).toContain(`>${'x'.repeat(32_767)}<`)
  })

  it('names columns after Z', () => {
    expect(sheetOf(Array.from({ length: 28 }, () => 1))).toContain('<c r="AB1"')
  })

  it('has sheets whose names are valid and unique', () => {
    const long = 'Everything that happened on all channels in November'
    const names = namesOf([
      long,
      long,
      'a/b:c*d?e[f]\\g',
      "'quoted'",
      '',
      ' ',
      'History',
      'views',
      'VIEWS',
      '🎉'.repeat(20),
      'Views (2)',
    ])
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
    for (const name of names) {
      expect(name.length).toBeGreaterThan(0)
      expect(name.length).toBeLessThanOrEqual(31)
      expect(name).not.toMatch(/[[\]:*?/\\]|^'|'$|\p{Surrogate}/u)
    }
    expect(names.slice(0, 3)).toEqual([
      'Everything that happened on all',
      'Everything that happened on (2)',
      'a b c d e f g',
    ])
  })

  it('says first what it covers, and has the notes of a block below its figures', async () => {
    const figures = [figureOf('Views', valueOf(5))]
    const blocks = [
      blockOf('f', [{ kind: 'figures', figures }], { heading: 'Summary', notes: ['X counts no views.'] }),
      blockOf('t', [postTable(2)], { heading: null, kind: 'postTable' }),
    ]
    const files = unzip(await workbookOf(reportOf(blocks, { filtered: 'Only X', notFinal: ['@rook on X'] })))
    const texts = (n: number) =>
      [...(files.get(`xl/worksheets/sheet${n}.xml`)?.toString() ?? '').matchAll(/<t [^>]*>([^<]*)</g)].map(
        ([, text]) => text,
      )
    expect(texts(1)).toEqual([
      'November for Northlight',
      'Days',
      '1 Nov to 30 Nov 2026',
      'Compared with',
      '2026-10-02 to 2026-10-31',
      'Organization',
      'Rook &amp; Partners',
      'Project',
      'Northlight Beans',
      'Made on',
      '2026-12-01',
      'Only X',
      "Figures of @rook on X aren't final: the platform can still change them.",
    ])
    expect(texts(2).at(-1)).toBe('X counts no views.')
    expect(files.get('xl/workbook.xml')?.toString()).toContain('name="postTable"')
    expect([...files.keys()].toSorted()).toEqual(
      [
        '[Content_Types].xml',
        '_rels/.rels',
        'docProps/core.xml',
        'xl/_rels/workbook.xml.rels',
        'xl/styles.xml',
        'xl/workbook.xml',
        ...[1, 2, 3].map((n) => `xl/worksheets/sheet${n}.xml`),
      ].toSorted(),
    )
  })

  it('is made of a report without figures too', async () => {
    const files = unzip(await workbookOf(reportOf([])))
    expect(
      files
        .get('xl/workbook.xml')
        ?.toString()
        .match(/<sheet /g),
    ).toHaveLength(1)
  })
})
