import sharp from 'sharp'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { blockKinds } from '#contract/reports/content.ts'
import { blockWidths } from '#contract/reports/layout.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import { blockOf, chartPart, figureOf, postOf, postTable, reportOf, valueOf } from '../../testing/reportDocument.ts'
import type { DocumentBlock, ReportDocument } from '../document.ts'
import { pdfOf } from './pdf.ts'

/* What a report's PDF says and how it's built, by its text and its structure. */

const printed = async (blocks: readonly DocumentBlock[], more?: Partial<ReportDocument>) => {
  const { pdf, pages, missing } = await pdfOf(reportOf(blocks, more), 'org')
  const proxy = await getDocumentProxy(new Uint8Array(pdf))
  const { text } = await extractText(proxy, { mergePages: false })
  return { raw: pdf.toString('latin1'), pages, missing, proxy, text }
}
const cover = (title: string) =>
  blockOf('cover', [{ kind: 'cover', title, subtitle: 'For you', lines: ['1 Nov to 30 Nov 2026'], logo: true }], {
    kind: 'cover',
    heading: null,
  })
const text = (...paragraphs: string[]) =>
  blockOf('text', [{ kind: 'text', paragraphs: paragraphs.map((one) => ({ text: one })) }], { kind: 'text' })
const image = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer()

type Node = { role?: string; alt?: string; children?: Node[] }
/** The tags of a page, as programs that read documents out get them. */
async function tagsOf({ proxy }: Awaited<ReturnType<typeof printed>>, page: number): Promise<Node[]> {
  const tree: unknown = await (await proxy.getPage(page)).getStructTree()
  const all = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(all)]
  // what pdf.js gives: roles, alternative texts and children
  return all(tree as Node)
}

