import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawPicture } from '../testing/content.ts'
import { animatedPng, movingPicture } from '../testing/movingPicture.ts'
import {
  aacConfig,
  av1Config,
  avcConfig,
  box,
  hevcConfig,
  makeFragments,
  makeMovie,
  noise,
  vp9Config,
  type MovieTrack,
} from '../testing/movie.ts'
import { inspectFile } from './inspect.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facts-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function factsOf(bytes: Buffer) {
  const path = join(folder, randomUUID())
  await writeFile(path, bytes)
  const found = await inspectFile(path, '', 'an organization')
  return found.kind === 'file' ? found.facts : found.problem
}

const film = (entry: string, config?: Buffer, more: Partial<MovieTrack> = {}): MovieTrack => ({
  handler: 'vide',
  entry,
  ...(config && { config }),
  samples: noise(60),
  each: 1 / 30,
  ...more,
})
const sound = (entry = 'mp4a', config = aacConfig()): MovieTrack => ({
  handler: 'soun',
  entry,
  config,
  samples: noise(2),
})

describe('a video says', () => {
  it.each([
    [
      'H.264 with AAC',
      [film('avc1', avcConfig()), sound()],
      { videoCodec: 'avc', audioCodec: 'aac', bitDepth: 8, chroma: '4:2:0' },
    ],
    [
      'H.264 without its extension',
      [film('avc1', avcConfig({ profile: 110, terse: true }))],
      { videoCodec: 'avc', audioCodec: null, bitDepth: null },
    ],
    [
      'H.264 in 4:2:2 with 10 bits',
      [film('avc1', avcConfig({ profile: 122, chroma: 2, depth: 10 }))],
      { videoCodec: 'avc', bitDepth: 10, chroma: '4:2:2' },
    ],
    [
      'H.264, baseline profile',
      [film('avc1', avcConfig({ profile: 66 }))],
      { videoCodec: 'avc', bitDepth: 8, chroma: '4:2:0' },
    ],
    ['HEVC', [film('hvc1', hevcConfig())], { videoCodec: 'hevc', bitDepth: 8, chroma: '4:2:0' }],
    [
      'HEVC with 10 bits',
      [film('hev1', hevcConfig({ profile: 2, depth: 10 }))],
      { videoCodec: 'hevc', bitDepth: 10, chroma: '4:2:0' },
    ],
    ['AV1', [film('av01', av1Config())], { videoCodec: 'av1', bitDepth: 8, chroma: '4:2:0' }],
    ['AV1 with 10 bits', [film('av01', av1Config({ isHighDepth: true }))], { videoCodec: 'av1', bitDepth: 10 }],
    ['VP9', [film('vp09', vp9Config())], { videoCodec: 'vp9', bitDepth: 8, chroma: '4:2:0' }],
    ['ProRes 422', [film('apch')], { videoCodec: 'prores', bitDepth: 10, chroma: '4:2:2' }],
    ['ProRes 4444', [film('ap4h')], { videoCodec: 'prores', bitDepth: 12, chroma: '4:4:4' }],
    ['MPEG-4 Part 2', [film('mp4v')], { videoCodec: 'mp4v', bitDepth: null, chroma: null }],
    ['Motion JPEG', [film('jpeg')], { videoCodec: 'jpeg' }],
    [
      'AC-3 sound',
      [film('avc1', avcConfig()), sound('ac-3', box('dac3', Buffer.from([0x10, 0x3d, 0xc0])))],
      { audioCodec: 'ac3' },
    ],
    ['ALAC sound', [film('avc1', avcConfig()), sound('alac', Buffer.alloc(0))], { audioCodec: 'alac' }],
  ] as const)('that it is %s', async (_, tracks, facts) => {
    const shared = { width: 640, height: 360, frameRate: 30, frames: null, colorSpace: null }
    expect(await factsOf(makeMovie(tracks, { brand: 'qt  ' }))).toMatchObject({ ...shared, ...facts })
    expect(await factsOf(makeMovie(tracks))).toMatchObject({ ...shared, ...facts, contentType: 'video/mp4' })
  })

  it.each([
    [0, 640, 360],
    [90, 360, 640],
    [180, 640, 360],
    [270, 360, 640],
  ] as const)('how large it is when it was held at %i degrees', async (rotation, width, height) => {
    const bytes = makeMovie([film('avc1', avcConfig(), { rotation })])
    expect(await factsOf(bytes)).toMatchObject({ rotation, width, height })
  })

  it.each([
    [1 / 60, 60],
    [1001 / 30_000, 29.97],
    [1001 / 24_000, 23.98],
    [1 / 240, 240],
    [2, 0.5],
  ])('how many frames there are if each takes %f seconds', async (each, frameRate) => {
    expect(await factsOf(makeMovie([film('avc1', avcConfig(), { each, samples: noise(600) })]))).toMatchObject({
      frameRate,
    })
  })

  it('all that in fragments', async () => {
    const bytes = makeFragments([film('hvc1', hevcConfig(), { samples: noise(12), each: 0.5 }), sound()])
    expect(await factsOf(bytes)).toMatchObject({ videoCodec: 'hevc', audioCodec: 'aac', seconds: 6, frameRate: 2 })
  })
})

const still = { frames: null, seconds: null }

describe('an image says', () => {
  it.each([
    ['a GIF that moves', () => movingPicture('gif', 3), { contentType: 'image/gif', frames: 3, seconds: 0.6 }],
    ['a GIF that does not', () => movingPicture('gif', 1), { contentType: 'image/gif', ...still }],
    ['a WebP that moves', () => movingPicture('webp', 2), { contentType: 'image/webp', frames: 2, seconds: 0.4 }],
    ['a PNG that moves', () => animatedPng(4, [1, 10]), { contentType: 'image/png', frames: 4, seconds: 0.4 }],
    [
      'a PNG that does not',
      () => drawPicture({ width: 30, height: 20, type: 'png' }),
      { contentType: 'image/png', ...still },
    ],
  ])('whether it moves: %s', async (_, make, facts) => {
    expect(await factsOf(await make())).toMatchObject({ width: 30, height: 20, ...facts })
  })

  it('which colors it has, and how many bits', async () => {
    const { default: sharp } = await import('sharp')
    const picture = sharp(await drawPicture({ width: 30, height: 20, type: 'png' }))
    const facts = async (bytes: Buffer) => await factsOf(bytes)
    expect(await facts(await picture.clone().toColorspace('cmyk').jpeg().toBuffer())).toMatchObject({
      colorSpace: 'cmyk',
    })
    expect(await facts(await picture.clone().toColorspace('b-w').jpeg().toBuffer())).toMatchObject({
      colorSpace: 'b-w',
    })
    expect(await facts(await picture.clone().jpeg().toBuffer())).toMatchObject({
      colorSpace: 'srgb',
      bitDepth: 8,
      chroma: '4:2:0',
    })
    expect(await facts(await picture.clone().toColorspace('rgb16').png().toBuffer())).toMatchObject({ bitDepth: 16 })
  })
})
