import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawPicture } from '../testing/content.ts'
import { keptParts, PIECE, withoutMetadata, type Source } from './metadata.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'metadata-'))
})
afterAll(() => rm(folder, { recursive: true }))

const segment = (marker: number, body: Buffer) => Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]), body])
const exif = segment(0xe1, Buffer.from('Exif\0\0 where they live'))
const table = segment(0xdb, Buffer.alloc(65, 1))
const scan = segment(0xda, Buffer.alloc(10, 2))
const [begin, end] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])]

/** A file that is nowhere whole: its parts, one of them repeated until it is large. Notes the most that was asked for at once. */
function counted(parts: readonly (Buffer | { of: number; bytes: number })[]): Source & { most: () => number } {
  let most = 0
  const sizes = parts.map((part) => (Buffer.isBuffer(part) ? part.length : part.bytes))
  const size = sizes.reduce((sum, each) => sum + each, 0)
  return {
    size,
    most: () => most,
    async read(at, length) {
      most = Math.max(most, length)
      const answer = Buffer.alloc(Math.max(0, Math.min(length, size - at)))
      let start = 0
      for (const [i, part] of parts.entries()) {
        const [from, to] = [Math.max(at, start), Math.min(at + answer.length, start + (sizes[i] ?? 0))]
        if (from < to) {
          if (Buffer.isBuffer(part)) part.copy(answer, from - at, from - start, to - start)
          else answer.fill(part.of, from - at, to - at)
        }
        start += sizes[i] ?? 0
      }
      return answer
    },
  }
}

async function kept(source: Source, type: 'image/jpeg' | 'image/png' = 'image/jpeg'): Promise<{ isWhole: boolean; parts: [number, number][] }> {
  const parts: [number, number][] = []
  const isWhole = await keptParts(source, type, (from, to) => void parts.push([from, to]))
  return { isWhole, parts }
}

describe('a picture of 50 MB', () => {
  const BIG = 50_000_000

  it('is never in memory as a whole', async () => {
    const source = counted([begin, exif, table, scan, { of: 0x55, bytes: BIG }, end, Buffer.from('and a secret film behind its end')])
    const from = begin.length + exif.length
    expect(await kept(source)).toEqual({ isWhole: true, parts: [[0, 2], [from, from + table.length + scan.length + BIG + 2]] })
    expect(source.most()).toBeLessThanOrEqual(PIECE)
  })

  it('as a PNG neither', async () => {
    const chunk = (kind: string, bytes: number) => [Buffer.from([bytes >>> 24, (bytes >>> 16) & 255, (bytes >>> 8) & 255, bytes & 255]), Buffer.from(kind)] as const
    const source = counted([Buffer.alloc(8, 1), ...chunk('IDAT', BIG), { of: 7, bytes: BIG + 4 }, ...chunk('tEXt', 100), { of: 8, bytes: 104 }, ...chunk('IEND', 0), Buffer.alloc(4)])
    expect(await kept(source, 'image/png')).toEqual({ isWhole: true, parts: [[0, 8 + BIG + 12], [8 + BIG + 12 + 112, 8 + BIG + 12 + 112 + 12]] })
    expect(source.most()).toBeLessThanOrEqual(PIECE)
  })
})

it('finds the end of a scan wherever the pieces are cut, past escaped bytes and restarts', async () => {
  const head = Buffer.concat([begin, table, scan])
  const at = head.length
  for (const shift of [-3, -2, -1, 0, 1]) {
    const filling = PIECE + shift
    const parts = [head, { of: 0x11, bytes: filling - 4 }, Buffer.from([0xff, 0x00, 0xff, 0xd3]), end]
    expect(await kept(counted(parts))).toEqual({ isWhole: true, parts: [[0, at + filling + 2]] })
  }
})

it('takes a description off that hides behind filling bytes, and a second scan along', async () => {
  const source = counted([begin, Buffer.from([0xff, 0xff]), exif, table, scan, Buffer.from([1, 2]), segment(0xfe, Buffer.from('a comment between')), scan, Buffer.from([3]), end])
  const { isWhole, parts } = await kept(source)
  expect(isWhole).toBe(true)
  const bytes = Buffer.concat(await Promise.all(parts.map(async ([from, to]) => source.read(from, to - from))))
  expect(bytes).toEqual(Buffer.concat([begin, table, scan, Buffer.from([1, 2]), scan, Buffer.from([3]), end]))
})

it.each([
  ['no end', [begin, exif, table, scan, Buffer.from([1, 2])]],
  ['a segment longer than the file', [begin, Buffer.from([0xff, 0xe1, 0xff, 0xff]), exif]],
  ['a segment shorter than its length', [begin, Buffer.from([0xff, 0xe1, 0, 0]), end]],
  ['something between segments', [begin, exif, Buffer.from('what'), table, scan, end]],
])('is not taken for whole with %s', async (_, parts) => {
  expect((await kept(counted(parts))).isWhole).toBe(false)
})

it('draws anew what is built otherwise: its pixels stay, what it tells does not', async () => {
  const { default: sharp } = await import('sharp')
  const picture = await sharp(await drawPicture({ width: 30, height: 20 })).withExif({ IFD0: { Artist: 'where they live' } }).jpeg().toBuffer()
  // decoders go past what stands between segments
  const odd = Buffer.concat([picture.subarray(0, 2), Buffer.from([0, 0]), picture.subarray(2)])
  const path = join(folder, 'odd')
  await writeFile(path, odd)
  const clean = await withoutMetadata(path, 'image/jpeg')
  const bytes = await readFile(clean.path)
  expect(bytes).toHaveLength(clean.bytes)
  expect(bytes.toString('latin1')).not.toContain('where they live')
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 30, height: 20 })
})

it('leaves a file that tells nothing where it lies', async () => {
  const { default: sharp } = await import('sharp')
  const path = join(folder, 'plain')
  await writeFile(path, await sharp(await drawPicture({ width: 30, height: 20 })).jpeg().toBuffer())
  expect((await withoutMetadata(path, 'image/jpeg')).path).toBe(path)
  expect((await readdir(folder)).includes('plain.clean')).toBe(false)
})
