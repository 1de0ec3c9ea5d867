import { describe, expect, it } from 'vitest'
import { mediaErrors } from './checkMedia.ts'
import { consentFor, disclosedAs, fitLinkCard, postErrors, type ContentFacts, type MoreFacts } from './checkPost.ts'
import type { PostRules } from './platforms/rules.ts'
import { withLimits } from './platforms/limits.ts'
import { platformRules, rulesFor } from './platforms/registry.ts'

/** A platform that allows a little of everything. */
const rules: PostRules = {
  postType: 'post',
  label: 'Post',
  title: null,
  text: { limits: [{ unit: 'characters', max: 20 }], required: false },
  images: { most: 2, bytes: 2_000_000, types: ['image/jpeg', 'image/png'], altText: { max: 10 } },
  videos: { most: 1, bytes: 100_000_000, types: ['video/mp4'], seconds: { min: 1, max: 60 }, thumbnail: 'none' },
  mixedMedia: false,
  documents: { most: 1, bytes: 1_000_000, types: ['application/pdf'], pages: 10 },
  mediaRequired: false,
  firstComment: null,
  details: [],
  thread: { most: 3 },
  linkCard: { title: 10, description: 10 },
}
const image = { contentType: 'image/jpeg', bytes: 1000 }
const video = { contentType: 'video/mp4', bytes: 1000 }
const document = { contentType: 'application/pdf', bytes: 1000 }
const says = (text: string, media: ContentFacts['media'] = []): ContentFacts => ({ text, media })
const card = { uri: 'https://example.org/', title: 'A page', description: '', imageAssetId: null }
const messages = (with_: PostRules, ...contents: ContentFacts[]) =>
  postErrors(with_, contents).map(({ field, message }) => `${field}: ${message}`)

describe('text', () => {
  it('is counted in the platform’s own units, trimmed', () => {
    expect(messages(rules, says('a'.repeat(20)))).toEqual([])
    expect(messages(rules, says(`  ${'a'.repeat(20)}\n`))).toEqual([])
    expect(messages(rules, says('a'.repeat(23)))).toEqual([
      'contents.0.text: the text is 3 characters over the limit of 20',
    ])
  })

  it('may have 300 graphemes and 3000 bytes on Bluesky', () => {
    const bluesky = rulesFor('bluesky', 'post')
    if (!bluesky) throw new Error('there are no rules of Bluesky')
    const family = '👨‍👩‍👧‍👦'
    expect(messages(bluesky, says(family.repeat(120)))).toEqual([])
    expect(messages(bluesky, says('é'.repeat(301)))).toEqual([
      'contents.0.text: the text is 1 character over the limit of 300',
    ])
    expect(messages(bluesky, says(family.repeat(121)))).toEqual([
      'contents.0.text: the text is 25 bytes over the limit of 3000',
    ])
  })

  it("is required if there's nothing else", () => {
    expect(messages(rules, says(' \n '))).toEqual(['contents.0.text: write something or attach an image'])
    expect(messages(rules, says('', [image]))).toEqual([])
    expect(postErrors(rules, [says('')], { details: { linkCard: card } })).toEqual([])
  })
})

