import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { typeset, typesetPages, type Bounds } from './typeset.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'typeset-'))
})
afterAll(() => rm(folder, { recursive: true }))

const HEAD = `
#let data = json(bytes(sys.inputs.data))
#set document(title: "A document", date: auto)
#set page(footer: data.missing.join(", "))
#set text(font: ("Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Emoji"), lang: "en")
`
/** A template that starts like the product's own. */
async function template(name: string, body: string): Promise<URL> {
  const file = path.join(folder, `${name}.typ`)
  await writeFile(file, `${HEAD}${body}`)
  return pathToFileURL(file)
}
const made = (file: URL, data: Record<string, unknown> = {}, bounds?: Bounds) =>
  typeset(file, { data, createdAt: new Date('2026-11-21T12:00:00Z') }, 'org', bounds)
const set = async (body: string, data?: Record<string, unknown>, bounds?: Bounds) =>
  await made(await template('template', body), data, bounds)
async function textOf(pdf: Buffer): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
  return text
}

describe('a document', () => {
  it('is a tagged PDF that conforms to PDF/UA-1, and the same bytes for the same order', async () => {
    const { pdf, missing } = await set('= Figures\nA paragraph.')
    expect(missing).toEqual([])
    const raw = pdf.toString('latin1')
    expect(raw).toContain('/StructTreeRoot')
    expect(raw).toContain('pdfuaid')
    expect(await textOf(pdf)).toMatch(/Figures\s+A paragraph\./)
    expect((await set('= Figures\nA paragraph.')).pdf.equals(pdf)).toBe(true)
  })

  it('shows what people wrote as text, never as source', async () => {
    const written = '#panic("x") *not bold* $x$ @nobody <label> #import "/etc/passwd"'
    expect(await textOf((await set('#data.text', { text: written })).pdf)).toContain(written)
  })

  it.each(['\uFEFF', '\uFFFE', '\uFFFF', '\uD800', '\uDC00', '\uFDD0', '\u{1FFFE}', '\u0000', '\u0007', '\u009F'])(
    'shows what stands around %j, which is no character',
    async (sign) => {
      expect(await textOf((await set('#data.text', { text: `before ${sign}after` })).pdf)).toMatch(/before .?after/)
    },
  )

  it('shows Latin, Greek, Cyrillic, Arabic, Hebrew and emoji with its own fonts', async () => {
    const text = 'Żółw Ελλάδα Громадянська مرحبا שלום 🎉'
    const { pdf, missing } = await set('#data.text', { text })
    expect(missing).toEqual([])
    const shown = new Set((await textOf(pdf)).normalize('NFKC'))
    expect([...new Set(text)].filter((letter) => !shown.has(letter))).toEqual([])
  })

  it("is too large when it fills its process's own memory", async () => {
    const numbers = Array.from({ length: 2_000_000 }, (_, i) => ({ i }))
    await expect(set('Hello', { numbers }, { patience: 60_000, memory: 8_000_000_000 })).rejects.toMatchObject({
      name: 'OutOfBounds',
      bound: 'size',
    })
  })

  it('names what no font can show, and is made all the same', async () => {
    const { pdf, missing } = await set('#data.text', { text: 'Old: \u{12000}' })
    expect(missing).toEqual(['U+12000'])
    expect(await textOf(pdf)).toContain('U+12000')
  })
})

