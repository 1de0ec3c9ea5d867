import { describe, expect, it } from 'vitest'
import { DraftBody } from '#contract/drafts.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { isMixed } from './alike.ts'
import { withChannels } from './chooseChannels.ts'
import {
  aiHelpFor,
  firstCommentFor,
  itemsFor,
  mentionsFor,
  planFor,
  newItem,
  withVariant,
  emptyDoc,
  type Doc,
} from './doc.ts'
import { docOfDraft, isWorthSaving, draftOf, mediaKey, mediaOfDraft } from './draftDoc.ts'

const now = new Date('2026-11-20T10:00:00Z')
const [one, other] = ['019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002']
const asset = '019a0000-0000-7000-8000-00000000000a'
const card = { uri: 'https://example.org/', title: 'A page', description: '', imageAssetId: null }

const draft = DraftBody.parse({
  title: 'Opening',
  text: 'We open https://example.org/',
  media: [{ assetId: asset, altText: 'A door' }],
  thread: [{ text: 'and close', media: [{ assetId: asset }] }],
  channelIds: [one, other],
  // half a link is kept until it's submitted
  additionalDetails: { linkCard: card, bioLink: { pageId: one, url: 'https://exam' } },
  firstComment: 'See you',
  variants: {
    [other]: {
      postType: 'reel',
      contents: [{ text: 'Shorter', media: [] }],
      additionalDetails: { privacy: 'public' },
      firstComment: '',
      schedule: { mode: 'once', date: '2026-12-24', time: '18:00', timezone: 'Europe/Berlin' },
      aiHelp: ['adapt'],
    },
  },
  aiHelp: ['write'],
  mentions: [{ channelId: one, userId: '7', name: '@ada' }],
  labelIds: [one],
  workflowId: other,
  schedule: {
    mode: 'weekly',
    date: '2026-12-01',
    time: '09:30',
    timezone: 'Europe/Berlin',
    endDate: '2026-12-20',
    daysOfWeek: [1, 3],
  },
})

describe('the post and its saved draft', () => {
  it('are the same after saving and opening', () => {
    const doc = docOfDraft(draft, now, (text) => (text.includes('https') ? [card.uri] : []))
    const files = mediaOfDraft(draft)
    const back = draftOf(doc, {
      mediaOf: (key) => files.find((file) => mediaKey(file) === key),
      cardOf: (text) => (text.includes('https') ? card : undefined),
    })
    expect(back).toEqual(draft)
    expect(DraftBody.parse(back)).toEqual(draft)
  })

  it('keeps the details of a post that became a draft, without what the server knew of its links', () => {
    const linkFacts = { channel: 'a', campaign: '', shortUrl: 'https://go.example', ownHosts: [] }
    const details = { linkTags: { utm_source: 'mine' }, shorten: true }
    const doc = docOfDraft(
      { ...draft, additionalDetails: { ...details, linkFacts }, variants: { [other]: { postType: 'post' } } },
      now,
      () => [],
    )
    expect(doc.variants[other]).toEqual({ postType: 'post', details })
  })

  it('publish a channel at its custom time, or at the shared one', () => {
    const doc = docOfDraft(draft, now, () => [])
    expect(planFor(doc, other)).toMatchObject({
      mode: 'once',
      when: { day: '2026-12-24', clock: '18:00', zone: 'Europe/Berlin' },
    })
    expect(planFor(doc, one)).toBe(doc.plan)
    expect(planFor(withVariant(doc, other, { plan: undefined }), other)).toBe(doc.plan)
  })

  it('attribute AI help to all channels, or to the one whose text it wrote', () => {
    const doc = docOfDraft(draft, now, () => [])
    expect([aiHelpFor(doc, one), aiHelpFor(doc, other)]).toEqual([['write'], ['write', 'adapt']])
  })

  it('send a mention if its name is in the text, on the platform where it was found', () => {
    const channels = [
      { channelId: one, platformName: 'x' as const },
      { channelId: other, platformName: 'x' as const },
      { channelId: 'third', platformName: 'linkedin' as const },
    ]
    const doc = withVariant({ ...docOfDraft(draft, now, () => []), items: [newItem({ text: 'With @ada' })] }, other, {
      items: [newItem({ text: 'With nobody' })],
      firstComment: undefined,
    })
    expect(channels.map((channel) => mentionsFor(doc, channel, channels))).toEqual([
      [{ userId: '7', name: '@ada' }],
      [],
      [],
    ])
  })

  it('treat the same file with another alt text as another file', () => {
    expect(mediaOfDraft(draft)).toEqual([{ assetId: asset, altText: 'A door' }, { assetId: asset }])
  })

  it("keep a channel's own text until it returns to the shared one", () => {
    const doc = emptyDoc('UTC', now)
    const own = withVariant(doc, one, { items: [newItem({ text: 'mine' })], postType: 'story' })
    expect(itemsFor(own, one)[0]?.text).toBe('mine')
    expect(itemsFor(own, other)).toBe(doc.items)
    const back = withVariant(own, one, { items: undefined })
    expect(itemsFor(back, one)).toBe(doc.items)
    expect(back.variants).toEqual({ [one]: { postType: 'story' } })
    expect(withVariant(back, one, { postType: undefined }).variants).toEqual({})
  })
})

