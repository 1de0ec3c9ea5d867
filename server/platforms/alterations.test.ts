import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { platformRules } from '#contract/platforms/registry.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { keepSignedIn, signIn, type Channel } from '../testing/adapter/channel.ts'
import { freshWords, standsOnce } from '../testing/adapter/standsOnce.ts'
import { casesOf, type Case } from '../testing/conformance/cases.ts'
import { visitPlatforms, type Visitor } from '../testing/visitor.ts'
import { both, isText, type Match } from './alterations.ts'
import { lookBack } from './lookBack.ts'
import type { SignedIn } from './platform.ts'
import { composePlatforms } from './registry.ts'

/*
 * Whatever a platform does to a text, a search for it after a lost answer must not take it for another one: that would
 * send it twice. It's found, or a person is asked.
 */

const text = `Crème at @Rook@birds.example and @RookNews: "it's" 12 of 300 & more, see https://www.example.com/a?b=1&c=2 #RooksAndCrows 👍🏽`

/** What platforms do to texts, or may do: nobody promises that they don't. */
const alterations: [name: string, alter: (text: string) => string][] = [
  ['names in other capitals', (text) => text.replace(/@\w+/g, (name) => name.toLowerCase())],
  ['names without their server', (text) => text.replace(/(@\w+)@[\w.]+/g, '$1')],
  ['the name that another name leads to', (text) => text.replace(/@Rook(?:@[\w.]+)?/g, '@the.rook@corvids.example')],
  ['tags in other capitals', (text) => text.replace(/#\w+/g, (tag) => tag.toLowerCase())],
  ['collapsed white space', (text) => text.replace(/\s+/g, ' ').trim()],
  ['decomposed letters', (text) => text.normalize('NFD')],
  ['compatible characters', (text) => text.normalize('NFKC')],
  ['quotation marks as typographers like them', (text) => text.replace(/"(.*?)"/g, '“$1”').replaceAll("'", '’')],
  ['invisible characters', (text) => text.replaceAll(' ', '\u200b \ufeff')],
  ['links with tracking', (text) => text.replace(/https?:\/\/[^\s]+/g, '$&&utm_source=platform')],
  ['short links', (text) => text.replace(/https?:\/\/[^\s]+/g, 'https://sho.rt/Ab1')],
  ['links without protocol', (text) => text.replace(/https?:\/\/(?:www\.)?/g, '')],
  ['HTML entities', (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')],
  ['escapes of escapes', (text) => text.replaceAll('&', '&amp;amp;')],
  ['its beginning', (text) => `${text.slice(0, 60)}…`],
]

describe('a text that the platform may have altered proves nothing:', () => {
  it.each(alterations)('%s', (name, alter) => {
    expect(isText(alter(text), text)).not.toBe(false)
    // it may have been written so, and shown in the usual way
    if (name !== 'its beginning') expect(isText(text, alter(text))).not.toBe(false)
  })

  it.each([
    ['only a name', '@Anna@a.example', '@anna'],
    ['only a link', 'https://example.com/a', 'https://sho.rt/1'],
    ['pictures with another presentation', '❤ ☺', '❤️ ☺️'],
    ["the name of a Page for Facebook's template", 'Thanks to @[12345] for it', 'Thanks to The Rookery for it'],
    ["a name for LinkedIn's template", '@[Old name](urn:li:organization:1) is here', 'New name is here'],
  ])('%s', (_name, written, shown) => {
    expect(isText(shown, written)).not.toBe(false)
  })
})

it.each([
  ['another number', 'Rook 31 of 300', 'Rook 30 of 300'],
  ['another word', 'We open today', 'We open tomorrow'],
  ['another picture', '👍', '👎'],
  ['another mark, where there is nothing else', '?', '!'],
  ['a name more', 'Thanks', 'Thanks @anna'],
  ['a link more', 'Look', 'Look https://example.com'],
  ['a short beginning', 'We open', 'We open today'],
  ['another end after a template', 'Thanks @[1] for all', 'Thanks Ann for nothing'],
  ['nothing', '', 'Thanks'],
  ['no text', null, 'Thanks'],
])('a text that no platform makes of it is another one: %s', (_name, shown, written) => {
  expect(isText(shown, written)).toBe(false)
})

it('holds for two texts only as far as for both', () => {
  const matches: Match[] = [true, 'maybe', false]
  expect(matches.map((one) => matches.map((other) => both(one, other)))).toEqual([
    [true, 'maybe', false],
    ['maybe', 'maybe', false],
    [false, false, false],
  ])
})

describe('a search', () => {
  const since = new Date('2026-11-20T12:00:00Z')
  const look = async (...items: [id: string, minutes: number, match: Match][]) =>
    await lookBack<{ id: string; at: Date; match: Match }>({
      label: 'Test',
      things: 'posts',
      since,
      order: 'newest first',
      mostPages: 1,
      page: async () => ({
        kind: 'page',
        items: items.map(([id, minutes, match]) => ({ id, at: new Date(since.getTime() + minutes * 60_000), match })),
        next: null,
      }),
      isIt: ({ match }) => match,
    })

  it('leaves it to a person if something since then may be it, and finds what certainly is', async () => {
    expect(await look(['2', 2, 'maybe'], ['1', 1, false])).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'same-text' },
    })
    expect(await look(['2', 2, true], ['1', 1, 'maybe'])).toMatchObject({ kind: 'found', item: { id: '2' } })
  })

  it('is a proof if what may be it is older', async () => {
    expect(await look(['1', -60, 'maybe'])).toEqual({ kind: 'none' })
  })
})

const alterOf = (wanted: string): ((text: string) => string) =>
  alterations.find(([name]) => name === wanted)?.[1] ?? ((text) => text)
/** Together, because each of them is tested above. */
const together: [name: string, alter: (text: string) => string][] = [
  [
    'capitals, white space, marks and escapes in its own way',
    (text) =>
      [
        'names in other capitals',
        'tags in other capitals',
        'compatible characters',
        'quotation marks as typographers like them',
        'links with tracking',
        'invisible characters',
        'HTML entities',
      ].reduce((altered, name) => alterOf(name)(altered), text),
  ],
  [
    'another name and other links',
    (text) => alterOf('short links')(text.replace(/@Rook\w*(?:@[\w.]+)?/g, '@the.rook')),
  ],
  ['its beginning', alterOf('its beginning')],
]

/* Every adapter, with its first kind of post that has a text, and that kind's first comment. */
const platforms = composePlatforms({ plcDirectory: 'https://plc.directory' })
const keys = platformKeys.filter((key) => key !== 'bluesky' && platforms(key) !== undefined)
let visit: Visitor
const channels = new Map<PlatformKey, Channel>()
const channelOf = async (key: PlatformKey): Promise<Channel> => {
  const platform = platforms(key)
  if (!platform) throw new Error(`no adapter of ${key}`)
  // only Pages can read their posts on LinkedIn
  const isPage = ({ account }: SignedIn): boolean => account.remoteId.includes('organization')
  const channel =
    channels.get(key) ?? (await signIn(visit, platform, key === 'linkedin' ? { variant: 'pages', pick: isPage } : {}))
  channels.set(key, channel)
  await keepSignedIn(channel, visit.clock.now)
  return channel
}
beforeAll(async () => {
  visit = await visitPlatforms()
})
beforeEach(() => {
  for (const key of keys) visit.platform(key).faults.clear()
})
afterAll(() => visit.stop())

/** The text and the first comment that a lost answer is looked for by. */
const kindsOf = (cases: readonly Case[]): Case[] =>
  [/: (?:text|picture|video)$/, /: first comment$/].flatMap((name) => cases.find((one) => name.test(one.name)) ?? [])

describe.each(keys)('%s has it once when an answer is lost and the platform shows', (key) => {
  it.each(together)('%s', async (_name, alter) => {
    const channel = await channelOf(key)
    const { state } = visit.platform(key)
    const plain = state.keeps
    state.keeps = (kept) => alter(plain(kept))
    try {
      for (const one of kindsOf(casesOf(platformRules[key], channel, 100_000))) {
        const make = () => one.make(`${freshWords()} ${text}`)
        const { wrong } = await standsOnce(visit, channel, make, { drop: 'after' }, { busy: 1 })
        expect(wrong).toBe(null)
      }
    } finally {
      state.keeps = plain
    }
  })
})
