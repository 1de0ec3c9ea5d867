import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Exif } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawPicture } from '../testing/content.ts'
import { keptParts, PIECE, type Cleaned, type Source } from './keptParts.ts'
import { withoutMetadata } from './metadata.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'metadata-'))
})
afterAll(() => rm(folder, { recursive: true }))

const segment = (marker: number, body: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]), body])
const exif = segment(0xe1, Buffer.from('Exif\0\0 where they live'))
const table = segment(0xdb, Buffer.alloc(65, 1))
const scan = segment(0xda, Buffer.alloc(10, 2))
const [begin, end] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])]

/**
 * A file that is never in memory as a whole: its parts, one of them repeated until it's large. Records the largest
 * read.
 */
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

async function sharpOf({ alpha = false } = {}) {
  const { default: sharp } = await import('sharp')
  return sharp(await drawPicture({ width: 30, height: 20, type: 'png', noise: !alpha, alpha }))
}

/** Two frames, one after the other, three times. */
async function moving(type: 'gif' | 'webp', exif?: Exif): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const frames = [await (await sharpOf()).toBuffer(), await (await sharpOf()).toBuffer()]
  const film = sharp(frames, { join: { animated: true } })
  const told = exif ? film.withExif(exif) : film
  return await (type === 'gif' ? told.gif({ loop: 3 }) : told.webp({ loop: 3 })).toBuffer()
}

const pixelsOf = async (bytes: Buffer): Promise<Buffer> =>
  await (await import('sharp')).default(bytes, { animated: true }).raw().toBuffer()

async function cleaned(bytes: Buffer, type: Cleaned): Promise<Buffer> {
  const path = join(folder, randomUUID())
  await writeFile(path, bytes)
  const clean = await withoutMetadata(path, type)
  const answer = await readFile(clean.path)
  expect(answer).toHaveLength(clean.bytes)
  return answer
}

async function kept(
  source: Source,
  type: Cleaned = 'image/jpeg',
): Promise<{ isWhole: boolean; parts: [number, number][] }> {
  const parts: [number, number][] = []
  const isWhole = await keptParts(source, type, (from, to) => void parts.push([from, to]))
  return { isWhole, parts }
}

describe('an image of 50 MB', () => {
  const BIG = 50_000_000

  it('is never in memory as a whole', async () => {
    const source = counted([
      begin,
      exif,
      table,
      scan,
      { of: 0x55, bytes: BIG },
      end,
      Buffer.from('and a secret film behind its end'),
    ])
    const from = begin.length + exif.length
    expect(await kept(source)).toEqual({
      isWhole: true,
      parts: [
        [0, 2],
        [from, from + table.length + scan.length + BIG + 2],
      ],
    })
    expect(source.most()).toBeLessThanOrEqual(PIECE)
  })

  it("isn't as a PNG either", async () => {
    const chunk = (kind: string, bytes: number) =>
      [Buffer.from([bytes >>> 24, (bytes >>> 16) & 255, (bytes >>> 8) & 255, bytes & 255]), Buffer.from(kind)] as const
    const source = counted([
      Buffer.alloc(8, 1),
      ...chunk('IDAT', BIG),
      { of: 7, bytes: BIG + 4 },
      ...chunk('tEXt', 100),
      { of: 8, bytes: 104 },
      ...chunk('IEND', 0),
      Buffer.alloc(4),
    ])
    expect(await kept(source, 'image/png')).toEqual({
      isWhole: true,
      parts: [
        [0, 8 + BIG + 12],
        [8 + BIG + 12 + 112, 8 + BIG + 12 + 112 + 12],
      ],
    })
    expect(source.most()).toBeLessThanOrEqual(PIECE)
  })
})

it('finds the end of a scan wherever the pieces are split, past escaped bytes and restarts', async () => {
  const head = Buffer.concat([begin, table, scan])
  const at = head.length
  for (const shift of [-3, -2, -1, 0, 1]) {
    const filling = PIECE + shift
    const parts = [head, { of: 0x11, bytes: filling - 4 }, Buffer.from([0xff, 0x00, 0xff, 0xd3]), end]
    expect(await kept(counted(parts))).toEqual({ isWhole: true, parts: [[0, at + filling + 2]] })
  }
})

