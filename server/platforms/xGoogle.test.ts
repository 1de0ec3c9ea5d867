import { sentenceOf } from '#contract/failures/catalog.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { keepSignedIn, signIn, type Channel } from '../testing/adapter/channel.ts'
import { listOwn } from '../testing/adapter/listOwn.ts'
import { publishLike } from '../testing/adapter/publishLike.ts'
import { standing, standsOnce } from '../testing/adapter/standsOnce.ts'
import { outgoingPost, syntheticFile } from '../testing/outgoing.ts'
import { visitPlatforms, type Visitor } from '../testing/visitor.ts'
import { createGooglemybusiness } from './googlemybusiness/adapter.ts'
import type { Outgoing, Platform } from './platform.ts'
import { createX } from './x/adapter.ts'
import { createYoutube } from './youtube/adapter.ts'

/*
 * X, YouTube and Google Business Profile against simulators that were written independently from the platforms'
 * documentation: what conformance.test.ts doesn't cover. Whichever response is lost, each post exists exactly once.
 */

let visit: Visitor
beforeAll(async () => {
  visit = await visitPlatforms()
})
afterAll(() => visit.stop())

const photo = (altText = 'A rook') =>
  syntheticFile('image/jpeg', { altText, bytes: 20_000, url: () => 'https://files.test/20000.jpg' })
const clip = (bytes = 9_000_000) => syntheticFile('video/mp4', { bytes })
const video = (title: string, more: Partial<Outgoing> = {}) =>
  outgoingPost({
    postType: 'video',
    contents: [{ title, text: 'Described', media: [clip(5_000_000)] }],
    details: { privacy: 'public', madeForKids: false },
    ...more,
  })
const event = { start: { date: '2026-12-01', time: '09:00' }, end: { date: '2026-12-02', time: '18:30' } }
type Kind = [name: string, stands: number, make: (words: string) => Outgoing]
const ways: [key: PlatformKey, create: () => Platform, kinds: Kind[]][] = [
  [
    'x',
    createX,
    [
      [
        'text with a thread and a first comment',
        4,
        (text) =>
          outgoingPost({
            contents: [text, `${text} 2`, `${text} 3`].map((words) => ({
              text: `${words} https://example.com/a?b=1 & <more>`,
              media: [],
            })),
            firstComment: `${text} comment`,
          }),
      ],
      [
        'pictures in a thread',
        2,
        (text) =>
          outgoingPost({
            contents: [text, `${text} 2`].map((words) => ({ text: words, media: [photo(), photo('')] })),
          }),
      ],
      ['a video', 1, (text) => outgoingPost({ text, media: [clip()] })],
      ['a link alone', 1, (text) => outgoingPost({ text: `https://example.com/${text.replaceAll(' ', '-')}` })],
      ['files without words', 1, () => outgoingPost({ media: [syntheticFile('image/gif')] })],
    ],
  ],
  [
    'youtube',
    createYoutube,
    [
      [
        'a video with a thumbnail and a first comment',
        2,
        (text) =>
          video(text, {
            firstComment: `${text} comment`,
            contents: [
              {
                title: text,
                text: 'Described',
                media: [syntheticFile('video/mp4', { bytes: 20_000_000, thumbnail: photo() })],
              },
            ],
          }),
      ],
      [
        'a private video',
        1,
        (text) => video(text, { details: { privacy: 'private', madeForKids: true, categoryId: '22' } }),
      ],
    ],
  ],
  [
    'googlemybusiness',
    createGooglemybusiness,
    [
      [
        'an update with a button and a picture',
        1,
        (text) =>
          outgoingPost({
            postType: 'update',
            text,
            media: [photo()],
            details: { callToAction: { action: 'LEARN_MORE', url: 'https://example.com' } },
          }),
      ],
      [
        'an update to call',
        1,
        (text) => outgoingPost({ postType: 'update', text, details: { callToAction: { action: 'CALL' } } }),
      ],
      [
        'an offer',
        1,
        (text) =>
          outgoingPost({
            postType: 'offers',
            contents: [{ title: text.slice(0, 58), text: '', media: [] }],
            details: { event, offer: { couponCode: 'ROOK', redeemUrl: 'https://example.com', terms: 'One each' } },
          }),
      ],
    ],
  ],
]

describe.each(ways)('%s', (key, create, kinds) => {
  let channel: Channel
  beforeAll(async () => {
    channel = await signIn(visit, create())
  })
  beforeEach(async () => {
    visit.platform(key).violations.length = 0
    await keepSignedIn(channel, visit.clock.now)
  })

  /** How many posts and follow-ups people see. */
  const count = () => {
    const live = standing(visit, { key })
    const there = new Set(live.map(({ id }) => id))
    return key === 'youtube' ? live.filter(({ parent }) => parent === null || there.has(parent)).length : live.length
  }

  it.each(kinds)('publishes %s once, whichever response is lost', async (_name, stands, make) => {
    const once = await standsOnce(visit, channel, make, { drop: 'after' }, { count })
    expect(once).toMatchObject({ whole: stands, wrong: null, leftToAPerson: 0 })
    expect(once.calls).toBeGreaterThan(0)
    expect(visit.platform(key).violations).toEqual([])
  })

  it('reads metrics and own posts, and deletes a post with its follow-ups', async () => {
    const { platform, reach, secret, account } = channel
    const make = kinds[0]?.[2]
    if (!make) throw new Error('no kind of post')
    const before = count()
    const { remoteId } = await publishLike(channel, visit.clock, make('Figures'))
    const figures = await platform.metrics?.read(reach, secret, account, [
      { remoteId, postType: 'post', publishedAt: new Date(visit.clock.now) },
    ])
    if (platform.metrics)
      expect(figures?.kind === 'metrics' && figures.of.get(remoteId)).toMatchObject({ reactions: expect.any(Number) })
    expect((await listOwn(channel)).posts[0]).toMatchObject({ remoteId, text: expect.stringContaining('Figures') })
    expect((await platform.connect.check?.(reach, secret, account))?.kind).toBe('works')
    expect((await platform.publish.remove?.(reach, secret, account, remoteId))?.kind).toBe('removed')
    expect(count()).toBe(before)
    expect((await platform.publish.remove?.(reach, secret, account, remoteId))?.kind).toBe('removed')
    expect(visit.platform(key).violations).toEqual([])
  })

  it('renews the sign-in before it ends', async () => {
    const { platform, reach, secret, account, expiresAt } = await signIn(visit, create())
    expect(platform.connect.needsRefresh(secret, expiresAt, new Date(visit.clock.now))).toBe(false)
    visit.clock.now += 2 * 3_600_000
    expect((await platform.connect.check?.(reach, secret, account))?.kind).toBe('retry')
    const renewed = await platform.connect.refresh(reach, secret, account)
    if (renewed.kind !== 'refreshed') throw new Error(sentenceOf(renewed.reason))
    expect(platform.connect.needsRefresh(renewed.secret, renewed.expiresAt, new Date(visit.clock.now))).toBe(false)
    expect(
      platform.connect.needsRefresh(renewed.secret, renewed.expiresAt, new Date(visit.clock.now + 2 * 3_600_000)),
    ).toBe(true)
    expect((await platform.connect.check?.(reach, renewed.secret, account))?.kind).toBe('works')
  })
})
