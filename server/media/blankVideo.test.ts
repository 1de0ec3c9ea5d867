import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aacConfig, avcConfig, box, makeFragments, makeMovie, type MovieTrack } from '../testing/movie.ts'
import { blankDescriptions } from './blankVideo.ts'
import { inspectFile } from './inspect.ts'
import { joined, mostOfAFile, samplesOf, samplesOfFragment } from './mp4Samples.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blank-'))
})
afterAll(() => rm(folder, { recursive: true }))

const PLACE = 'at +47.3769+8.5417, home'
const samples = (words: string, count = 12) =>
  Array.from({ length: count }, (_, i) => Buffer.from(`${words} ${i}. `.repeat(3)))
const picture: MovieTrack = {
  handler: 'vide',
  entry: 'avc1',
  config: avcConfig(),
  samples: samples('picture', 60),
  each: 1 / 30,
}
const sound: MovieTrack = {
  handler: 'soun',
  entry: 'mp4a',
  config: aacConfig(),
  samples: samples('sound'),
  each: 1 / 6,
}
const track = (handler: string, entry: string, words = PLACE): MovieTrack => ({
  handler,
  entry,
  samples: samples(words),
  each: 1 / 6,
})

async function blanked(bytes: Buffer) {
  const path = join(folder, randomUUID())
  await writeFile(path, bytes)
  const before = await inspectFile(path, '', 'someone')
  const changed = await blankDescriptions(path)
  const after = await inspectFile(path, '', 'someone')
  expect(after).toEqual(before)
  return { changed, bytes: await readFile(path) }
}
const has = (bytes: Buffer, words: string) => bytes.includes(words)
/** Every sample of what is seen and heard is where it was. */
const keeps = (bytes: Buffer, original: Buffer, tracks: readonly MovieTrack[]) => {
  expect(bytes).toHaveLength(original.length)
  for (const { samples: all } of tracks)
    for (const sample of all) {
      const at = original.indexOf(sample)
      expect(bytes.subarray(at, at + sample.length).equals(sample)).toBe(true)
    }
}

describe('tracks with metadata are emptied', () => {
  const tracks: [name: string, track: MovieTrack][] = [
    ['GoPro', track('meta', 'gpmd')],
    ['GoPro, about the file', track('fdsc', 'fdsc')],
    ['Street View cameras', track('camm', 'camm')],
    ['iPhones', track('meta', 'mebx')],
    ['Sony', track('meta', 'rtmd')],
    ['DJI', track('meta', 'djmd')],
    ['a track that does not say what it is', track('\0\0\0\0', 'none')],
    ['drones, in subtitles', track('text', 'tx3g', 'GPS (47.3769, 8.5417, 0)')],
    ['drones, in other words', track('sbtl', 'tx3g', '[latitude: 47.3769]')],
  ]
  it.each(tracks)('of %s', async (_, telemetry) => {
    for (const order of [
      [picture, sound, telemetry],
      [telemetry, picture, sound],
    ])
      for (const make of [(all: MovieTrack[]) => makeMovie(all, { brand: 'qt  ' }), makeMovie, makeFragments]) {
        const original = make(order)
        const { changed, bytes } = await blanked(original)
        expect(changed).toBe(true)
        for (const sample of telemetry.samples) expect(bytes.includes(sample)).toBe(false)
        expect(has(bytes, telemetry.entry)).toBe(false)
        keeps(bytes, original, [picture, sound])
      }
  })

  it('and subtitles, chapters and time codes stay', async () => {
    const others = [track('text', 'text', 'Chapter'), track('subt', 'stpp', 'Hello'), track('tmcd', 'tmcd', 'frame')]
    const original = makeMovie([picture, sound, ...others])
    const { bytes } = await blanked(original)
    keeps(bytes, original, [picture, sound, ...others])
    for (const { entry } of others) expect(has(bytes, entry)).toBe(true)
  })

  it('nothing is written outside of the media, whatever the file says', async () => {
    const original = makeMovie([picture, track('meta', 'gpmd')])
    const crafted = Buffer.from(original)
    // the last chunk's place: where the file begins
    const at = crafted.lastIndexOf('stco')
    crafted.writeUInt32BE(0, at + 12)
    const { bytes } = await blanked(crafted)
    const start = original.subarray(0, original.readUInt32BE(0))
    expect(bytes.subarray(0, start.length).equals(start)).toBe(true)
    expect(bytes.toString('latin1', start.length + 4, start.length + 8)).toBe('mdat')
  })
})