it('removes metadata hidden behind padding, and keeps a second scan', async () => {
  const source = counted([
    begin,
    Buffer.from([0xff, 0xff]),
    exif,
    table,
    scan,
    Buffer.from([1, 2]),
    segment(0xfe, Buffer.from('a comment between')),
    scan,
    Buffer.from([3]),
    end,
  ])
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

it("redraws an unusually structured one: its pixels stay, its metadata doesn't", async () => {
  const { default: sharp } = await import('sharp')
  const picture = await sharp(await drawPicture({ width: 30, height: 20 }))
    .withExif({ IFD0: { Artist: 'where they live' } })
    .jpeg()
    .toBuffer()
  // decoders skip what is between segments
  const odd = Buffer.concat([picture.subarray(0, 2), Buffer.from([0, 0]), picture.subarray(2)])
  const path = join(folder, 'odd')
  await writeFile(path, odd)
  const clean = await withoutMetadata(path, 'image/jpeg')
  const bytes = await readFile(clean.path)
  expect(bytes).toHaveLength(clean.bytes)
  expect(bytes.toString('latin1')).not.toContain('where they live')
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 30, height: 20 })
})

describe('a WebP', () => {
  const secret = { IFD0: { Artist: 'where they live' } }

  it.each([
    [
      'with alpha and colors',
      async () =>
        (await sharpOf({ alpha: true })).keepIccProfile().withExif(secret).webp({ lossless: true }).toBuffer(),
    ],
    [
      'of the simple kind, with something behind its end',
      async () => Buffer.concat([await (await sharpOf()).webp().toBuffer(), Buffer.from('where they live')]),
    ],
    [
      'with XMP',
      async () =>
        (await sharpOf()).withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">where they live</x:xmpmeta>').webp().toBuffer(),
    ],
    ['that moves', async () => moving('webp', secret)],
  ])('%s loses what it tells and none of its pixels', async (_, draw) => {
    const bytes = await draw()
    const clean = await cleaned(bytes, 'image/webp')
    expect(bytes.toString('latin1')).toContain('where they live')
    expect(clean.toString('latin1')).not.toContain('where they live')
    expect(clean.readUInt32LE(4)).toBe(clean.length - 8)
    expect(await pixelsOf(clean)).toEqual(await pixelsOf(bytes))
    const told = await (await import('sharp')).default(clean).metadata()
    expect([told.exif, told.xmp]).toEqual([undefined, undefined])
  })

  it('is rotated if the camera was held sideways', async () => {
    const bytes = await (await sharpOf()).withMetadata({ orientation: 6 }).webp().toBuffer()
    expect(await (await import('sharp')).default(await cleaned(bytes, 'image/webp')).metadata()).toMatchObject({
      width: 20,
      height: 30,
    })
  })

  it.each([
    ['is cut off', (bytes: Buffer) => bytes.subarray(0, -4)],
    [
      'has a chunk that is longer than it is',
      (bytes: Buffer) => (bytes.writeUInt32LE(bytes.length, bytes.lastIndexOf('EXIF') + 4), bytes),
    ],
    [
      'ends within the head of a chunk',
      (bytes: Buffer) => (bytes.writeUInt32LE(bytes.length - 8 + 4, 4), Buffer.concat([bytes, Buffer.from('what')])),
    ],
  ])('that %s is not taken for whole', async (_, spoil) => {
    expect(
      (await kept(counted([spoil(await (await sharpOf()).withExif(secret).webp().toBuffer())]), 'image/webp')).isWhole,
    ).toBe(false)
  })
})

