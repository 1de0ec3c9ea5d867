import { describe, expect, it } from 'vitest'
import { DraftBody } from '#contract/drafts.ts'
import { aiHelpFor, docOfDraft, draftOf, itemsFor, mentionsFor, planFor, mediaKey, mediaOfDraft, newItem, withChannels, withVariant, emptyDoc } from './doc.ts'

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
  additionalDetails: { linkCard: card },
  firstComment: 'See you',
  variants: { [other]: { postType: 'reel', contents: [{ text: 'Shorter', media: [] }], additionalDetails: { privacy: 'public' }, firstComment: '', schedule: { mode: 'once', date: '2026-12-24', time: '18:00', timezone: 'Europe/Berlin' }, aiHelp: ['adapt'] } },
  aiHelp: ['write'],
  mentions: [{ channelId: one, userId: '7', name: '@ada' }],
  labelIds: [one],
  workflowId: other,
  schedule: { mode: 'weekly', date: '2026-12-01', time: '09:30', timezone: 'Europe/Berlin', endDate: '2026-12-20', daysOfWeek: [1, 3] },
})

describe('what is written and what is saved of it', () => {
  it('a draft comes back as it was saved', () => {
    const doc = docOfDraft(draft, now, (text) => (text.includes('https') ? [card.uri] : []))
    const files = mediaOfDraft(draft)
    const back = draftOf(doc, { mediaOf: (key) => files.find((file) => mediaKey(file) === key), cardOf: (text) => (text.includes('https') ? card : undefined) })
    expect(back).toEqual(draft)
    expect(DraftBody.parse(back)).toEqual(draft)
  })

  it('a channel goes out at its own time, or at the shared one', () => {
    const doc = docOfDraft(draft, now, () => [])
    expect(planFor(doc, other)).toMatchObject({ mode: 'once', when: { day: '2026-12-24', clock: '18:00', zone: 'Europe/Berlin' } })
    expect(planFor(doc, one)).toBe(doc.plan)
    expect(planFor(withVariant(doc, other, { plan: undefined }), other)).toBe(doc.plan)
  })

  it('what AI helped with belongs to all, or to the channel whose words it wrote', () => {
    const doc = docOfDraft(draft, now, () => [])
    expect([aiHelpFor(doc, one), aiHelpFor(doc, other)]).toEqual([['write'], ['write', 'adapt']])
  })

  it('a mention goes out where its name stands, on the platform that it was found at', () => {
    const channels = [{ channelId: one, platformName: 'x' as const }, { channelId: other, platformName: 'x' as const }, { channelId: 'third', platformName: 'linkedin' as const }]
    const doc = withVariant({ ...docOfDraft(draft, now, () => []), items: [newItem({ text: 'With @ada' })] }, other, { items: [newItem({ text: 'With nobody' })], firstComment: undefined })
    expect(channels.map((channel) => mentionsFor(doc, channel, channels))).toEqual([[{ userId: '7', name: '@ada' }], [], []])
  })

  it('the same file with other words is another file of the composer', () => {
    expect(mediaOfDraft(draft)).toEqual([{ assetId: asset, altText: 'A door' }, { assetId: asset }])
  })

  it('a channel has its own words until it goes back to the shared ones', () => {
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
  const channels = [{ channelId: one, zone: 'Asia/Tokyo' }, { channelId: other, zone: 'America/New_York' }]
  const doc = emptyDoc('Europe/Berlin', now)
  const zoneFor = (channelIds: string[], began: Date | undefined = now) => withChannels(doc, channelIds, { channels, zone: 'Europe/Berlin', began }).plan.when.zone

  it('is in the zone of its channels where they share one, else in that of the project', () => {
    expect(zoneFor([one])).toBe('Asia/Tokyo')
    expect(zoneFor([one, other])).toBe('Europe/Berlin')
    expect(zoneFor([])).toBe('Europe/Berlin')
    // and back: what begins in one zone goes on in another
    expect(withChannels(withChannels(doc, [one], { channels, zone: 'Europe/Berlin', began: now }), [other], { channels, zone: 'Europe/Berlin', began: now }).plan.when.zone).toBe('America/New_York')
  })

  it('stays as it is where the post did not begin here, as one for a day of the calendar', () => {
    expect(withChannels(doc, [one], { channels, zone: 'Europe/Berlin', began: undefined }).plan).toBe(doc.plan)
  })
})
