import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterEach, expect, inject, it, vi } from 'vitest'
import { makeDocument, makeFilm } from '../testing/film.ts'
import { avcConfig, box, makeMovie } from '../testing/movie.ts'
import { inspectInWorker } from './inWorker.ts'
import { cleanFile, inspectFile } from './inspect.ts'
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

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const PLACE = 'at +47.3769+8.5417, home'
/** A film with these tables of samples in a track each, and telemetry in one chunk for each of its samples. */
function filmWith(tables: readonly Buffer[], chunks: number, sample = PLACE): Buffer {
  const telemetry = Buffer.from(sample.repeat(chunks))
  const film = makeMovie([
    { handler: 'vide', entry: 'avc1', config: avcConfig(), samples: [Buffer.from('a picture')], each: 1 },
    { handler: 'meta', entry: 'gpmd', samples: [telemetry], each: 1 },
  ])
  const at = film.indexOf(telemetry)
  const track = (...table: Buffer[]) =>
    box(
      'trak',
      box(
        'mdia',
        box('hdlr', Buffer.alloc(8), Buffer.from('meta'), Buffer.alloc(13)),
        box('minf', box('stbl', ...table)),
      ),
    )
  const starts = Array.from({ length: chunks }, (_, i) => number(at + i * sample.length))
  const places = box('stco', Buffer.alloc(4), number(chunks), Buffer.concat(starts))
  const more = [
    track(sizes(sample.length, chunks), map(1), places),
    ...tables.map((table) => track(table, map(0xffffffff), box('stco', Buffer.alloc(4), number(1), number(0)))),
  ]
  const moov = film.indexOf('moov') - 4
  return Buffer.concat([film.subarray(0, moov), box('moov', film.subarray(moov + 8), ...more)])
}
/** All samples of one size. */
const sizes = (each: number, count: number) => box('stsz', Buffer.alloc(4), number(each), number(count))
const map = (inChunk: number) => box('stsc', Buffer.alloc(4), number(1), number(1), number(inChunk), number(1))
/** A size for each sample, in half a byte. */
const ownSizes = (count: number) =>
  box('stz2', Buffer.alloc(4), number(4), number(count), Buffer.alloc(Math.ceil(count / 2), 0x11))

async function cleaned(name: string, bytes: Buffer) {
  const path = fileOf(name, bytes)
  const inspected = await inspectFile(path, 'video/mp4', 'someone')
  if (inspected.kind === 'refused') return inspected
  const { found, turns } = await beside(
    cleanFile(path, { facts: inspected.facts, bytes: bytes.length }, 'someone').catch((error: unknown) => error),
  )
  return { found, turns, bytes: readFileSync(path) }
}

it('empties tracks that announce four thousand million samples each, and leaves others their turn', async () => {
  const film = filmWith(
    Array.from({ length: 2000 }, () => sizes(1, 0xffffffff)),
    3,
  )
  expect(film.length).toBeLessThan(500_000)
  const { bytes } = (await cleaned('announced.mp4', film)) as { bytes: Buffer }
  expect(bytes).toHaveLength(film.length)
  expect(bytes.includes(PLACE)).toBe(false)
})

it('empties telemetry with a chunk for each of its samples, half a million of them', async () => {
  const film = filmWith([], 450_000, 'home')
  const { found, bytes } = (await cleaned('chunks.mp4', film)) as { found: unknown; bytes: Buffer }
  expect(found).toMatchObject({ facts: { bytes: film.length } })
  expect(bytes.includes('homehome')).toBe(false)
})

it('refuses a film with tables longer than days of telemetry, all its tracks together, without delaying others', async () => {
  const film = filmWith(
    Array.from({ length: 30 }, () => ownSizes(200_000)),
    1,
  )
  const { found, turns } = (await cleaned('tables.mp4', film)) as { found: unknown; turns: number }
  expect(found).toMatchObject({
    code: 'MEDIA_REFUSED',
    facts: { meta: { problem: { code: 'damaged', kind: 'video' } } },
  })
  expect(turns).toBeGreaterThan(5)
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