describe('media, with the specified messages', () => {
  it.each([
    [
      'an image of another type',
      [{ contentType: 'image/webp', bytes: 10 }],
      ['contents.0.media.0: unsupported image type. Supported: jpeg, png'],
    ],
    [
      'a video of another type',
      [{ contentType: 'video/webm', bytes: 10 }],
      ['contents.0.media.0: unsupported video type. Supported: mp4'],
    ],
    [
      'an image that is too large',
      [{ contentType: 'image/png', bytes: 2_000_001 }],
      ['contents.0.media.0: image size cannot exceed 2 MB'],
    ],
    [
      'a video that is too large',
      [{ contentType: 'video/mp4', bytes: 100_000_001 }],
      ['contents.0.media.0: video size cannot exceed 100 MB'],
    ],
    ['too many images', [image, image, image], ['contents.0.media: maximum 2 image(s) allowed']],
    ['too many videos', [video, video], ['contents.0.media: Maximum 1 video(s) allowed']],
    ['images and videos', [image, video], ['contents.0.media: mixed media types are not supported']],
    [
      'a document with something else',
      [image, document],
      ['contents.0.media: documents cannot be mixed with other media'],
    ],
    [
      'words for the blind that are too long',
      [{ ...image, altText: 'a'.repeat(11) }],
      ['contents.0.media.0: alt text cannot exceed 10 characters'],
    ],
    [
      'several at once',
      [{ contentType: 'image/gif', bytes: 3_000_000 }],
      [
        'contents.0.media.0: unsupported image type. Supported: jpeg, png',
        'contents.0.media.0: image size cannot exceed 2 MB',
      ],
    ],
  ])('%s', (_, media, expected) => {
    expect(messages(rules, says('x', media))).toEqual(expected)
  })

  it('is refused if the platform accepts none', () => {
    const none: PostRules = {
      ...rules,
      documents: { ...rules.documents, most: 0 },
      videos: { ...rules.videos, most: 0 },
      images: { ...rules.images, most: 0 },
    }
    expect(messages(none, says('x', [document]))).toEqual(['contents.0.media.0: documents are not supported'])
    expect(messages(none, says('x', [video]))).toEqual(['contents.0.media.0: videos are not supported'])
    expect(messages(none, says('x', [image]))).toEqual(['contents.0.media.0: images are not supported'])
  })

  it('can be converted if that fixes the problem', () => {
    expect(
      mediaErrors(rules, { contentType: 'image/webp', bytes: 3_000_000 }, 'at').map(({ problem, fix }) => [
        problem.code,
        fix,
      ]),
    ).toEqual([
      ['file-type-unsupported', 'fit'],
      ['file-too-large', 'fit'],
    ])
    expect(mediaErrors(rules, { contentType: 'video/webm', bytes: 1 }, 'at')[0]?.fix).toBeUndefined()
  })
})

describe('threads', () => {
  it('have as many parts as the platform accepts, each checked', () => {
    expect(messages(rules, says('1'), says('2'), says(''))).toEqual([
      'contents.2.text: write something or attach an image',
    ])
    expect(messages(rules, says('1'), says('2'), says('3'), says('4'))).toEqual([
      'contents: a thread cannot have more than 3 posts',
    ])
    // what has to go isn't looked at
    expect(messages(rules, says('1'), says('2'), says('3'), says(''))).toEqual([
      'contents: a thread cannot have more than 3 posts',
    ])
    expect(messages({ ...rules, thread: { most: 1 } }, says('1'), says('2'))).toEqual([
      'contents: threads are not supported',
    ])
  })

  it('have one link card, on their first part', () => {
    expect(postErrors(rules, [says(''), says('')], { details: { linkCard: card } }).map(({ field }) => field)).toEqual([
      'contents.1.text',
    ])
  })
})

describe('link cards', () => {
  const said = (more: MoreFacts, media: ContentFacts['media'] = []) =>
    postErrors(rules, [says('x', media)], more).map(({ field, message }) => `${field}: ${message}`)

  it('are as long as the platform accepts, and unchecked next to images, which take precedence', () => {
    const long = { ...card, title: 'a'.repeat(12), description: 'b'.repeat(11) }
    expect(said({ details: { linkCard: long } })).toEqual([
      'additionalDetails.linkCard.title: the title of the link card is 2 characters over the limit of 10',
      'additionalDetails.linkCard.description: the description of the link card is 1 character over the limit of 10',
    ])
    expect(said({ details: { linkCard: long } }, [image])).toEqual([])
    expect(said({ details: { linkCard: fitLinkCard(rules, long) } })).toEqual([])
  })
})