describe('the PDF of a report', () => {
  it('conforms to PDF/UA-1 with charts, pictures, tables and scripts of both directions', async () => {
    const made = await printed(
      [
        cover('November'),
        blockOf('f', [{ kind: 'figures', figures: [figureOf('Views', valueOf(12_345))] }]),
        blockOf('c', [chartPart(['مقهى', 'קפה', 'Views 🎉'], { shape: 'line' })], { kind: 'chart' }),
        blockOf('p', [
          { kind: 'posts', posts: [postOf({ picture: 'a' }), postOf({ excerpt: 'قهوة', picture: null })] },
        ]),
        blockOf('t', [postTable(20)]),
        text('قهوة طازجة كل صباح', 'קפה טרי בכל בוקר', 'Ελλάδα, Україна, हिन्दी'),
      ],
      {
        pictures: new Map([
          ['a', await image()],
          ['logo', await image()],
        ]),
      },
    )
    expect(made.missing).toEqual([])
    expect(made.raw).toContain('pdfuaid')
    expect(made.raw).toContain('/StructTreeRoot')
    const [, second = ''] = made.text
    for (const shown of ['12,345', 'Views', 'קפה']) expect(second).toContain(shown)
    const letters = new Set(made.text.join('').normalize('NFKC'))
    expect([...new Set('قهوةטריΕλλάδαУкраїна')].filter((letter) => !letters.has(letter))).toEqual([])
  })

  it('has a title page with the title as its name, and the blocks as bookmarks', async () => {
    const made = await printed([cover('November for you'), text('Hello'), blockOf('t', [postTable(2)])])
    const [first = '', second = ''] = made.text
    expect(first).toMatch(/November for you\s+For you\s+1 Nov to 30 Nov 2026/)
    expect(first).not.toContain('Page 1')
    expect(second).toContain('Page 2 of 2')
    expect((await made.proxy.getOutline()).map(({ title }) => title)).toEqual(['Block text', 'Block t'])
    const { info } = await made.proxy.getMetadata()
    expect(info).toMatchObject({ Title: 'November for Northlight', Author: 'Rook & Partners', Language: 'en' })
  })

  it('is made whatever people call things: nothing to see, links without end, letters that nobody has', async () => {
    const rare = Array.from({ length: 400 }, (_, i) => String.fromCodePoint(0x12000 + i))
    const made = await printed(
      [
        text('Hello'),
        blockOf('p', [{ kind: 'posts', posts: [postOf({ link: `https://a.example/${'x'.repeat(9000)}` })] }], {
          heading: '\u200E\u202E',
        }),
        cover('\u202E\u2066'),
        blockOf('t', [
          {
            kind: 'table',
            columns: [{ title: 'Channel', align: 'start', unit: null }],
            rows: [[{ text: 'evil\u0007\u202Egpj' }]],
          },
        ]),
      ],
      { title: '\u202E' },
    )
    expect(made.missing).toEqual([])
    expect(made.raw).toContain('pdfuaid')
    expect(made.text.join('')).toContain('evilgpj')
    const boxes = await printed([text(rare.join(' '))])
    expect(boxes.missing).toHaveLength(13)
    expect(boxes.missing.slice(-2)).toEqual(['U+1200B', '388 other characters'])
    expect(boxes.text[0]).toContain('388 other characters')
  })

  it('names itself without a title page too', async () => {
    const made = await printed([text('Hello')])
    expect(made.text[0]).toMatch(/November for Northlight\s+1 Nov to 30 Nov 2026\s+Rook & Partners/)
    expect(made.text[0]).toContain('Page 1 of 1')
  })

  it('repeats the header row of a table on each of its pages, and tags its cells', async () => {
    const made = await printed([blockOf('t', [postTable(120)], { kind: 'postTable' })])
    expect(made.pages).toBeGreaterThan(3)
    for (const page of made.text) {
      expect(page).toMatch(/Published\s+Channel\s+Post\s+Views\s+Engagements/)
      expect(page).toContain('Rook & Partners · November for Northlight · 1 Nov to 30 Nov 2026')
    }
    const roles = (await tagsOf(made, 1)).map(({ role }) => role)
    for (const role of ['Table', 'TR', 'TH', 'TD', 'H1', 'Link']) expect(roles).toContain(role)
  })

  it('leaves each row of a large table its room, whatever it contains', async () => {
    const texts = [
      'Short',
      'A text that needs two lines or three, because its column is narrow next to many others',
      'Fresh coffee \u{1F389}\u{1F389}\u{1F389} every morning, and every evening too, if you like \u2615',
      'Nachtr\u00e4gliche \u00dcberpr\u00fcfung der R\u00f6stung \u2013 \u201eganz genau\u201c',
      'WWWWWWWWWW MMMMMMMMMM WWWWWWWWWW MMMMMMMMMM WWWWWWWWWW',
      '\u039a\u03b1\u03c6\u03ad\u03c2 \u0438 \u043a\u043e\u0444\u0435 \u043a\u0430\u0436\u0434\u043e\u0435 \u0443\u0442\u0440\u043e, and so on and so on until it is folded',
      '\u05e7\u05e4\u05d4 \u05d8\u05e8\u05d9 \u05d1\u05db\u05dc \u05d1\u05d5\u05e7\u05e8',
      'Two\nlines',
    ]
    const table = postTable(160, ['Views', 'Reactions', 'Comments', 'Shares', 'Saves', 'Engagement rate'])
    const rows = table.rows.map((row, i) =>
      row.map((cell, n) => (n === 2 ? { text: texts[i % texts.length] ?? '' } : cell)),
    )
    const made = await printed([blockOf('t', [{ ...table, rows }], { kind: 'postTable' })])
    for (let page = 1; page <= made.pages; page++) {
      const { items } = await (await made.proxy.getPage(page)).getTextContent()
      const placed = items.flatMap((item) =>
        'transform' in item && item.str.trim() !== ''
          ? [{ x: Number(item.transform[4]), y: Number(item.transform[5]) }]
          : [],
      )
      // lines of the posts' column, by their baselines
      const post = placed.filter(({ x }) => x > 175 && x < 300).map(({ y }) => Math.round(y * 10) / 10)
      const lines = [...new Set(post)].toSorted((a, b) => b - a).slice(0, -1)
      const gaps = lines.slice(1).map((y, i) => (lines[i] ?? 0) - y)
      expect(Math.min(...gaps)).toBeGreaterThan(7.5)
    }
  })

  it('turns the page for a table with many columns, so that all of them are on it', async () => {
    const columns = Array.from({ length: REPORTS.columns }, (_, i) => `Figure ${i + 1}`)
    const made = await printed([
      text('Before'),
      blockOf('t', [postTable(3, columns)], { kind: 'postTable' }),
      text('After'),
    ])
    const sizes = await Promise.all([1, 2, 3].map(async (n) => (await made.proxy.getPage(n)).getViewport({ scale: 1 })))
    expect(sizes.map(({ width, height }) => width > height)).toEqual([false, true, false])
    expect(made.text[1]).toMatch(/Figure\s+12/)
  })

  it('says what charts and pictures show, for people who do not see them', async () => {
    const made = await printed(
      [
        blockOf('c', [chartPart(['Views'])], { kind: 'chart' }),
        blockOf('p', [{ kind: 'posts', posts: [postOf({ picture: 'a', published: '3 Nov 2026', channel: '@rook' })] }]),
      ],
      { pictures: new Map([['a', await image()]]) },
    )
    const alts = (await tagsOf(made, 1)).flatMap(({ alt }) => alt ?? [])
    expect(alts[0]).toMatch(/^Views by day, 01 Nov to 30 Nov: Views [\d,]+$/)
    expect(alts[1]).toBe('Picture of the post of 3 Nov 2026 on @rook')
  })

  it('says what it covers, what is missing, and which figures are not final', async () => {
    const made = await printed(
      [
        blockOf('f', [{ kind: 'nothing', text: 'No posts in these days.' }], {
          about: 'Only Instagram',
          notes: ['X counts no views.'],
        }),
      ],
      { filtered: 'Only Instagram and X', notFinal: ['@rook on X', 'Nest (Facebook)'] },
    )
    for (const said of [
      'Only Instagram and X',
      "Figures of 2 channels aren't final",
      '@rook on X, Nest (Facebook)',
      'No posts in these days.',
      'X counts no views.',
    ])
      expect(made.text[0]?.replaceAll(/\s+/g, ' ')).toContain(said)
  })

  it('names what no font can show on each page, also where only a chart has it', async () => {
    const made = await printed([blockOf('c', [chartPart(['Old \u{12000}', 'Views'])]), blockOf('t', [postTable(60)])])
    expect(made.missing).toEqual(['U+12000'])
    for (const page of made.text)
      expect(page).toContain('Some characters appear as boxes, because no font here has them: U+12000.')
  })

  it("shows Japanese, Chinese and Korean in the machine's fonts, or names them", async () => {
    const scripts = [
      ['コーヒー', 'Japanese kana'],
      ['咖啡', 'Chinese characters'],
      ['커피', 'Korean'],
    ] as const
    for (const [written, script] of scripts) {
      const made = await printed([text(written), blockOf('c', [chartPart([written, 'Views'])])])
      expect(made.pages).toBe(1)
      if (made.missing.length > 0) expect(made.missing).toEqual([script])
      else expect(made.text[0]).toContain(written)
    }
  })

  it('is the same bytes for the same report', async () => {
    const report = reportOf([blockOf('c', [chartPart(['Views'])]), text('Hello')])
    expect((await pdfOf(report, 'org')).pdf.equals((await pdfOf(report, 'org')).pdf)).toBe(true)
  })
})

