import { describe, expect, it } from 'vitest'
import type { Channel } from '#contract/channels.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import {
  commentCounts,
  countsOf,
  detailsFor,
  errorsByChannel,
  fileErrors,
  fileRefusals,
  fitFor,
  mostImages,
  overflowAt,
  takenBy,
  takesAltText,
  withoutText,
} from './checks.ts'
import { withChannels } from './chooseChannels.ts'
import { emptyDoc, newItem, type Doc, type Item } from './doc.ts'
import { knownLinks } from './knownLinks.ts'

const channel: Channel = {
  channelId: '019a0000-0000-7000-8000-000000000100',
  channelName: 'Northlight',
  handle: '@northlight.coffee',
  platformName: 'bluesky',
  profileUrl: null,
  domain: null,
  status: 'CONNECTED',
  enabled: true,
  planLocked: false,
  simulated: false,
  zone: 'UTC',
  latenessMinutes: 60,
  scheduledPosts: 0,
  connectedOn: '2026-11-01T00:00:00Z',
  problem: null,
  kind: null,
  missing: [],
  limits: null,
  checkedAt: null,
  signInEndsAt: null,
  latePosts: 0,
  deleting: false,
}
const on = (platformName: PlatformKey): Channel => ({
  ...channel,
  platformName,
  channelId: `019a0000-0000-7000-8000-0000000002${platformName.length.toString().padStart(2, '0')}`,
})
const docWith = (item: Partial<Item>, more: Partial<Doc> = {}): Doc => ({
  ...emptyDoc('UTC', new Date('2026-11-20T10:00:00Z')),
  items: [newItem(item)],
  ...more,
})
const known = {
  factsOf: () => ({ contentType: 'image/webp', bytes: 3_000_000 }),
  cardOf: () => undefined,
  now: () => true,
}
const taken = takenBy([channel])
const family = '👩‍👩‍👧‍👦'

