import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mediaErrors, mediaWarnings, type MediaFacts } from '#contract/checkMedia.ts'
import { rulesFor } from '#contract/platforms/registry.ts'
import type { PlatformKey, PostType } from '#contract/platforms/rules.ts'
import { drawPicture } from '../testing/content.ts'
import { animatedPng, movingPicture } from '../testing/movingPicture.ts'
import {
  aacConfig,
  av1Config,
  avcConfig,
  hevcConfig,
  makeFragments,
  makeMovie,
  noise,
  vp9Config,
  type MovieTrack,
} from '../testing/movie.ts'
import { inspectFile } from './inspect.ts'

/* Files as people have them, made here, read by what reads uploads, and judged by every platform's rules. */

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'judged-'))
})
afterAll(() => rm(folder, { recursive: true }))

const picture = (entry: string, config?: Buffer, more: Partial<MovieTrack> = {}): MovieTrack => ({
  handler: 'vide',
  entry,
  ...(config && { config }),
  samples: noise(150),
  each: 1 / 30,
  width: 1080,
  height: 1920,
  ...more,
})
const aac: MovieTrack = { handler: 'soun', entry: 'mp4a', config: aacConfig(), samples: noise(5) }
const h264 = (more: Partial<MovieTrack> = {}) => picture('avc1', avcConfig(), more)
const mp4 = async (...tracks: MovieTrack[]) => makeMovie(tracks)
const mov = async (...tracks: MovieTrack[]) => makeMovie(tracks, { brand: 'qt  ' })

const upright = [
  ['facebook', 'post'],
  ['facebook', 'reel'],
  ['facebook', 'story'],
  ['instagram', 'post'],
  ['instagram', 'reel'],
  ['instagram', 'story'],
  ['linkedin', 'post'],
  ['x', 'post'],
  ['youtube', 'video'],
  ['youtube', 'shorts'],
  ['pinterest', 'pin'],
  ['tiktok', 'post'],
  ['threads', 'post'],
  ['mastodon', 'post'],
  ['bluesky', 'post'],
] as const satisfies (readonly [PlatformKey, PostType])[]
const pictured = [
  ['facebook', 'post'],
  ['instagram', 'post'],
  ['linkedin', 'post'],
  ['x', 'post'],
  ['pinterest', 'pin'],
  ['tiktok', 'post'],
  ['threads', 'post'],
  ['mastodon', 'post'],
  ['bluesky', 'post'],
  ['googlemybusiness', 'update'],
] as const satisfies (readonly [PlatformKey, PostType])[]

async function factsOf(bytes: Buffer): Promise<MediaFacts> {
  const path = join(folder, randomUUID())
  await writeFile(path, bytes)
  const found = await inspectFile(path, '', 'an organization')
  await rm(path)
  if (found.kind === 'refused') throw new Error(`this file is refused: ${found.problem.code}`)
  // small files stand for large ones
  return { ...found.facts, bytes: 100_000, altText: '', hasThumbnail: true }
}

/** What breaks a rule, by platform and post type; `?` marks what is only warned about, `+` what a copy is made for. */
function judge(facts: MediaFacts, where: readonly (readonly [PlatformKey, PostType])[]): Record<string, string> {
  return Object.fromEntries(
    where.flatMap(([platform, type]) => {
      const rules = rulesFor(platform, type)
      if (!rules) throw new Error(`${platform} has no ${type}`)
      const found = [
        ...mediaErrors(rules, facts, 'media').map(({ problem, fix }) => problem.code + (fix === 'fit' ? ' +' : '')),
        ...mediaWarnings(rules, facts).map(({ code }) => `${code} ?`),
      ]
      return found.length > 0 ? [[`${platform} ${type}`, found.join(', ')]] : []
    }),
  )
}

const unusual = {
  'facebook post': 'codec-unusual ?',
  'facebook reel': 'codec-unusual ?',
  'facebook story': 'codec-unusual ?',
  'linkedin post': 'codec-unusual ?',
  'bluesky post': 'codec-unusual ?',
}
const refusedBy = (code: string, ...where: string[]) => Object.fromEntries(where.map((one) => [one, code]))
const META = ['instagram post', 'instagram reel', 'instagram story', 'threads post']

