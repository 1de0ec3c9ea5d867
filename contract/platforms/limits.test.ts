import { describe, expect, it } from 'vitest'
import { postErrors } from '../checkPost.ts'
import { ChannelLimits, withLimits } from './limits.ts'
import { rulesFor } from './registry.ts'
import type { PlatformKey, PostRules } from './rules.ts'

const rulesOn = (platform: PlatformKey, limits?: ChannelLimits | null): PostRules => {
  const rules = rulesFor(platform, 'post', limits)
  if (!rules) throw new Error(`${platform} has no posts`)
  return rules
}
const says = (text: string, media: { contentType: string; bytes: number; altText?: string }[] = []) => [{ text, media }]
const broken = (rules: PostRules, ...args: Parameters<typeof says>) =>
  postErrors(rules, says(...args)).map(({ field, message }) => `${field}: ${message}`)
const picture = { contentType: 'image/png', bytes: 1000 }

describe('the limits of one account', () => {
  it("are the platform's where nothing else is known", () => {
    const rules = rulesOn('mastodon')
    expect(withLimits(rules, null)).toBe(rules)
    expect(withLimits(rules, {})).toEqual(rules)
    expect(rulesOn('bluesky', { verified: true })).toEqual(rulesOn('bluesky'))
  })

  it('allow longer texts and comments when the platform has verified the account', () => {
    const rules = rulesOn('x', { verified: true })
    expect(broken(rules, 'a'.repeat(25_000))).toEqual([])
    expect(broken(rules, 'a'.repeat(25_001))).toEqual([
      'contents.0.text: the text is 1 character over the limit of 25000',
    ])
    expect(postErrors(rules, says('x'), { firstComment: 'a'.repeat(25_000) })).toEqual([])
    expect(postErrors(rules, says('x'), { firstComment: 'a'.repeat(25_001) })).toHaveLength(1)
    expect(broken(rulesOn('x', { verified: false }), 'a'.repeat(281))).toEqual([
      'contents.0.text: the text is 1 character over the limit of 280',
    ])
  })

  it('are what its server accepts, more or less than others', () => {
    const large = rulesOn('mastodon', {
      text: 5000,
      addressLength: 10,
      images: 16,
      imageBytes: 20_000_000,
      altText: 3000,
    })
    expect(broken(large, 'a'.repeat(5000))).toEqual([])
    expect(broken(large, 'a'.repeat(5001))).toEqual(['contents.0.text: the text is 1 character over the limit of 5000'])
    expect(broken(large, `${'a'.repeat(4989)} https://example.org/a/very/long/path`)).toEqual([])
    expect(broken(large, `${'a'.repeat(4990)} https://example.org/a/very/long/path`)).toEqual([
      'contents.0.text: the text is 1 character over the limit of 5000',
    ])
    expect(
      broken(
        large,
        'x',
        Array.from({ length: 16 }, () => ({ ...picture, bytes: 20_000_000, altText: 'a'.repeat(3000) })),
      ),
    ).toEqual([])
    expect(postErrors(large, says('x'), { firstComment: 'a'.repeat(5000) })).toEqual([])
    expect(postErrors(large, says('x'), { firstComment: 'a'.repeat(5001) })).toHaveLength(1)

    const small = rulesOn('mastodon', {
      text: 200,
      images: 1,
      imageBytes: 16_777_216,
      altText: 10,
      types: ['image/jpeg', 'video/mp4'],
    })
    expect(
      broken(small, 'a'.repeat(201), [
        { ...picture, bytes: 16_777_217, altText: 'a'.repeat(11) },
        { contentType: 'image/jpeg', bytes: 1 },
      ]),
    ).toEqual([
      'contents.0.text: the text is 1 character over the limit of 200',
      'contents.0.media: maximum 1 image(s) allowed',
      'contents.0.media.0: unsupported image type. Supported: jpeg',
      'contents.0.media.0: image size cannot exceed 16.7 MB',
      'contents.0.media.0: alt text cannot exceed 10 characters',
    ])
    expect(broken(rulesOn('mastodon', { videoBytes: 5 }), 'x', [{ contentType: 'video/mp4', bytes: 6 }])).toHaveLength(
      1,
    )
  })

  it('count a content warning towards the text', () => {
    const said = (text: string, contentWarning: string) =>
      postErrors(rulesOn('mastodon'), says(text), { details: { contentWarning }, firstComment: text }).map(
        ({ message }) => message,
      )
    expect(said('a'.repeat(495), 'Birds')).toEqual([])
    expect(said('a'.repeat(496), ' Birds ')).toEqual([
      'the text is 1 character over the limit of 500',
      'the first comment is 1 character over the limit of 500',
    ])
  })

  it("leave out file types that we can't send, and ignore a list that has none of ours", () => {
    expect(rulesOn('mastodon', { types: ['image/avif', 'image/png'] }).images.types).toEqual(['image/png'])
    expect(rulesOn('mastodon', { types: ['audio/ogg'] }).images.types).toEqual(rulesOn('mastodon').images.types)
  })

  it('are read back as they were stored, and nothing else', () => {
    expect(ChannelLimits.safeParse({ text: 0 }).success).toBe(false)
    expect(ChannelLimits.parse({ text: 500, other: true })).toEqual({ text: 500 })
  })
})
