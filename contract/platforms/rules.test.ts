import { describe, expect, it } from 'vitest'
import { mediaErrors } from '../checkMedia.ts'
import { platformRules, rulesFor, postTypeLabel } from './registry.ts'
import { countText } from './countText.ts'
import { platformKeys } from './rules.ts'

describe('counting', () => {
  it('follows X: URLs are 23, emoji 2, other scripts double, after composing characters', () => {
    expect(countText('hello', 'weighted')).toBe(5)
    expect(countText('https://example.org/a/very/long/path/that/goes/on?and=on', 'weighted')).toBe(23)
    expect(countText('see https://a.co now', 'weighted')).toBe(4 + 23 + 4)
    expect(countText('👩‍👩‍👧‍👦', 'weighted')).toBe(2)
    expect(countText('日本', 'weighted')).toBe(4)
    expect(countText('e\u0301', 'weighted')).toBe(1)
    expect(countText('“x”', 'weighted')).toBe(3)
  })

  it('follows Mastodon and Threads', () => {
    expect(countText('https://example.org/a/very/long/path', 'links23')).toBe(23)
    expect(countText('https://example.org' + 'あ'.repeat(10), 'links23')).toBe(33)
    expect(countText('https://example.org/a.', 'links23')).toBe(24)
    expect(countText('ab😀', 'emojibytes')).toBe(6)
  })
})

describe('Mastodon counts', () => {
  const a = (count: number): string => 'a'.repeat(count)
  const b = (count: number): string => 'b'.repeat(count)
  // the cases of mastodon/mastodon, spec/validators/status_length_validator_spec.rb, and its extractor's
  it.each<[what: string, text: string, count: number]>([
    ['an address as 23', `${a(476)} http://${b(30)}.com/example`, 500],
    ['what follows a letter as no address', `${a(476)}http://${b(30)}.com/example`, 476 + 7 + 30 + 12],
    ['an endless address in full', `http://example.com/valid?${'#foo?'.repeat(1000)}`, 25 + 5000],
    ['the front part of a mention', `${a(475)} @alice@${b(30)}.com`, 475 + 1 + 6],
    ['a mention with an endless server in full', `@alice@${b(500)}.com`, 7 + 500 + 4],
    ['twenty mentions', '@everyone@mastodon.example.org '.repeat(20).trim(), 20 * 9 + 19],
    ['a mention after a bracket, and the sign after it', '(@bob@a.example)', 1 + 4 + 1],
    ['a mention of a server with a name in its own script', '@bob@пример.рф', 4],
    ['no mention inside of a word or a path', 'me@bob@a.example a/@bob@a.example', 33],
    ['no mention that another one follows', '@bob@a.example@b', 16],
    ['an address that holds a mention as one', 'https://a.co/@bob@b.example', 23],
    ['thumbs with their skin', '👍🏽'.repeat(251), 251],
    ['flags', '🇩🇪'.repeat(251), 251],
    ['families', '👩‍👩‍👧‍👦'.repeat(72), 72],
    ['syllables of Hindi', 'नि'.repeat(251), 251],
    ['letters with a mark of their own', 'e\u0301'.repeat(10), 10],
  ])('%s', (_what, text, count) => expect(countText(text, 'links23')).toBe(count))

  it('a long run of characters that could begin a mention without taking long', () => {
    for (const sign of ['@', '@a', '@a@', '@a.', '@a@b.', 'a@'])
      expect(countText(sign.repeat(60_000 / sign.length), 'links23')).toBeGreaterThan(0)
  })
})

// twitter/twitter-text: what a URL is, and where it ends
describe('X counts a URL as 23', () => {
  it.each<[text: string, count: number]>([
    ['example.com', 23],
    ['see example.com.', 4 + 23 + 1],
    ['これexample.comです', 4 + 23 + 4],
    ['README.md', 23],
    [`https://example.com/a${'あ'.repeat(200)}`, 23 + 400],
    ['https://example.com。', 23 + 2],
    ['https://日本語.jp/道', 23 + 2],
    ['(https://example.com/a_(b)).', 1 + 23 + 2],
    ['https://example.com/?q=1&r=2#s', 23],
    ['end.https://example.com', 4 + 23],
    ['one.com two.com', 23 + 1 + 23],
    ['see example.com.Then', 4 + 23 + 5],
    // none of these is a URL
    ['me@example.com', 14],
    ['example.notatopleveldomain', 26],
    ['$abc.com', 8],
    ['https://localhost/', 18],
    ['and so on.Then', 14],
    ['1.5', 3],
    ['©', 1],
    ['©\ufe0f', 2],
  ])('%j is %i', (text, count) => expect(countText(text, 'weighted')).toBe(count))

  it.each(['a.', 'a-', 'a/', '.a', 'é', 'あ.', '(a', 'https://a.co/', '?a=', '.com'])(
    'in a text of 60,000 signs of %j without taking long',
    (sign) => {
      // a pattern that backtracked at each character wouldn't finish within the test's time limit
      const signs = sign.repeat(60_000 / sign.length)
      for (const text of [`https://example.com/${signs}`, `${signs}zz`]) {
        expect(countText(text, 'weighted')).toBeGreaterThan(0)
        expect(countText(text, 'links23')).toBeGreaterThan(0)
      }
    },
  )
})

it('an image smaller than 10 KB is refused for Google', () => {
  const rules = rulesFor('googlemybusiness', 'update')
  if (!rules) throw new Error('there are no rules of updates')
  const messages = (bytes: number) =>
    mediaErrors(rules, { contentType: 'image/jpeg', bytes }, 'media').map(({ message, fix }) => [message, fix])
  expect(messages(10_239)).toEqual([['image size must be at least 10 KB', undefined]])
  expect(messages(10_240)).toEqual([])
})

describe('the post types of each platform', () => {
  it('are called by their platform, also one that is only published elsewhere', () => {
    expect([
      postTypeLabel('instagram', 'reel'),
      postTypeLabel('tiktok', 'video'),
      postTypeLabel(undefined, 'pin'),
    ]).toEqual(['Reel', 'Video', 'Pin'])
  })

  it('are those of the specification', () => {
    const types = Object.fromEntries(
      platformKeys.map((key) => [key, platformRules[key].posts.map((post) => post.postType)]),
    )
    expect(types).toEqual({
      facebook: ['post', 'reel', 'story'],
      instagram: ['post', 'reel', 'story'],
      linkedin: ['post'],
      x: ['post'],
      youtube: ['video', 'shorts'],
      pinterest: ['pin'],
      tiktok: ['post'],
      threads: ['post'],
      mastodon: ['post'],
      bluesky: ['post'],
      googlemybusiness: ['update', 'offers', 'events'],
    })
  })

  it('find links, mentions and hashtags with their places', () => {
    const text = 'Hi @ana.b, see (https://example.org/x). #Kaffee #1 mail@example.org'
    expect(
      platformRules.facebook
        .findSpans(text)
        .map(({ kind, start, end, value }) => [kind, text.slice(start, end), value]),
    ).toEqual([
      ['mention', '@ana.b', 'ana.b'],
      ['link', 'https://example.org/x', 'https://example.org/x'],
      ['tag', '#Kaffee', 'Kaffee'],
    ])
  })
})
