import { describe, expect, it } from 'vitest'
import { mediaErrors, postErrors, type ContentFacts } from './checkPost.ts'
import type { PostRules } from './platforms/rules.ts'
import { rulesFor } from './platforms/registry.ts'

/** A platform that allows a little of everything. */
const rules: PostRules = {
  postType: 'post',
  text: { limits: [{ unit: 'characters', max: 20 }], required: false },
  images: { most: 2, bytes: 2_000_000, types: ['image/jpeg', 'image/png'], altText: { max: 10 } },
  videos: { most: 1, bytes: 100_000_000, types: ['video/mp4'], seconds: { min: 0, max: 60 } },
  mixedMedia: false,
  documents: 1,
  thread: { most: 3 },
  linkCard: null,
}
const image = { contentType: 'image/jpeg', bytes: 1000 }
const video = { contentType: 'video/mp4', bytes: 1000 }
const document = { contentType: 'application/pdf', bytes: 1000 }
const says = (text: string, media: ContentFacts['media'] = []): ContentFacts => ({ text, media })
const messages = (with_: PostRules, ...contents: ContentFacts[]) => postErrors(with_, contents).map(({ field, message }) => `${field}: ${message}`)

describe('text', () => {
  it('is counted by the platform’s own units, trimmed', () => {
    expect(messages(rules, says('a'.repeat(20)))).toEqual([])
    expect(messages(rules, says(`  ${'a'.repeat(20)}\n`))).toEqual([])
    expect(messages(rules, says('a'.repeat(23)))).toEqual(['contents.0.text: the text is 3 characters over the limit of 20'])
  })

  it('of Bluesky is 300 graphemes and 3000 bytes', () => {
    const bluesky = rulesFor('bluesky', 'post')
    if (!bluesky) throw new Error('there are no rules of Bluesky')
    const family = '👨‍👩‍👧‍👦'
    expect(messages(bluesky, says(family.repeat(120)))).toEqual([])
    expect(messages(bluesky, says('é'.repeat(301)))).toEqual(['contents.0.text: the text is 1 character over the limit of 300'])
    expect(messages(bluesky, says(family.repeat(121)))).toEqual(['contents.0.text: the text is 25 bytes over the limit of 3000'])
  })

  it('is needed where there is nothing else', () => {
    expect(messages(rules, says(' \n '))).toEqual(['contents.0.text: write something or attach a picture'])
    expect(messages(rules, says('', [image]))).toEqual([])
    expect(postErrors(rules, [says('')], true)).toEqual([])
  })
})

describe('media, word for word', () => {
  it.each([
    ['an image of another type', [{ contentType: 'image/webp', bytes: 10 }], ['contents.0.media.0: unsupported image type. Supported: jpeg, png']],
    ['a video of another type', [{ contentType: 'video/webm', bytes: 10 }], ['contents.0.media.0: unsupported video type. Supported: mp4']],
    ['an image that is too large', [{ contentType: 'image/png', bytes: 2_000_001 }], ['contents.0.media.0: image size cannot exceed 2 MB']],
    ['a video that is too large', [{ contentType: 'video/mp4', bytes: 100_000_001 }], ['contents.0.media.0: video size cannot exceed 100 MB']],
    ['too many images', [image, image, image], ['contents.0.media: maximum 2 image(s) allowed']],
    ['too many videos', [video, video], ['contents.0.media: Maximum 1 video(s) allowed']],
    ['images and videos', [image, video], ['contents.0.media: mixed media types are not supported']],
    ['a document with something else', [image, document], ['contents.0.media: documents cannot be mixed with other media']],
    ['words for the blind that are too long', [{ ...image, altText: 'a'.repeat(11) }], ['contents.0.media.0: the alternative text cannot exceed 10 characters']],
    ['several at once', [{ contentType: 'image/gif', bytes: 3_000_000 }], ['contents.0.media.0: unsupported image type. Supported: jpeg, png', 'contents.0.media.0: image size cannot exceed 2 MB']],
  ])('%s', (_, media, expected) => {
    expect(messages(rules, says('x', media))).toEqual(expected)
  })

  it('that a platform takes none of', () => {
    const none: PostRules = { ...rules, documents: 0, videos: { ...rules.videos, most: 0 }, images: { ...rules.images, most: 0 } }
    expect(messages(none, says('x', [document]))).toEqual(['contents.0.media.0: documents are not supported'])
    expect(messages(none, says('x', [video]))).toEqual(['contents.0.media.0: videos are not supported'])
    expect(messages(none, says('x', [image]))).toEqual(['contents.0.media.0: images are not supported'])
  })

  it('is offered to be fitted where conversion mends it', () => {
    expect(mediaErrors(rules, { contentType: 'image/webp', bytes: 3_000_000 }, 'at').map(({ rule, fix }) => [rule, fix])).toEqual([['media.image.type', 'fit'], ['media.image.bytes', 'fit']])
    expect(mediaErrors(rules, { contentType: 'video/webm', bytes: 1 }, 'at')[0]?.fix).toBeUndefined()
  })
})

describe('threads', () => {
  it('have as many parts as the platform takes, each checked', () => {
    expect(messages(rules, says('1'), says('2'), says(''))).toEqual(['contents.2.text: write something or attach a picture'])
    expect(messages(rules, says('1'), says('2'), says('3'), says('4'))).toEqual(['contents: a thread cannot have more than 3 posts'])
    expect(messages({ ...rules, thread: { most: 1 } }, says('1'), says('2'))).toEqual(['contents: threads are not supported'])
  })

  it('have one link card, on their first part', () => {
    expect(postErrors(rules, [says(''), says('')], true).map(({ field }) => field)).toEqual(['contents.1.text'])
  })
})