describe('the time of a new post', () => {
  const channels = [
    { channelId: one, platformName: 'x' as const, zone: 'Asia/Tokyo' },
    { channelId: other, platformName: 'x' as const, zone: 'America/New_York' },
  ]
  const doc = emptyDoc('Europe/Berlin', now)
  const zoneFor = (channelIds: string[], began: Date | undefined = now) =>
    withChannels(doc, channelIds, { channels, zone: 'Europe/Berlin', began }).plan.when.zone

  it("uses its channels' zone if they share one, otherwise the project's", () => {
    expect(zoneFor([one])).toBe('Asia/Tokyo')
    expect(zoneFor([one, other])).toBe('Europe/Berlin')
    expect(zoneFor([])).toBe('Europe/Berlin')
    // and back: what begins in one zone continues in another
    expect(
      withChannels(withChannels(doc, [one], { channels, zone: 'Europe/Berlin', began: now }), [other], {
        channels,
        zone: 'Europe/Berlin',
        began: now,
      }).plan.when.zone,
    ).toBe('America/New_York')
  })

  it("stays if the post didn't begin here, such as one for a day of the calendar", () => {
    expect(withChannels(doc, [one], { channels, zone: 'Europe/Berlin', began: undefined }).plan).toBe(doc.plan)
  })
})

