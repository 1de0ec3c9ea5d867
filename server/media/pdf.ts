import { open, type FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { MediaProblem } from '#contract/mediaProblems.ts'
import {
  dictOf,
  listOf,
  nameOf,
  numberOf,
  PdfBroken,
  PdfText,
  refOf,
  type PdfDict,
  type PdfValue,
} from './pdfSyntax.ts'

export type InspectedDocument = { kind: 'document'; pages: number } | { kind: 'refused'; problem: MediaProblem }

const DAMAGED = { code: 'damaged', kind: 'document' } as const

/**
 * Counts a PDF's pages in place, by its own cross-reference table; if that is damaged, by counting the pages
 * themselves.
 */
export async function inspectPdf(path: string): Promise<InspectedDocument> {
  const file = await open(path)
  try {
    const pages = await pagesByTable(file).catch(async (error: unknown) => {
      if (error instanceof PdfBroken) return await pagesByLooking(file)
      throw error
    })
    if (pages === 'locked') return { kind: 'refused', problem: { code: 'password-protected' } }
    return pages > 0 ? { kind: 'document', pages } : { kind: 'refused', problem: DAMAGED }
  } finally {
    await file.close()
  }
}

type Entry = { at: number } | { within: number }
type Table = { entries: Map<number, Entry>; root: number; locked: boolean }

async function pagesByTable(file: FileHandle): Promise<number | 'locked'> {
  const table = await readTable(file)
  if (table.locked) return 'locked'
  const root = dictOf(await objectOf(file, table, table.root))
  const pages = refOf(root?.get('Pages'))
  const count = pages === undefined ? undefined : dictOf(await objectOf(file, table, pages))?.get('Count')
  const number = typeof count === 'object' ? await objectOf(file, table, refOf(count) ?? -1) : count
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 1) throw new PdfBroken('no count of pages')
  return number
}

const TAIL = 2048
const MOST_SECTIONS = 1000
const MOST_OBJECTS = 1_000_000

/** Each object's position: from the newest section back to the oldest (7.5.4, 7.5.8); the first entry counts. */
async function readTable(file: FileHandle): Promise<Table> {
  const { size } = await file.stat()
  const tail = await textAt(file, Math.max(0, size - TAIL), TAIL)
  const begin = new PdfText(tail, tail.lastIndexOf('startxref'))
  if (!begin.takes('startxref')) throw new PdfBroken('no table')
  const table: { entries: Map<number, Entry>; root?: number; locked: boolean } = { entries: new Map(), locked: false }
  const waiting = [begin.integer()]
  for (const seen = new Set<number>(); waiting.length > 0;) {
    const at = waiting.shift() ?? 0
    if (seen.has(at)) continue
    if (seen.add(at).size > MOST_SECTIONS) throw new PdfBroken('too many sections')
    const trailer = await readSection(file, at, table.entries)
    table.root ??= refOf(trailer.get('Root'))
    table.locked ||= trailer.has('Encrypt')
    for (const name of ['XRefStm', 'Prev']) {
      const next = numberOf(trailer.get(name))
      if (next !== undefined) waiting.push(next)
    }
  }
  if (table.root === undefined) throw new PdfBroken('no root')
  return { ...table, root: table.root }
}

async function readSection(file: FileHandle, at: number, entries: Map<number, Entry>): Promise<PdfDict> {
  return await growing(file, at, async (text) => {
    if (!text.takes('xref')) return await readTableStream(file, at, entries)
    const found: [number, Entry][] = []
    while (!text.takes('trailer')) {
      const [first, count] = [text.integer(), text.integer()]
      if (count > MOST_OBJECTS) throw new PdfBroken('too many objects')
      for (let i = 0; i < count; i += 1) {
        const offset = text.integer()
        text.integer()
        if (text.word() === 'n') found.push([first + i, { at: offset }])
      }
    }
    const trailer = dictOf(text.value())
    if (!trailer) throw new PdfBroken('no trailer')
    for (const [number, entry] of found) if (!entries.has(number)) entries.set(number, entry)
    return trailer
  })
}

/** A cross-reference stream (7.5.8): rows of up to three numbers, with their widths in `W`. */
async function readTableStream(file: FileHandle, at: number, entries: Map<number, Entry>): Promise<PdfDict> {
  const { dict, bytes } = await streamAt(file, at)
  const widths = listOf(dict.get('W'))?.map((one) => numberOf(one) ?? 0) ?? []
  const [kindWidth = 0, secondWidth = 0, thirdWidth = 0] = widths
  const row = kindWidth + secondWidth + thirdWidth
  if (row < 1 || row > 24) throw new PdfBroken('no rows')
  const index = listOf(dict.get('Index'))?.map((one) => numberOf(one) ?? 0) ?? [0, numberOf(dict.get('Size')) ?? 0]
  const number = (from: number, width: number) =>
    bytes.subarray(from, from + width).reduce((sum, byte) => sum * 256 + byte, 0)
  let offset = 0
  for (let i = 0; i + 1 < index.length; i += 2) {
    for (
      let n = index[i] ?? 0, left = index[i + 1] ?? 0;
      left > 0 && offset + row <= bytes.length;
      n += 1, left -= 1, offset += row
    ) {
      const kind = kindWidth === 0 ? 1 : number(offset, kindWidth)
      const second = number(offset + kindWidth, secondWidth)
      if (entries.size > MOST_OBJECTS) throw new PdfBroken('too many objects')
      if ((kind === 1 || kind === 2) && !entries.has(n))
        entries.set(n, kind === 1 ? { at: second } : { within: second })
    }
  }
  return dict
}

