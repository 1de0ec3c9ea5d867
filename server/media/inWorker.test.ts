import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterEach, expect, inject, it, vi } from 'vitest'
import { makeDocument, makeFilm } from '../testing/film.ts'
import { inspectInWorker } from './inWorker.ts'
import { inspectFile } from './inspect.ts'
import { blankDescriptions } from './blankVideo.ts'

/* Files crafted to keep their reader busy, or to fill the memory. */

const folder = mkdtempSync(join(inject('cluster').folder, 'inWorker-'))
function fileOf(name: string, bytes: Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

/** A PDF of tables that decompress to `size` bytes each, one after the other. */
function documentOfTables(tables: number, size: number, more: string): Buffer {
  const packed = deflateSync(Buffer.alloc(size, 1), { level: 9 })
  const parts = [Buffer.from('%PDF-1.5\n')]
  let at = 9
  let before: number | undefined
  for (let n = 1; n <= tables; n++) {
    const table = Buffer.concat([
      Buffer.from(
        `${n} 0 obj <</Type/XRef/Root 9 0 R/W[1 0 0]/Size ${size}${more}${before === undefined ? '' : `/Prev ${before}`}/Filter/FlateDecode/Length ${packed.length}>> stream\n`,
      ),
      packed,
      Buffer.from('\nendstream endobj\n'),
    ])
    before = at
    at += table.length
    parts.push(table)
  }
  return Buffer.concat([...parts, Buffer.from(`startxref\n${before}\n%%EOF`)])
}

/** The result of the work, and how often other work ran in the meantime. */
async function beside<T>(work: Promise<T>): Promise<{ found: T; turns: number }> {
  let turns = 0
  const others = setInterval(() => (turns += 1), 5)
  try {
    const found = await work
    return { found, turns }
  } finally {
    clearInterval(others)
  }
}

it('refuses a document of sixty kilobytes that announces sixty million objects, without delaying others', async () => {
  const path = fileOf('many.pdf', documentOfTables(1, 63_000_000, ''))
  const { found, turns } = await beside(inspectFile(path, 'application/pdf', 'someone'))
  expect(found).toEqual({ kind: 'refused', problem: { code: 'damaged', kind: 'document' } })
  expect(turns).toBeGreaterThan(20)
})

it('gives up on a document that would take hours to read, without delaying others', async () => {
  const path = fileOf(
    'slow.pdf',
    documentOfTables(40, 63_000_000, '/Index[0 0]/DecodeParms<</Predictor 12/Columns 3>>'),
  )
  const { found, turns } = await beside(inspectInWorker({ path, type: 'application/pdf' }, 'someone', 1500))
  expect(found).toBeUndefined()
  expect(turns).toBeGreaterThan(20)
})

it('reads a video with endlessly nested boxes only as deep as videos go', async () => {
  const deep = 20_000
  const nested = Buffer.alloc(deep * 8)
  for (let i = 0; i < deep; i++) {
    nested.writeUInt32BE((deep - i) * 8, i * 8)
    nested.write('trak', i * 8 + 4, 'latin1')
  }
  const moov = Buffer.alloc(8)
  moov.writeUInt32BE(8 + nested.length)
  moov.write('moov', 4, 'latin1')
  // a track without media isn't seen or heard
  expect(await blankDescriptions(fileOf('deep.mp4', Buffer.concat([moov, nested])))).toBe(true)
})

it('reads what can be read, one at a time', async () => {
  const [document, film] = [fileOf('plan.pdf', await makeDocument(3)), fileOf('film.mp4', await makeFilm())]
  const found = await Promise.all([document, film, document].map((path) => inspectFile(path, '', 'someone')))
  expect(found).toMatchObject([
    { facts: { pages: 3 } },
    { facts: { contentType: 'video/mp4', width: 640 } },
    { facts: { pages: 3 } },
  ])
})

afterEach(() => vi.unstubAllEnvs())

it('reads documents and videos under `node --watch`, where the thread first reports what it imports', async () => {
  vi.stubEnv('WATCH_REPORT_DEPENDENCIES', '1')
  const [document, film] = [fileOf('watched.pdf', await makeDocument(2)), fileOf('watched.mp4', await makeFilm())]
  expect(await inspectInWorker({ path: document, type: 'application/pdf' })).toMatchObject({ pages: 2 })
  expect(await inspectInWorker({ path: film, type: 'video/mp4' })).toMatchObject({ facts: { width: 640 } })
})