describe('an added channel', () => {
  const on = (platformName: PlatformKey, ...ids: string[]) =>
    ids.map((channelId) => ({ channelId, platformName, zone: 'UTC' }))
  const channels = [
    ...on('mastodon', 'm1', 'm2', 'm3'),
    ...on('facebook', 'f1', 'f2'),
    ...on('pinterest', 'p1', 'p2'),
    ...on('tiktok', 't1', 't2'),
  ]
  const choose = (doc: Doc, channelIds: string[]) =>
    withChannels(doc, channelIds, { channels, zone: 'UTC', began: undefined })
  const begun = (...channelIds: string[]) => choose(emptyDoc('UTC', now), channelIds)

  it("has the same audience and content warning as the platform's others on screen", () => {
    const doc = withVariant(begun('m1'), 'm1', {
      details: { privacy: 'private', contentWarning: 'Spoilers', languages: ['de'] },
    })
    expect(choose(doc, ['m1', 'm2']).variants['m2']).toEqual({
      details: { privacy: 'private', contentWarning: 'Spoilers', languages: ['de'] },
    })
    // nothing comes from another platform
    expect(choose(doc, ['m1', 'f1']).variants['f1']).toBeUndefined()
  })

  it('gets the same post type, and keeps its own text', () => {
    const doc = withVariant(withVariant(begun('f1'), 'f1', { postType: 'reel', firstComment: 'Mine' }), 'f2', {
      items: [newItem({ text: 'Theirs' })],
    })
    expect(choose(doc, ['f1', 'f2']).variants['f2']).toMatchObject({ postType: 'reel', items: [{ text: 'Theirs' }] })
    expect(firstCommentFor(choose(doc, ['f1', 'f2']), 'f2')).toBe('')
  })

  it("that was removed and comes back gets the others' current settings", () => {
    const both = withVariant(withVariant(begun('m1', 'm2'), 'm1', { details: { privacy: 'unlisted' } }), 'm2', {
      details: { privacy: 'unlisted', contentWarning: 'Old' },
    })
    const later = withVariant(choose(both, ['m1']), 'm1', { details: { privacy: 'private' } })
    expect(choose(later, ['m1', 'm2']).variants['m2']).toEqual({ details: { privacy: 'private' } })
    expect(choose(withVariant(later, 'm1', { details: undefined }), ['m1', 'm2']).variants['m2']).toBeUndefined()
    // it came alone: its own settings are shown
    expect(choose(choose(both, []), ['m2']).variants['m2']).toEqual({
      details: { privacy: 'unlisted', contentWarning: 'Old' },
    })
  })

  it('keeps what belongs to its account, and gets none from another', () => {
    const doc = withVariant(
      withVariant(begun('p1'), 'p1', { details: { boardId: 'b1', link: 'https://example.org/' } }),
      'p2',
      { details: { boardId: 'b2' } },
    )
    expect(choose(doc, ['p1', 'p2']).variants['p2']).toEqual({
      details: { boardId: 'b2', link: 'https://example.org/' },
    })
    const video = withVariant(begun('t1'), 't1', { details: { privacy: 'PUBLIC_TO_EVERYONE' } })
    expect(choose(video, ['t1', 't2']).variants['t2']).toBeUndefined()
  })

  it('gets a value that only one of the others has', () => {
    const doc = withVariant(begun('m1', 'm2'), 'm2', { details: { privacy: 'private' } })
    expect(choose(doc, ['m1', 'm2', 'm3']).variants['m3']).toEqual({ details: { privacy: 'private' } })
    expect(doc.variants['m1']).toBeUndefined()
  })
})

describe('settings shared by channels of one platform', () => {
  const privacy = platformRules.mastodon.posts[0]?.details.find(({ field }) => field === 'privacy')
  const kids = platformRules.youtube.posts[0]?.details.find(({ field }) => field === 'madeForKids')

  it('are the same only if they publish the same', () => {
    if (!privacy || !kids) throw new Error('these fields are gone')
    expect(isMixed(privacy, [{ privacy: 'private' }, { privacy: 'private', contentWarning: 'x' }])).toBe(false)
    expect(isMixed(privacy, [{ privacy: 'private' }, undefined])).toBe(true)
    // untouched means public
    expect(isMixed(privacy, [{ privacy: 'public' }, {}])).toBe(false)
    expect(isMixed(kids, [{ madeForKids: false }, {}])).toBe(true)
  })
})

describe('a file that is still uploading', () => {
  const doc = emptyDoc('UTC', new Date('2026-11-22T10:00:00Z'))
  const parts = { mediaOf: () => undefined, cardOf: () => undefined }

  it('is named in the draft, and makes it worth saving', () => {
    const unfinished = [{ fileName: 'opening.mp4', bytes: 264_000_000 }]
    expect(draftOf(doc, parts, unfinished).unfinished).toEqual(unfinished)
    expect(isWorthSaving(draftOf(doc, parts, unfinished))).toBe(true)
    expect(isWorthSaving(draftOf(doc, parts))).toBe(false)
  })
})
