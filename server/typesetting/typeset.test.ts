import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { typeset, type Bounds } from './typeset.ts'

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

  it('shows Latin, Greek, Cyrillic, Arabic, Hebrew and emoji with its own fonts', async () => {
    const text = 'Żółw Ελλάδα Громадянська مرحبا שלום 🎉'
    const { pdf, missing } = await set('#data.text', { text })
    expect(missing).toEqual([])
    const shown = new Set((await textOf(pdf)).normalize('NFKC'))
    expect([...new Set(text)].filter((letter) => !shown.has(letter))).toEqual([])
  })

  it('names what no font can show, and is made all the same', async () => {
    const { pdf, missing } = await set('#data.text', { text: 'Old: \u{12000}' })
    expect(missing).toEqual(['U+12000'])
    expect(await textOf(pdf)).toContain('U+12000')
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