describe('boxes with metadata are emptied', () => {
  const words = Buffer.from(PLACE)
  it.each([
    ['what describes the file', makeMovie([picture], { more: box('udta', box('\u00a9xyz', words)) })],
    ["Apple's keys", makeMovie([picture], { more: box('meta', words) })],
    ['XMP', Buffer.concat([makeMovie([picture]), box('uuid', words)])],
    ["a track's own", makeMovie([{ ...picture, more: box('udta', words) }])],
    ['what dashcams add to the index', makeMovie([picture], { more: box('gps ', words) })],
    [
      'what dashcams hide in free space',
      Buffer.concat([makeMovie([picture]), box('free', Buffer.from('freeGPS '), words)]),
    ],
    ['what is skipped', Buffer.concat([makeMovie([picture]), box('skip', words)])],
    ['what nobody knows', Buffer.concat([makeMovie([picture]), box('abcd', words)])],
    ['events', Buffer.concat([makeMovie([picture]), box('emsg', words)])],
  ])('%s', async (_, original) => {
    expect(has(original, PLACE)).toBe(true)
    const { changed, bytes } = await blanked(original)
    expect(changed).toBe(true)
    expect(has(bytes, PLACE)).toBe(false)
    keeps(bytes, original, [picture])
  })

  it('and a file without any is left as it is', async () => {
    const original = makeMovie([picture, sound])
    const { changed, bytes } = await blanked(original)
    expect(changed).toBe(false)
    expect(bytes.equals(original)).toBe(true)
  })
})

describe('where samples are', () => {
  const u32 = (...values: number[]) => {
    const bytes = Buffer.alloc(4 * values.length)
    values.forEach((value, i) => bytes.writeUInt32BE(value, 4 * i))
    return bytes
  }
  const track = (...tables: Buffer[]) => box('mdia', box('minf', box('stbl', ...tables)))
  const three = box('stco', u32(0, 3, 100, 200, 300))
  // two samples in the first chunk, one in each later one
  const map = box('stsc', u32(0, 2, 1, 2, 1, 2, 1, 1))
  it.each([
    [
      'sizes of their own',
      [box('stsz', u32(0, 0, 4, 10, 20, 30, 40)), map, three],
      [
        [100, 130],
        [200, 230],
        [300, 340],
      ],
    ],
    [
      'one size',
      [box('stsz', u32(0, 7, 4)), map, three],
      [
        [100, 114],
        [200, 207],
        [300, 307],
      ],
    ],
    [
      'sizes of 16 bits',
      [box('stz2', u32(0, 16, 4), Buffer.from([0, 1, 0, 2, 0, 3, 0, 4])), map, three],
      [
        [100, 103],
        [200, 203],
        [300, 304],
      ],
    ],
    [
      'sizes of 8 bits',
      [box('stz2', u32(0, 8, 4), Buffer.from([1, 2, 3, 4])), map, three],
      [
        [100, 103],
        [200, 203],
        [300, 304],
      ],
    ],
    [
      'sizes of 4 bits',
      [box('stz2', u32(0, 4, 4), Buffer.from([0x12, 0x34])), map, three],
      [
        [100, 103],
        [200, 203],
        [300, 304],
      ],
    ],
    [
      'places of 8 bytes',
      [box('stsz', u32(0, 7, 2)), box('stsc', u32(0, 1, 1, 1, 1)), box('co64', u32(0, 2, 1, 0, 0, 9))],
      [
        [0x1_0000_0000, 0x1_0000_0007],
        [9, 16],
      ],
    ],
    ['fewer samples than announced', [box('stsz', u32(0, 0, 9, 10)), map, three], [[100, 110]]],
    ['no sizes', [map, three], []],
  ])('with %s', (_, tables, found) => {
    expect(samplesOf(track(...tables), mostOfAFile()).map(({ start, end }) => [start, end])).toEqual(found)
  })

  it('in fragments with and without places and sizes of their own', () => {
    const fragment = (head: Buffer, ...runs: Buffer[]) =>
      samplesOfFragment(
        Buffer.concat([box('tfhd', head), ...runs.map((run) => box('trun', run))]),
        1000,
        5,
        mostOfAFile(),
      ).map(({ start, end }) => [start, end])
    // from the fragment's beginning, with the usual size, then one after the other
    expect(fragment(u32(0x20000, 1), u32(1, 2, 50), u32(0, 3))).toEqual([
      [1050, 1060],
      [1060, 1075],
    ])
    // from a place in the file, with a size of this fragment
    expect(fragment(u32(0x11, 1, 0, 300, 8), u32(0, 2))).toEqual([[300, 316]])
    // with durations and sizes
    expect(fragment(u32(0x20000, 1), u32(0x301, 2, 10, 1, 6, 1, 7))).toEqual([[1010, 1023]])
  })

  it('is joined, in order, and only inside of media', () => {
    const of = (...pairs: [number, number][]) => pairs.map(([start, end]) => ({ start, end }))
    expect(joined(of([50, 60], [10, 20], [15, 30], [95, 120], [200, 300]), of([0, 25], [28, 100], [150, 160]))).toEqual(
      of([10, 25], [28, 30], [50, 60], [95, 100]),
    )
  })
})