async function objectOf(file: FileHandle, table: Table, number: number): Promise<PdfValue> {
  const entry = table.entries.get(number)
  if (!entry) throw new PdfBroken(`no object ${number}`)
  if ('at' in entry) return await growing(file, entry.at, async (text) => opened(text).value())
  const holder = table.entries.get(entry.within)
  if (!holder || !('at' in holder)) throw new PdfBroken('no stream of objects')
  // several objects in one stream (7.5.7): first their numbers and positions, then the objects
  const { dict, bytes } = await streamAt(file, holder.at)
  const text = new PdfText(bytes.toString('latin1'))
  const first = numberOf(dict.get('First')) ?? 0
  for (let left = numberOf(dict.get('N')) ?? 0; left > 0; left -= 1) {
    const [found, offset] = [text.integer(), text.integer()]
    if (found === number) return new PdfText(text.text, first + offset).value()
  }
  throw new PdfBroken(`no object ${number}`)
}

function opened(text: PdfText): PdfText {
  text.integer()
  text.integer()
  if (!text.takes('obj')) throw new PdfBroken('no object here')
  return text
}

const MOST_UNPACKED = 64_000_000
const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)

async function streamAt(file: FileHandle, at: number): Promise<{ dict: PdfDict; bytes: Buffer }> {
  const { dict, from } = await growing(file, at, async (text) => {
    const head = dictOf(opened(text).value())
    if (!head || !text.takes('stream')) throw new PdfBroken('no stream here')
    if (text.text.charAt(text.at) === '\r') text.at += 1
    return { dict: head, from: at + text.at + 1 }
  })
  const length = numberOf(dict.get('Length'))
  if (length === undefined || length > MOST_UNPACKED) throw new PdfBroken('no length')
  const packed = Buffer.from(await textAt(file, from, length), 'latin1')
  const filter = nameOf(dict.get('Filter')) ?? nameOf(listOf(dict.get('Filter'))?.[0])
  if (filter === undefined) return { dict, bytes: packed }
  if (filter !== 'FlateDecode') throw new PdfBroken(`${filter} is not read here`)
  const bytes = await unpack(packed, { maxOutputLength: MOST_UNPACKED }).catch(() => {
    throw new PdfBroken('a stream cannot be unpacked')
  })
  return { dict, bytes: unpredicted(bytes, dictOf(dict.get('DecodeParms'))) }
}

/** Undoes PNG predictors (7.4.4.4) at one byte per pixel, as tables use them. */
function unpredicted(bytes: Buffer, parms: PdfDict | undefined): Buffer {
  if ((numberOf(parms?.get('Predictor')) ?? 1) < 10) return bytes
  const columns = numberOf(parms?.get('Columns')) ?? 1
  const rows = Math.floor(bytes.length / (columns + 1))
  const out = Buffer.alloc(rows * columns)
  for (let row = 0; row < rows; row += 1) {
    const kind = bytes[row * (columns + 1)] ?? 0
    for (let i = 0; i < columns; i += 1) {
      const here = row * columns + i
      const left = i > 0 ? (out[here - 1] ?? 0) : 0
      const up = row > 0 ? (out[here - columns] ?? 0) : 0
      const corner = i > 0 && row > 0 ? (out[here - columns - 1] ?? 0) : 0
      const guess = [0, left, up, Math.floor((left + up) / 2), paeth(left, up, corner)][kind] ?? 0
      out[here] = ((bytes[row * (columns + 1) + 1 + i] ?? 0) + guess) & 0xff
    }
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

const FIRST_LOOK = 16 * 1024
const LONGEST_LOOK = 64_000_000

/** Reads the value at `at`, with more of the file as long as it's broken because it was cut off. */
async function growing<T>(file: FileHandle, at: number, read: (text: PdfText) => Promise<T>): Promise<T> {
  const { size } = await file.stat()
  for (let length = FIRST_LOOK; ; length *= 8) {
    try {
      return await read(new PdfText(await textAt(file, at, length)))
    } catch (error) {
      if (!(error instanceof PdfBroken) || at + length >= size || length >= LONGEST_LOOK) throw error
    }
  }
}

async function textAt(file: FileHandle, at: number, length: number): Promise<string> {
  const { size } = await file.stat()
  const wanted = Math.max(0, Math.min(length, size - at))
  const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, at)
  return buffer.toString('latin1', 0, bytesRead)
}

const CHUNK = 1_000_000
const OVERLAP = 64

/** How many pages are in the file in plain text. */
async function pagesByLooking(file: FileHandle): Promise<number | 'locked'> {
  const { size } = await file.stat()
  let pages = 0
  for (let at = 0; at < size; at += CHUNK) {
    const text = await textAt(file, at, CHUNK + OVERLAP)
    if (/\/Encrypt\s+\d/.test(text)) return 'locked'
    for (const match of text.matchAll(/\/Type\s*\/Page(?![A-Za-z])/g)) if (match.index < CHUNK) pages += 1
  }
  return pages
}