describe('the pages of a document', () => {
  const pagesOf = async (body: string, most = 10) =>
    await typesetPages(await template('pages', body), { data: {}, most }, 'org')
  const idsIn = (svg: string) => [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)

  it('are pictures of their own size, with shapes that no other page has', async () => {
    const { pages, count } = await pagesOf(
      '= First\n#box(clip: true, height: 5pt)[Cut]\n#link("https://a.example")[A link]\n#page(flipped: true)[Second]\n#lorem(2000)',
    )
    expect(count).toBeGreaterThan(3)
    expect(pages).toHaveLength(count)
    expect(pages.map((page) => /viewBox="([^"]+)"/.exec(page)?.[1]).slice(0, 3)).toEqual([
      '0 0 595.28 841.89',
      '0 0 841.89 595.28',
      '0 0 595.28 841.89',
    ])
    const ids = pages.flatMap(idsIn)
    expect(ids.length).toBeGreaterThan(30)
    expect(new Set(ids).size).toBe(ids.length)
    for (const page of pages) {
      const used = [...page.matchAll(/ href="#([^"]+)"|url\(#([^)]+)\)/g)].map(([, letter, clip]) => letter ?? clip)
      expect(new Set(used)).toEqual(new Set(idsIn(page)))
      expect(page).not.toMatch(/<(?:script|style|foreignObject|a)\b|<text/)
    }
  })

  it('are as many as asked for, with what the template marks', async () => {
    const mark = '#context [#metadata((page: here().page())) <mark>]'
    const { pages, count, marks, missing } = await pagesOf(
      `${mark} One \u{12000}#pagebreak() Two #pagebreak() ${mark}`,
      2,
    )
    expect([pages.length, count]).toEqual([2, 3])
    expect(marks).toEqual([{ page: 1 }, { page: 3 }])
    expect(missing).toEqual(['U+12000'])
  })
})

describe('the compiler', () => {
  const generous: Bounds = { patience: 20_000, memory: 2 ** 40 }

  it.for<[string, Partial<Bounds>]>([
    ['too long', { patience: 1 }],
    ['too much memory', { memory: 1 }],
  ])('is stopped when it takes %s, and the next document is set', async ([, bound]) => {
    // many pages, so that the limit of memory is reached in time
    const long = '#for i in range(3000) [= Heading #i\n#lorem(200)]'
    await expect(set(long, {}, { ...generous, ...bound })).rejects.toThrow("The document couldn't be set: it")
    expect(await textOf((await set('After it.')).pdf)).toContain('After it.')
  })

  it('says what is wrong with a template', async () => {
    await expect(set('#unknown-name')).rejects.toThrow('unknown variable')
  })

  it("can't read the machine's files", async () => {
    await expect(set('#read("/etc/hostname")')).rejects.toThrow("The document couldn't be set")
    await expect(set('#read("../../../../../../etc/hostname")')).rejects.toThrow("The document couldn't be set")
    for (const own of ['/package.json', 'package.json', '/server/main.ts', 'compiler.ts'])
      await expect(set(`#read("${own}")`)).rejects.toThrow('failed to load file')
  })

  it('loads nothing from the network', async () => {
    await expect(set('#import "@preview/cetz:0.3.0"')).rejects.toThrow('failed to download package')
  })

  it('shows the files of an order, and no other document finds them', async () => {
    const file = await template('pictured', '#read("/notes/1.txt")')
    const withFiles = (files: Record<string, Uint8Array>) =>
      typeset(file, { data: {}, createdAt: new Date('2026-11-21T12:00:00Z'), files }, 'org')
    expect(await textOf((await withFiles({ '/notes/1.txt': Buffer.from('First.') })).pdf)).toContain('First.')
    expect(await textOf((await withFiles({ '/notes/1.txt': Buffer.from('Second.') })).pdf)).toContain('Second.')
    await expect(withFiles({})).rejects.toThrow('failed to load file')
    for (const name of [
      '/../1.txt',
      'notes/1.txt',
      '/notes/../1.txt',
      '/notes\\1.txt',
      '/notes//1.txt',
      '/@preview/1.txt',
    ])
      await expect(withFiles({ [name]: Buffer.from('x') })).rejects.toThrow("not the name of a document's file")
    const large = { '/a.txt': Buffer.alloc(20_000_000), '/b.txt': Buffer.alloc(20_000_000) }
    await expect(withFiles(large)).rejects.toThrow('its files have 40000000 bytes')
  })

  it('refuses a 21st document of one organization while 20 wait', async () => {
    const long = await template('long', '#for i in range(400) [= Heading #i\n#lorem(200)]')
    const short = await template('short', 'Short.')
    const first = made(long)
    // its template was read before the others are asked for
    await readFile(long)
    const asked = await Promise.allSettled([first, ...Array.from({ length: 24 }, () => made(short))])
    const refused = asked.filter(({ status }) => status === 'rejected')
    // one is being set, twenty wait
    expect(refused).toHaveLength(4)
    const why = refused.map((one) => one.status === 'rejected' && String(one.reason.message))
    expect(new Set(why)).toEqual(new Set(['20 documents are already waiting to be made. Wait until some are done.']))
  })
})