describe('a video of five seconds with', () => {
  it.each<[what: string, make: () => Promise<Buffer>, judged: Record<string, string>]>([
    ['H.264 and AAC', () => mp4(h264(), aac), {}],
    ['H.264 without sound', () => mp4(h264()), {}],
    ['H.264 in fragments', async () => makeFragments([h264({ samples: noise(150) }), aac]), {}],
    ['H.264 that was held sideways', () => mp4(h264({ width: 1920, height: 1080, rotation: 90 }), aac), {}],
    [
      'HEVC, as phones film',
      () => mp4(picture('hvc1', hevcConfig({ profile: 2, depth: 10 })), aac),
      { 'linkedin post': 'codec-unusual ?', 'bluesky post': 'codec-unusual ?', 'x post': 'video-codec' },
    ],
    [
      'VP9',
      () => mp4(picture('vp09', vp9Config()), aac),
      { ...unusual, ...refusedBy('video-codec', ...META, 'x post', 'pinterest pin') },
    ],
    [
      'AV1',
      () => mp4(picture('av01', av1Config()), aac),
      { ...unusual, ...refusedBy('video-codec', ...META, 'x post', 'pinterest pin', 'tiktok post') },
    ],
    [
      'MPEG-4 Part 2',
      () => mp4(picture('mp4v'), aac),
      { ...unusual, ...refusedBy('video-codec', ...META, 'x post', 'pinterest pin', 'tiktok post') },
    ],
    [
      'H.264 in 4:2:2 with 10 bits, as cameras film',
      () => mp4(picture('avc1', avcConfig({ profile: 122, chroma: 2, depth: 10 })), aac),
      refusedBy('video-chroma', ...META, 'x post'),
    ],
    [
      '120 frames per second',
      () => mp4(h264({ each: 1 / 120, samples: noise(600) }), aac),
      refusedBy('video-frame-rate', ...META, 'facebook reel', 'x post', 'tiktok post'),
    ],
    ['59.94 frames per second', () => mp4(h264({ each: 1001 / 60_000, samples: noise(300) }), aac), {}],
    ['23.98 frames per second', () => mp4(h264({ each: 1001 / 24_000 }), aac), {}],
    [
      '10 frames per second, as screens are recorded',
      () => mp4(h264({ each: 0.1, samples: noise(50) }), aac),
      refusedBy('video-frame-rate', ...META, 'facebook reel', 'tiktok post'),
    ],
    [
      '4K, lying',
      () => mp4(h264({ width: 3840, height: 2160 }), aac),
      {
        ...refusedBy('video-too-wide', 'instagram post', 'instagram story', 'threads post'),
        'instagram reel': 'video-too-wide, video-not-upright',
        'facebook reel': 'video-not-upright',
        'youtube shorts': 'video-not-upright',
      },
    ],
    [
      '8K, upright',
      () => mp4(h264({ width: 4320, height: 7680 }), aac),
      { ...refusedBy('video-too-wide', ...META), 'tiktok post': 'video-too-large' },
    ],
    [
      'sound in Opus',
      () => mp4(h264(), { ...aac, entry: 'Opus', config: Buffer.alloc(0) }),
      { ...unusual, ...refusedBy('audio-codec', ...META, 'x post') },
    ],
  ])('%s', async (_, make, judged) => {
    expect(judge(await factsOf(await make()), upright)).toEqual(judged)
  })

  it('ProRes in a MOV is named where the platform takes MOVs', async () => {
    const facts = await factsOf(await mov(picture('apch'), { ...aac, entry: 'sowt', config: Buffer.alloc(0) }))
    const rules = rulesFor('instagram', 'post')
    expect(rules && mediaErrors(rules, facts, 'media').map(({ message }) => message)).toEqual([
      'unsupported video codec: ProRes. Supported: H.264, H.265 (HEVC). Export the video as MP4 with H.264',
      'unsupported audio codec: PCM. Supported: AAC. Export the video as MP4 with AAC audio',
      'video must have 4:2:0 chroma subsampling, not 4:2:2. Export it as MP4 with H.264',
    ])
  })
})

const jpegOnly = { 'instagram post': 'file-type-unsupported +', 'tiktok post': 'file-type-unsupported +' }