describe('rules of particular platforms', () => {
  const asks = (platform: Parameters<typeof rulesFor>[0], postType: Parameters<typeof rulesFor>[1]): PostRules => {
    const found = rulesFor(platform, postType)
    if (!found) throw new Error(`${platform} has no ${postType}`)
    return found
  }
  const said = (...args: Parameters<typeof postErrors>) =>
    postErrors(...args).map(({ field, message }) => `${field}: ${message}`)
  const clip = { contentType: 'video/mp4', bytes: 1000, seconds: 60, width: 1080, height: 1920, hasThumbnail: true }

  it('require titles, media and choices', () => {
    expect(said(asks('youtube', 'video'), [says('', [])])).toEqual([
      'contents.0.title: write a title',
      'contents.0.media: attach a video',
      "additionalDetails.madeForKids: say whether it's made for kids",
    ])
    expect(
      said(
        asks('youtube', 'shorts'),
        [{ title: 'T', text: '', media: [{ ...clip, width: 1920, height: 1080, seconds: 181 }] }],
        { details: { madeForKids: false } },
      ),
    ).toEqual([
      'contents.0.media.0: video cannot be longer than 3 minutes',
      'contents.0.media.0: video must be portrait or square',
    ])
    expect(said(asks('pinterest', 'pin'), [{ title: 'T', text: 'D', media: [image] }])).toEqual([
      'additionalDetails.boardId: choose a board',
    ])
    expect(
      said(asks('tiktok', 'post'), [says('x', [{ ...clip, hasThumbnail: false }])], {
        details: { privacy: 'EVERYBODY' },
      }),
    ).toEqual([
      'contents.0.media.0: choose a thumbnail for the video',
      'additionalDetails.privacy: choose one of: Everyone, Friends, Followers, Only me',
    ])
    expect(
      said(asks('googlemybusiness', 'events'), [
        { title: 'x'.repeat(59), text: '', media: [{ ...image, bytes: 20_000 }] },
      ]),
    ).toEqual([
      'contents.0.title: the title is 1 character over the limit of 58',
      'additionalDetails.event: enter when it starts and ends',
    ])
  })

  it('check the parts of a button and of an event', () => {
    const at = (date: string, time: string) => ({ date, time })
    const event = { start: at('2026-12-01', '09:00'), end: at('2026-12-01', '18:00') }
    const button = (action: string, url?: string) =>
      said(asks('googlemybusiness', 'events'), [{ title: 'T', text: '', media: [] }], {
        details: { event, callToAction: { action, ...(url && { url }) } },
      }).filter((line) => line.includes('callToAction'))
    expect(button('BOOK')).toEqual(['additionalDetails.callToAction.url: enter the link for the button'])
    expect(button('BOOK', 'https://example.org')).toEqual([])
    expect(button('CALL')).toEqual([])
    const when = (end: typeof event.end) =>
      said(asks('googlemybusiness', 'offers'), [{ title: 'T', text: 'x', media: [] }], {
        details: { event: { ...event, end } },
      })
    expect(when(event.end)).toEqual([])
    expect(when(event.start)).toEqual(['additionalDetails.event: the end is before the start'])
    expect(when(at('2026-11-30', '23:00'))).toEqual(['additionalDetails.event: the end is before the start'])
  })

  it("limit each file's length, dimensions and numbers", () => {
    expect(said(asks('facebook', 'reel'), [says('x', [{ ...clip, seconds: 91 }])])).toEqual([
      'contents.0.media.0: video cannot be longer than 90 seconds',
    ])
    expect(
      said(asks('tiktok', 'post'), [says('x', [{ ...clip, seconds: 2, width: 300 }])], {
        details: { privacy: 'SELF_ONLY' },
      }),
    ).toEqual([
      'contents.0.media.0: video must be at least 3 seconds long',
      'contents.0.media.0: video must be at least 360 by 360 pixels',
    ])
    expect(
      said(asks('linkedin', 'post'), [says('x', [{ contentType: 'application/pdf', bytes: 1, pages: 301 }])]),
    ).toEqual(['contents.0.media.0: document cannot have more than 300 pages'])
    expect(
      said(asks('instagram', 'post'), [says('x', [...Array.from({ length: 8 }, () => image), clip, clip, clip])]),
    ).toEqual(['contents.0.media: maximum 10 images and videos allowed'])
  })

  it('allow first comments where the platform has them', () => {
    expect(said(asks('instagram', 'story'), [says('', [image])], { firstComment: 'first' })).toEqual([
      'firstComment: a first comment is not supported',
    ])
    expect(said(asks('instagram', 'post'), [says('', [image])], { firstComment: 'first' })).toEqual([])
  })

  it('count first comments as posts where they are posts', () => {
    const comment = (platform: Parameters<typeof rulesFor>[0], firstComment: string, more: MoreFacts = {}) =>
      said(asks(platform, 'post'), [says('x')], { firstComment, ...more })
    const link = `https://example.org/${'a'.repeat(280)}`
    expect(comment('x', '日'.repeat(140))).toEqual([])
    expect(comment('x', '日'.repeat(200))).toEqual([
      'firstComment: the first comment is 120 characters over the limit of 280',
    ])
    expect(comment('x', link)).toEqual([])
    expect(comment('x', '$ABC $DEF')).toEqual(['firstComment: no more than 1 cashtag (such as $ABC) is allowed'])
    expect(comment('threads', '😀'.repeat(200))).toEqual([
      'firstComment: the first comment is 300 characters over the limit of 500',
    ])
    expect(comment('mastodon', link.repeat(2), { details: { privacy: 'public' } })).toEqual([])
    expect(comment('bluesky', '👨‍👩‍👧‍👦'.repeat(121))).toEqual([
      'firstComment: the first comment is 25 bytes over the limit of 3000',
    ])
    // the post's link doesn't count in its comment
    expect(comment('threads', 'a'.repeat(500), { details: { link: 'https://example.org' } })).toEqual([])
    expect(said(asks('facebook', 'post'), [says('x')], { firstComment: 'a'.repeat(8001) })).toEqual([
      'firstComment: the first comment is 1 character over the limit of 8000',
    ])
  })

  it("require TikTok's disclosure of commercial content", () => {
    const video = { ...clip, hasThumbnail: true }
    const tiktok = (details: object) => said(asks('tiktok', 'post'), [says('x', [video])], { details })
    expect(tiktok({ privacy: 'SELF_ONLY' })).toEqual([])
    expect(tiktok({ privacy: 'SELF_ONLY', disclosure: { yourBrand: false, brandedContent: false } })).toEqual([
      'additionalDetails.disclosure: You need to indicate if your content promotes yourself, a third party, or both.',
    ])
    expect(tiktok({ privacy: 'SELF_ONLY', disclosure: { yourBrand: true, brandedContent: false } })).toEqual([])
    expect(tiktok({ privacy: 'SELF_ONLY', disclosure: { yourBrand: false, brandedContent: true } })).toEqual([
      'additionalDetails.privacy: Branded content visibility cannot be set to private.',
    ])
    expect(tiktok({ privacy: 'PUBLIC_TO_EVERYONE', disclosure: { yourBrand: true, brandedContent: true } })).toEqual([])
    const rules = asks('tiktok', 'post')
    const labels = [
      {},
      { disclosure: { yourBrand: true, brandedContent: false } },
      { disclosure: { yourBrand: true, brandedContent: true } },
    ].map((details) => [disclosedAs(rules, details), consentFor(rules, details).map(({ label }) => label)])
    expect(labels).toEqual([
      [undefined, ['Music Usage Confirmation']],
      ['Promotional content', ['Music Usage Confirmation']],
      ['Paid partnership', ['Branded Content Policy', 'Music Usage Confirmation']],
    ])
  })

  it('count together what is sent in one text', () => {
    const link = { link: 'https://example.org/' }
    expect(said(asks('threads', 'post'), [says('a'.repeat(480), [image])], { details: link })).toEqual([
      'contents.0.text: the text is 1 character over the limit of 500',
    ])
    // it has its own field without files, is in the text already, or belongs to the first of a thread
    expect(said(asks('threads', 'post'), [says('a'.repeat(500))], { details: link })).toEqual([])
    expect(
      said(asks('threads', 'post'), [says(`${'a'.repeat(479)} ${link.link}`, [image])], { details: link }),
    ).toEqual([])
    expect(said(asks('threads', 'post'), [says('a'), says('a'.repeat(500), [image])], { details: link })).toEqual([])
    expect(said(asks('facebook', 'post'), [says('a'.repeat(59_990), [image])], { details: link })).toEqual([
      'contents.0.text: the text is 11 characters over the limit of 60000',
    ])
    const tiktok = (title: string, text: string, file: ContentFacts['media'][number]) =>
      said(asks('tiktok', 'post'), [{ title, text, media: [file] }], { details: { privacy: 'SELF_ONLY' } })
    expect(tiktok('a'.repeat(90), 'b'.repeat(2109), clip)).toEqual([])
    expect(tiktok('a'.repeat(90), 'b'.repeat(2110), clip)).toEqual([
      'contents.0.text: the text is 1 character over the limit of 2200',
    ])
    expect(tiktok('a'.repeat(90), 'b'.repeat(2200), { ...image, width: 1080, height: 1080 })).toEqual([])
    expect(tiktok('😀'.repeat(46), '', { ...image, width: 1080, height: 1080 })).toEqual([
      'contents.0.title: the title is 2 characters over the limit of 90',
    ])
  })

  it('refuse characters that YouTube refuses', () => {
    expect(
      said(asks('youtube', 'video'), [{ title: 'a < b', text: 'b > a', media: [clip] }], {
        details: { madeForKids: false },
      }),
    ).toEqual(["contents.0.title: the title can't contain < or >", "contents.0.text: the text can't contain < or >"])
  })

  it('check which files X accepts together', () => {
    const gif = { contentType: 'image/gif', bytes: 1000 }
    expect(said(asks('x', 'post'), [says('x', [image, clip])])).toEqual([
      'contents.0.media: mixed media types are not supported',
    ])
    for (const files of [
      [gif, gif],
      [gif, image],
    ])
      expect(said(asks('x', 'post'), [says('x', files)])).toEqual([
        'contents.0.media: a GIF must be the only file in a post',
      ])
    expect(said(asks('x', 'post'), [says('x', [gif])])).toEqual([])
    expect(said(asks('x', 'post'), [says('x', [image, image, image, image])])).toEqual([])
  })

  it("check images' shapes and sizes, and offer cropping or a smaller copy", () => {
    const feed = (width: number, height: number) =>
      mediaErrors(asks('instagram', 'post'), { ...image, width, height }, 'at').map(({ message, fix }) => [
        message,
        fix,
      ])
    const refused = [['image must be between 4:5 and 1.91:1 (width to height)', 'crop']]
    for (const [width, height] of [
      [1080, 1350],
      [1080, 1080],
      [1200, 628],
      [1910, 1000],
    ] as const)
      expect(feed(width, height)).toEqual([])
    for (const [width, height] of [
      [3000, 4000],
      [1080, 1920],
      [1920, 1000],
    ] as const)
      expect(feed(width, height)).toEqual(refused)
    expect(mediaErrors(asks('instagram', 'story'), { ...image, width: 1080, height: 1920 }, 'at')).toEqual([])
    // what isn't known yet isn't refused
    expect(mediaErrors(asks('instagram', 'post'), { ...image, width: null, height: null }, 'at')).toEqual([])
    const photo = (width: number, height: number) =>
      mediaErrors(asks('tiktok', 'post'), { ...image, width, height }, 'at').map(({ message, fix }) => [message, fix])
    expect([photo(1080, 1920), photo(1920, 1080)]).toEqual([[], []])
    for (const [width, height] of [
      [4000, 3000],
      [1081, 1081],
      [1000, 1921],
    ] as const)
      expect(photo(width, height)).toEqual([['image cannot be larger than 1080 by 1920 pixels', 'fit']])
  })

  it("count a Threads post's links with those in its text, even without https://", () => {
    const text = 'a.com b.com c.com d.com https://e.com'
    const threads = (words: string, link?: string) =>
      said(asks('threads', 'post'), [says(words)], {
        findSpans: platformRules.threads.findSpans,
        ...(link && { details: { link } }),
      })
    expect(threads(text)).toEqual([])
    expect(threads(text, 'https://e.com')).toEqual([])
    expect(threads(text, 'https://f.com')).toEqual(['contents.0.text: no more than 5 different links are allowed'])
    expect(said(asks('x', 'post'), [says('$ABC, $DEF')])).toEqual([
      'contents.0.text: no more than 1 cashtag (such as $ABC) is allowed',
    ])
    expect(said(asks('x', 'post'), [says('$ABC is at $12')])).toEqual([])
  })

  it('limit hashtags, mentions and links', () => {
    const tags = Array.from({ length: 31 }, (_, i) => `#tag${i}`).join(' ')
    expect(
      said(asks('instagram', 'post'), [says(tags, [image])], { findSpans: platformRules.instagram.findSpans }),
    ).toEqual(['contents.0.text: no more than 30 hashtags are allowed'])
  })

  it('allow longer texts for verified accounts', () => {
    const text = 'a'.repeat(281)
    expect(said(asks('x', 'post'), [says(text)])).toEqual([
      'contents.0.text: the text is 1 character over the limit of 280',
    ])
    expect(said(withLimits(asks('x', 'post'), { verified: true }), [says(text)])).toEqual([])
  })
})
