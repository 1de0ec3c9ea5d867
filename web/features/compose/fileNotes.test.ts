import { describe, expect, it } from 'vitest'
import type { MediaFacts } from '#contract/checkMedia.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { fileErrors, fileRefusals, takenBy } from './checks.ts'
import { channelsToCopyFor, fileNotes } from './fileNotes.ts'

const on = (...keys: PlatformKey[]) =>
  keys.map((platformName) => ({ platformName, channelId: platformName, limits: null }))
const notes = (file: MediaFacts, ...keys: PlatformKey[]) => fileNotes(takenBy(on(...keys)), file)
const png: MediaFacts = { contentType: 'image/png', bytes: 100_000, width: 1080, height: 1080 }

describe('the notes of a file', () => {
  it.each<[what: string, file: MediaFacts, keys: PlatformKey[], notes: string[]]>([
    ['a PNG', png, ['instagram', 'bluesky'], ['Instagram gets a JPEG.']],
    ['a PNG for two that take none', png, ['instagram', 'tiktok', 'x'], ['Instagram and TikTok get a JPEG.']],
    ['a WebP', { ...png, contentType: 'image/webp' }, ['bluesky', 'x'], ['Bluesky gets a JPEG or PNG.']],
    ['many bytes', { ...png, bytes: 3_000_000 }, ['bluesky', 'linkedin'], ['Bluesky gets a smaller copy.']],
    [
      'many pixels',
      { ...png, width: 9000, height: 7000 },
      ['x', 'linkedin', 'facebook'],
      ['X and LinkedIn get a smaller copy.'],
    ],
    [
      'colors for print',
      { ...png, contentType: 'image/jpeg', colorSpace: 'cmyk' },
      ['x'],
      ['X gets a copy in RGB colors.'],
    ],
    [
      'a GIF that moves',
      { ...png, contentType: 'image/gif', frames: 9 },
      ['x', 'instagram', 'bluesky'],
      ['This becomes a still picture on Instagram and Bluesky.'],
    ],
    ['a PNG that moves', { ...png, frames: 9 }, ['threads'], ['This becomes a still picture on Threads.']],
    [
      'a GIF that is too large for a moving one',
      { ...png, contentType: 'image/gif', frames: 9, bytes: 16_000_000 },
      ['x'],
      ['X gets a smaller copy.'],
    ],
    [
      'ProRes',
      { contentType: 'video/mp4', bytes: 1, videoCodec: 'prores' },
      ['facebook', 'linkedin', 'youtube'],
      ['Facebook, LinkedIn: ProRes may not be accepted. MP4 with H.264 and AAC always is.'],
    ],
    ['what all take', { ...png, contentType: 'image/jpeg' }, ['instagram', 'x', 'bluesky', 'threads'], []],
    ['an image for a platform without images', png, ['youtube'], []],
  ])('say what becomes of %s', (_, file, keys, sentences) => {
    expect(notes(file, ...keys)).toEqual(sentences)
  })

  it('replace the errors that a copy solves, and no others', () => {
    const taken = takenBy(on('instagram', 'linkedin'))
    expect(fileErrors(taken, png)).toEqual([])
    expect(fileRefusals(taken, png)).toEqual([])
    const wide = { ...png, width: 4000 }
    expect(fileErrors(taken, wide).map(({ fix }) => fix)).toEqual(['crop'])
    const gif = { ...png, contentType: 'image/gif', frames: 251 }
    expect(fileErrors(taken, gif).map(({ problem }) => problem.code)).toEqual(['moving-too-many-frames'])
  })
})

it('knows for which channels copies have to be made', () => {
  const found = channelsToCopyFor(on('instagram', 'x', 'youtube', 'tiktok'), {}, png)
  expect(found.map(({ channel, postType }) => [channel.channelId, postType])).toEqual([
    ['instagram', 'post'],
    ['tiktok', 'post'],
  ])
  expect(channelsToCopyFor(on('instagram'), { instagram: { postType: 'reel' } }, png)).toEqual([])
})