describe('an image that is', () => {
  it.each<[what: string, make: () => Promise<Buffer>, judged: Record<string, string>, as?: Partial<MediaFacts>]>([
    ['a JPEG', () => drawPicture({ width: 1080, height: 1080, type: 'jpeg' }), {}],
    ['a PNG', () => drawPicture({ width: 1080, height: 1080, type: 'png' }), jpegOnly],
    [
      'a JPEG for print',
      async () => {
        const { default: sharp } = await import('sharp')
        const drawn = await drawPicture({ width: 1080, height: 1080, type: 'png' })
        return await sharp(drawn).toColorspace('cmyk').jpeg().toBuffer()
      },
      Object.fromEntries(pictured.map(([platform, type]) => [`${platform} ${type}`, 'image-colors +'])),
    ],
    [
      'a PNG with 16 bits',
      async () => {
        const { default: sharp } = await import('sharp')
        const drawn = await drawPicture({ width: 1080, height: 1080, type: 'png' })
        return await sharp(drawn).toColorspace('rgb16').png().toBuffer()
      },
      jpegOnly,
    ],
    [
      'a PNG of 63 million pixels',
      () => drawPicture({ width: 1080, height: 1080, type: 'png' }),
      {
        'instagram post': 'file-type-unsupported +',
        'linkedin post': 'image-too-many-pixels +',
        'tiktok post': 'file-type-unsupported +, image-too-large +',
        'x post': 'image-too-large +',
      },
      { width: 9000, height: 7000 },
    ],
    [
      'a PNG that moves',
      () => animatedPng(3, [1, 10]),
      { ...jpegOnly, 'instagram post': 'file-type-unsupported +' },
      { width: 900, height: 900 },
    ],
    [
      'a GIF that moves',
      () => movingPicture('gif', 3),
      refusedBy(
        'file-type-unsupported +',
        ...['instagram', 'tiktok', 'threads', 'bluesky'].map((one) => `${one} post`),
        'pinterest pin',
        'googlemybusiness update',
      ),
      { width: 900, height: 900 },
    ],
    [
      'a WebP that moves',
      () => movingPicture('webp', 3),
      refusedBy(
        'file-type-unsupported +',
        ...['instagram', 'linkedin', 'threads', 'bluesky'].map((one) => `${one} post`),
        'pinterest pin',
        'googlemybusiness update',
      ),
      { width: 900, height: 900 },
    ],
  ])('%s', async (_, make, judged, as = {}) => {
    expect(judge({ ...(await factsOf(await make())), ...as }, pictured)).toEqual(judged)
  })

  it('a long GIF is refused where the platform says how long it may be', async () => {
    const facts = await factsOf(await movingPicture('gif', 260))
    const square = { ...facts, width: 500, height: 500 }
    expect(
      judge(square, [
        ['linkedin', 'post'],
        ['x', 'post'],
        ['mastodon', 'post'],
      ]),
    ).toEqual({
      'linkedin post': 'moving-too-many-frames',
    })
    expect(judge({ ...square, frames: 351 }, [['x', 'post']])).toEqual({ 'x post': 'moving-unusual ?' })
  })

  it('a GIF of many bytes keeps moving where moving ones may be larger', async () => {
    const facts = { ...(await factsOf(await movingPicture('gif', 3))), bytes: 14_000_000 }
    expect(judge(facts, [['x', 'post']])).toEqual({})
    expect(judge({ ...facts, bytes: 15_000_001 }, [['x', 'post']])).toEqual({ 'x post': 'file-too-large +' })
    expect(judge({ ...facts, frames: null }, [['x', 'post']])).toEqual({ 'x post': 'file-too-large +' })
  })
})

it('an account has its own limits of pixels, frames and length', () => {
  const own = { imagePixels: 1_000_000, videoPixels: 2_100_000, frameRate: 30, videoSeconds: 60 }
  const rules = rulesFor('mastodon', 'post', own)
  const found = (facts: Partial<MediaFacts>) =>
    rules &&
    mediaErrors(rules, { contentType: 'video/mp4', bytes: 1, ...facts }, 'media').map(({ problem }) => problem.code)
  expect(found({ width: 1920, height: 1080, frameRate: 30, seconds: 60 })).toEqual([])
  expect(found({ width: 1920, height: 1200, frameRate: 60, seconds: 61 })).toEqual([
    'video-too-long',
    'video-too-many-pixels',
    'video-frame-rate',
  ])
  expect(found({ contentType: 'image/png', width: 1001, height: 1000 })).toEqual(['image-too-many-pixels'])
  expect(found({ contentType: 'image/gif', width: 1280, height: 721 })).toEqual(['image-too-many-pixels'])
})

it('what is not known about a file breaks no rule', () => {
  for (const [platform, type] of upright) {
    const rules = rulesFor(platform, type)
    const facts = {
      contentType: 'video/mp4',
      bytes: 1,
      videoCodec: null,
      audioCodec: null,
      frameRate: null,
      chroma: null,
    }
    expect(rules && mediaErrors(rules, facts, 'media')).toEqual([])
    expect(rules && mediaWarnings(rules, facts)).toEqual([])
  }
})