describe('a GIF', () => {
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 15]), Buffer.from('where they live'), Buffer.from([0])])
  const own = Buffer.concat([
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('XMP DataXMP'),
    Buffer.from([15]),
    Buffer.from('where they live'),
    Buffer.from([0]),
  ])

  /** Where the parts begin, behind the head and the colors that all frames share. */
  const partsOf = (gif: Buffer): number => 13 + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1)
  const beginsFrame = Buffer.from([0x21, 0xf9])

  it.each([
    ['of noise', () => {}],
    // its colors are noise, and sometimes these
    ['with colors that look like the beginning of a frame', (plain: Buffer) => beginsFrame.copy(plain, 13 + 30)],
  ])('%s loses its metadata, and moves as it did', async (_, color) => {
    const plain = await moving('gif')
    color(plain)
    const at = plain.indexOf(beginsFrame, partsOf(plain))
    const bytes = Buffer.concat([
      plain.subarray(0, at),
      comment,
      own,
      plain.subarray(at),
      Buffer.from('where they live'),
    ])
    const clean = await cleaned(bytes, 'image/gif')
    expect(clean).toEqual(plain)
    expect(await (await import('sharp')).default(clean, { animated: true }).metadata()).toMatchObject({
      pages: 2,
      loop: 3,
    })
  })

  it('without its last byte is accepted, as decoders do', async () => {
    const plain = await moving('gif')
    expect(await cleaned(plain.subarray(0, -1), 'image/gif')).toEqual(plain.subarray(0, -1))
  })

  it('that is unusually structured and too large to redraw is refused with its type', async () => {
    const { default: sharp } = await import('sharp')
    const gif = await sharp({ create: { width: 2000, height: 2000, channels: 3, background: 'red' } })
      .gif()
      .toBuffer()
    const frame = gif.subarray(gif.lastIndexOf(Buffer.from([0x2c, 0, 0, 0, 0])), -1)
    const odd = Buffer.concat([
      gif.subarray(0, -1),
      ...Array.from({ length: 17 }, () => frame),
      Buffer.from('what'),
      gif.subarray(-1),
    ])
    await expect(cleaned(odd, 'image/gif')).rejects.toMatchObject({
      code: 'MEDIA_REFUSED',
      message: 'This image has more than 64 million pixels.',
    })
  })

  it.each([
    ['cut off', (plain: Buffer) => plain.subarray(0, -20)],
    [
      'with something between its parts',
      (plain: Buffer) => Buffer.concat([plain.subarray(0, -1), Buffer.from('what'), plain.subarray(-1)]),
    ],
  ])('is not taken for whole when it is %s', async (_, spoil) => {
    expect((await kept(counted([spoil(await moving('gif'))]), 'image/gif')).isWhole).toBe(false)
  })
})

it('gives up on an image of endless parts, and skips padding quickly', async () => {
  const parts = Buffer.alloc(3_000_000)
  for (let at = 0; at < parts.length; at += 3) parts.set([0x21, 0xfe, 0], at)
  const gif = await moving('gif')
  let readings = 0
  const counting = (source: Source): Source => ({
    size: source.size,
    read: async (...asked) => (readings++, await source.read(...asked)),
  })
  const endless = Buffer.concat([gif.subarray(0, -1), parts, gif.subarray(-1)])
  expect(
    (
      await kept(
        counting({ size: endless.length, read: async (at, length) => endless.subarray(at, at + length) }),
        'image/gif',
      )
    ).isWhole,
  ).toBe(false)
  expect(readings).toBeLessThan(300_000)
  readings = 0
  expect(
    (await kept(counting(counted([begin, { of: 0xff, bytes: 3_000_000 }, table.subarray(1), scan, end])))).isWhole,
  ).toBe(true)
  expect(readings).toBeLessThan(300)
})

it('leaves a file without metadata in place', async () => {
  const { default: sharp } = await import('sharp')
  const path = join(folder, 'plain')
  await writeFile(
    path,
    await sharp(await drawPicture({ width: 30, height: 20 }))
      .jpeg()
      .toBuffer(),
  )
  expect((await withoutMetadata(path, 'image/jpeg')).path).toBe(path)
  expect((await readdir(folder)).includes('plain.clean')).toBe(false)
})
