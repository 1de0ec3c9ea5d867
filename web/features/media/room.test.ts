import { expect, it } from 'vitest'
import { platformRules } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { noRoom } from './room.ts'

const rulesOf = (...keys: PlatformKey[]) => keys.flatMap((key) => platformRules[key].posts.slice(0, 1))
const files = (...types: string[]) => types.map((contentType) => ({ contentType }))
const [image, video, pdf] = ['image/png', 'video/mp4', 'application/pdf']

it('accepts one video, or images, before a channel is chosen', () => {
  expect(noRoom([], [], { contentType: video })).toBeUndefined()
  expect(noRoom([], files(image, image, image), { contentType: image })).toBeUndefined()
  expect(noRoom([], files(image, image, image, image), { contentType: image })).toBe('maximum 4 image(s) allowed')
  for (const held of [image, video])
    expect(noRoom([], files(held), { contentType: video })).toBe(
      'You can only upload one video or not both images and videos',
    )
  expect(noRoom([], files(video), { contentType: image })).toBe(
    'You can only upload one video or not both images and videos',
  )
})

it('uses the channel that accepts most', () => {
  expect(noRoom(rulesOf('instagram'), files(image), { contentType: video })).toBeUndefined()
  expect(noRoom(rulesOf('tiktok'), files(image), { contentType: video })).toBe(
    'You can only upload one video or not both images and videos',
  )
  expect(noRoom(rulesOf('tiktok', 'instagram'), files(image), { contentType: video })).toBeUndefined()
  expect(noRoom(rulesOf('instagram'), files(...Array.from({ length: 10 }, () => video)), { contentType: video })).toBe(
    'Maximum 10 video(s) allowed',
  )
})

it('keeps documents separate', () => {
  expect(noRoom(rulesOf('linkedin'), [], { contentType: pdf })).toBeUndefined()
  expect(noRoom(rulesOf('linkedin'), files(pdf), { contentType: pdf })).toBe('maximum 1 document(s) allowed')
  expect(noRoom(rulesOf('linkedin'), files(image), { contentType: pdf })).toBe(
    'documents cannot be mixed with other media',
  )
})

it('accepts nothing besides a GIF where it must be the only file', () => {
  const gif = 'image/gif'
  expect(noRoom(rulesOf('x'), [], { contentType: gif })).toBeUndefined()
  expect(noRoom(rulesOf('x'), files(gif), { contentType: image })).toBe('a GIF must be the only file in a post')
  expect(noRoom(rulesOf('x'), files(image), { contentType: gif })).toBe('a GIF must be the only file in a post')
  expect(noRoom(rulesOf('x', 'mastodon'), files(gif), { contentType: gif })).toBeUndefined()
})