describe('checks while typing', () => {
  it('counts as the platform does, and shows bytes only near the limit', () => {
    expect(countsOf(taken, `Grüße ${family}`)).toEqual([
      { platform: 'bluesky', label: 'Bluesky', unit: 'shortened', used: 7, max: 300 },
    ])
    expect(countsOf(taken, family.repeat(110)).map((count) => [count.unit, count.used])).toEqual([
      ['shortened', 110],
      ['shortenedbytes', 2750],
    ])
    expect(
      countsOf(takenBy([on('x'), on('mastodon')]), 'https://example.org/a/very/long/path').map(({ label, used }) => [
        label,
        used,
      ]),
    ).toEqual([
      ['X', 23],
      ['Mastodon', 23],
    ])
    expect(countsOf(taken, 'See https://example.org/a/very/long/path')[0]?.used).toBe(
      'See example.org/a/very/long/...'.length,
    )
  })

  it('knows where the text becomes too long', () => {
    expect(overflowAt(taken, 'a'.repeat(300))).toBeUndefined()
    expect(overflowAt(taken, 'a'.repeat(305))).toBe(300)
    expect(overflowAt(taken, family.repeat(130))).toBe(120 * family.length)
    expect(overflowAt(taken, `  ${'a'.repeat(305)}`)).toBe(302)
  })

  it('counts links as they are sent, by the settings of each channel', () => {
    // on a platform that counts whole links
    const one = on('threads')
    const other = { ...one, channelId: '019a0000-0000-7000-8000-000000000101' }
    const facts = { channel: 'northlight.coffee', campaign: '', shortUrl: 'https://go.example', ownHosts: [] }
    const links = knownLinks([one, other], ({ channelId }, details) => ({
      ...details,
      shorten: channelId === other.channelId,
      linkTags: { utm_source: 'threads' },
      linkFacts: facts,
    }))
    const text = 'https://acme.example/a-rather-long-address/of-a-page'
    const used = (of: Channel) => countsOf(takenBy([of], {}, links), ` ${text} `)[0]?.used
    expect(used(one)).toBe(text.length + '?utm_source=threads'.length)
    expect(used(other)).toBe('https://go.example/s/12345678'.length)
    // the fullest one of both
    expect(countsOf(takenBy([one, other], {}, links), text)[0]?.used).toBe(used(one))
    const long = `${'a'.repeat(450)} ${text}`
    expect(overflowAt(takenBy([other], {}, links), long)).toBeUndefined()
    expect(overflowAt(takenBy([one], {}, links), long)).toBeGreaterThan(450)
    const broken = errorsByChannel([one, other], docWith({ text: long }), { ...known, links })
    expect(broken.map(({ channel: of }) => of.channelId)).toEqual([one.channelId])
  })

  it("counts what is sent with the text: a link beside files, a video's title", () => {
    const [threads, tiktok] = [on('threads'), on('tiktok')]
    const linked = takenBy([threads], { [threads.channelId]: { details: { link: 'https://example.org/' } } })
    const beside = { title: '', types: ['image/jpeg'], isFirst: true }
    const used = (...args: Parameters<typeof countsOf>) => countsOf(...args).map((count) => count.used)
    expect(used(linked, 'Hi', beside)).toEqual([2 + 1 + 20])
    expect(used(linked, 'Hi', { ...beside, types: [] })).toEqual([2])
    expect(used(linked, 'Hi', { ...beside, isFirst: false })).toEqual([2])
    expect(overflowAt(linked, 'a'.repeat(490), beside)).toBe(479)
    expect(used(takenBy([tiktok]), 'Hi', { ...beside, title: 'Rooks', types: ['video/mp4'] })).toEqual([8])
    expect(used(takenBy([tiktok]), 'Hi', { ...beside, title: 'Rooks' })).toEqual([2])
  })

  it('marks what is too long after a long URL', () => {
    const address = `https://example.org/${'a'.repeat(200)}`
    expect(overflowAt(takenBy([on('x')]), `${address} ${'b'.repeat(260)}`)).toBe(address.length + 1 + 256)
  })

  it('counts a first comment as each platform does', () => {
    const counts = (text: string, ...keys: PlatformKey[]) =>
      commentCounts(takenBy(keys.map(on)), text).map(({ label, used, max }) => [label, used, max])
    expect(counts('日'.repeat(100), 'x', 'facebook', 'threads')).toEqual([
      ['X', 200, 280],
      ['Facebook', 100, 8000],
      ['Threads', 100, 500],
    ])
    expect(counts(`https://example.org/${'a'.repeat(300)}`, 'x')).toEqual([['X', 23, 280]])
    expect(counts('x', 'pinterest')).toEqual([])
  })

  it("reports problems by channel, with the server's messages", () => {
    const [found] = errorsByChannel([channel], docWith({ text: 'x'.repeat(301), media: ['a'] }), known)
    expect(found?.errors.map((error) => error.message)).toEqual(['the text is 1 character over the limit of 300'])
    const card = { uri: 'https://example.org/', title: 'A page', description: '', imageAssetId: null }
    expect(errorsByChannel([channel], docWith({ text: '' }), { ...known, cardOf: () => card })).toEqual([])
  })

  it("checks each channel's own content", () => {
    const other = on('mastodon')
    const doc = docWith(
      { text: 'x'.repeat(400) },
      { variants: { [channel.channelId]: { items: [newItem({ text: 'short' })] } } },
    )
    expect(errorsByChannel([channel, other], doc, known)).toEqual([])
    expect(
      errorsByChannel([channel, { ...channel, channelId: other.channelId }], doc, known).map(
        (one) => one.channel.channelId,
      ),
    ).toEqual([other.channelId])
  })

  it("applies each account's own limits", () => {
    const plain = on('mastodon')
    const large: Channel = { ...plain, channelId: channel.channelId, limits: { text: 1000, addressLength: 10 } }
    const text = `${'x'.repeat(600)} https://example.org/a/very/long/path`
    expect(errorsByChannel([plain, large], docWith({ text }), known).map((one) => one.channel.channelId)).toEqual([
      plain.channelId,
    ])
    expect(countsOf(takenBy([plain, large, { ...large }]), text).map(({ used, max }) => [used, max])).toEqual([
      [624, 500],
    ])
    expect(overflowAt(takenBy([large]), text)).toBeUndefined()
    // a content warning counts with the text
    const warned = takenBy([plain], { [plain.channelId]: { details: { contentWarning: 'Birds, many' } } })
    expect(countsOf(warned, 'x'.repeat(490))).toEqual([
      { platform: 'mastodon', label: 'Mastodon', unit: 'links23', used: 501, max: 500 },
    ])
    expect(overflowAt(warned, 'x'.repeat(490))).toBe(489)
    expect(overflowAt(takenBy([{ ...on('x'), limits: { verified: true } }]), 'x'.repeat(300))).toBeUndefined()
  })

  it("requires what the chosen post type needs, and sends nothing it doesn't have", () => {
    const business = on('googlemybusiness')
    const details = {
      event: { start: { date: '2026-11-20', time: '09:00' }, end: { date: '2026-11-21', time: '09:00' } },
      boardId: 'left over',
    }
    const doc = docWith({ text: 'Open day' }, { variants: { [business.channelId]: { postType: 'events' } } })
    expect(errorsByChannel([business], doc, known)[0]?.errors.map(({ field }) => field)).toEqual([
      'contents.0.title',
      'additionalDetails.event',
    ])
    const whole = docWith(
      { text: 'Open day', title: 'Open day' },
      { variants: { [business.channelId]: { postType: 'events', details } } },
    )
    expect(errorsByChannel([business], whole, known)).toEqual([])
    expect(detailsFor(whole, business, () => undefined)).toEqual({ event: details.event })
  })

  it('sends "followers only" to every channel of the platform that the screen shows it for', () => {
    const [one, two] = [on('mastodon'), { ...on('mastodon'), channelId: '019a0000-0000-7000-8000-000000000300' }]
    const begun = docWith(
      { text: 'Not for everybody' },
      {
        channelIds: [one.channelId],
        variants: { [one.channelId]: { details: { privacy: 'private', contentWarning: 'Cake' } } },
      },
    )
    const both = withChannels(begun, [one.channelId, two.channelId], {
      channels: [one, two],
      zone: 'UTC',
      began: undefined,
    })
    expect([one, two].map((each) => detailsFor(both, each, () => undefined))).toEqual([
      { privacy: 'private', contentWarning: 'Cake' },
      { privacy: 'private', contentWarning: 'Cake' },
    ])
  })

  it('lets a post wait for a channel that needs attention, but not publish it now', () => {
    const dead: Channel = { ...channel, status: 'TOKEN_EXPIRED' }
    expect(errorsByChannel([dead], docWith({ text: 'hi' }), { ...known, now: () => false })).toEqual([])
    expect(errorsByChannel([dead], docWith({ text: 'hi' }), known)[0]?.errors[0]?.message).toBe(
      `${channel.handle} is signed out. Reconnect the channel first, or ask a project admin to do it.`,
    )
  })

  it('reports each broken rule of a file once, and refuses only what no channel accepts', () => {
    const video = { contentType: 'video/x-flv', bytes: 1 }
    expect(
      fileErrors(takenBy([channel, { ...channel }]), { contentType: 'application/pdf', bytes: 1 }).map(
        (error) => error.message,
      ),
    ).toEqual(['documents are not supported'])
    // what only some of several platforms refuse names them
    expect(
      fileErrors(takenBy([channel, on('linkedin')]), { contentType: 'application/pdf', bytes: 1 }).map(
        (error) => error.message,
      ),
    ).toEqual(['Bluesky: documents are not supported'])
    expect(fileRefusals(takenBy([channel, on('linkedin')]), { contentType: 'application/pdf', bytes: 1 })).toEqual([])
    expect(fileRefusals(takenBy([channel, on('linkedin')]), video)).not.toEqual([])
    expect(mostImages([])).toBe(4)
  })

  it('fits an image for the strictest of the channels whose rules it breaks', () => {
    const [insta, linkedin] = [on('instagram'), on('linkedin')]
    const png = { contentType: 'image/png', bytes: 1_500_000 }
    expect(fitFor([linkedin, insta], {}, png)).toMatchObject({ channel: insta, postType: 'post', bytes: 8_000_000 })
    expect(fitFor([linkedin, insta, channel], {}, { ...png, bytes: 9_000_000 })?.channel).toBe(channel)
    expect(fitFor([linkedin], {}, png)).toBeUndefined()
    // one whose size limit it exceeds comes first: its copy is small enough for the others
    expect(fitFor([insta, on('tiktok')], {}, { ...png, width: 4000, height: 3000 })?.channel.platformName).toBe(
      'tiktok',
    )
    // nothing is fitted if no image is accepted
    expect(fitFor([on('youtube')], {}, png)).toBeUndefined()
  })

  it("says where the text isn't shown", () => {
    const [facebook, insta] = [on('facebook'), on('instagram')]
    expect(withoutText(takenBy([facebook, insta]))).toBeUndefined()
    expect(withoutText(takenBy([facebook, insta], { [facebook.channelId]: { postType: 'story' } }))).toBe(
      'A story on Facebook',
    )
    expect(
      withoutText(
        takenBy([facebook, insta], {
          [facebook.channelId]: { postType: 'story' },
          [insta.channelId]: { postType: 'story' },
        }),
      ),
    ).toBe('A story on Facebook or Instagram')
    expect([takesAltText(takenBy([insta])), takesAltText(takenBy([on('youtube')])), takesAltText([])]).toEqual([
      true,
      false,
      true,
    ])
  })
})