describe('whatever a report contains, its PDF', () => {
  const HOSTILE = [
    '#panic("x") *not bold* _x_ $x^2$ @nobody <label> // gone /* gone */ \\ `raw` = heading - list + enum',
    '#import "/etc/passwd"',
    '<script>alert(1)</script> &amp; "quoted" \'single\'',
    '=HYPERLINK("https://evil.example")',
  ]

  it.for(HOSTILE)('shows %s as it was written', async (written) => {
    const posts = [postOf({ channel: written, excerpt: written })]
    const made = await printed(
      [
        cover(written),
        text(written),
        blockOf('f', [{ kind: 'figures', figures: [figureOf(written, valueOf(1), { note: written })] }]),
        blockOf('t', [
          { kind: 'table', columns: [{ title: written, align: 'start', unit: null }], rows: [[{ text: written }]] },
        ]),
        blockOf('p', [{ kind: 'posts', posts }], { heading: written, about: written, notes: [written] }),
        blockOf('c', [chartPart([written])]),
      ],
      {
        title: written,
        organization: written,
        project: written,
        days: written,
        filtered: written,
        notFinal: [written],
      },
    )
    const whole = made.text.join(' ').replaceAll(/\s+/g, '')
    // title page; footer three times; line of what it covers twice; blocks
    expect(whole.split(written.replaceAll(/\s+/g, '')).length).toBeGreaterThan(12)
  })

  it('leads only to web pages', async () => {
    const links = [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:text/html,x',
      'https://fine.example/p',
      'https://a" b',
    ]
    const made = await printed([
      blockOf('p', [{ kind: 'posts', posts: links.map((link) => postOf({ link })) }]),
      blockOf('t', [
        {
          kind: 'table',
          columns: [{ title: 'Post', align: 'start', unit: null }],
          rows: links.map((link) => [{ text: 'A post', link }]),
        },
      ]),
    ])
    const pages = Array.from({ length: made.pages }, (_, i) => made.proxy.getPage(i + 1))
    const all = (await Promise.all(pages.map(async (page) => (await page).getAnnotations()))).flat()
    const urls = all.map((one: { url?: string; unsafeUrl?: string }) => one.url ?? one.unsafeUrl)
    expect(new Set(urls)).toEqual(new Set(['https://fine.example/p']))
  })

  it.for([
    ['no blocks', []],
    ['only a title page', [cover('Alone')]],
    ['only page breaks', ['a', 'b'].map((id) => blockOf(id, [], { kind: 'pageBreak', heading: null }))],
    ['blocks without parts', blockKinds.map((kind) => blockOf(kind.toLowerCase(), [], { kind }))],
    [
      'empty lists',
      [
        blockOf('e', [
          { kind: 'figures', figures: [] },
          { kind: 'posts', posts: [] },
          { kind: 'table', columns: [], rows: [] },
          { kind: 'table', columns: [{ title: 'Empty', align: 'end', unit: 'count' }], rows: [] },
          { kind: 'text', paragraphs: [{ text: '' }, { list: [] }, { list: [''] }] },
          { kind: 'cover', title: '', subtitle: '', lines: [], logo: true },
        ]),
      ],
    ],
    ['a chart without values', [blockOf('c', [chartPart([])])]],
    ['a long text', [text('Lorem ipsum dolor sit amet. '.repeat(179)), text('x'.repeat(REPORTS.text))]],
    [
      'a long text in a narrow block',
      [
        { ...text('x'.repeat(REPORTS.text)), width: 2 as const },
        { ...text('y '.repeat(2_000)), width: 2 as const },
      ],
    ],
    [
      'every width',
      blockWidths.flatMap((width) => blockWidths.map((other) => ({ ...text(`${width} ${other}`), width }))),
    ],
    [
      'as many blocks as there may be',
      Array.from({ length: REPORTS.blocks }, (_, i) =>
        blockOf(`b${i}`, [chartPart(['Views'])], { width: blockWidths[i % 4] ?? 6 }),
      ),
    ],
  ] as const)('is made: %s', async ([, blocks]) => {
    const made = await printed(blocks as readonly DocumentBlock[])
    expect(made.raw).toContain('pdfuaid')
    expect(made.text.join('')).toMatch(/November for\s+Northlight|Alone/)
  })

  it('breaks words that are wider than their column', async () => {
    const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(6)
    const made = await printed([
      { ...text(word), width: 2 },
      blockOf(
        't',
        [
          {
            kind: 'table',
            columns: [
              { title: word, align: 'start', unit: null },
              { title: 'Views', align: 'end', unit: 'count' },
            ],
            rows: [[{ text: word }, { text: '1' }]],
          },
        ],
        { heading: word },
      ),
    ])
    const items = (await (await made.proxy.getPage(1)).getTextContent()).items
    const right = Math.max(...items.flatMap((item) => ('transform' in item ? [item.transform[4] + item.width] : [])))
    expect(right).toBeLessThanOrEqual(595 - 50)
    expect(made.text.join('').replaceAll(/\s+/g, '').split(word)).toHaveLength(5)
  })

  it('leaves out what is not a picture', async () => {
    const pictures = new Map<string, Uint8Array>([
      ['a', Buffer.from('<svg/>')],
      ['logo', Buffer.from('GIF89a')],
    ])
    const made = await printed([cover('Fine'), blockOf('p', [{ kind: 'posts', posts: [postOf({ picture: 'a' })] }])], {
      pictures,
    })
    expect(made.pages).toBe(2)
  })
})
