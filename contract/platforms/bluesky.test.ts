import { describe, expect, it } from 'vitest'
import { findSpans, shownOnBluesky } from './blueskySpans.ts'
import { countText } from './countText.ts'

/** Spans as [kind, text, value]. */
const found = (text: string) =>
  findSpans(text).map(({ kind, start, end, value }) => [kind, text.slice(start, end), value])

describe('findSpans: links', () => {
  it.each([
    ['see https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['see https://example.com.', 'https://example.com'],
    ['(https://example.com)', 'https://example.com'],
    ['(see https://example.com/a).', 'https://example.com/a'],
    ['https://en.wikipedia.org/wiki/Rook_(bird)', 'https://en.wikipedia.org/wiki/Rook_(bird)'],
    ['https://en.wikipedia.org/wiki/Rook_(bird).', 'https://en.wikipedia.org/wiki/Rook_(bird)'],
    ['“hm” https://example.com/ü?ö=ß!', 'https://example.com/ü?ö=ß'],
    ['https://example.com:8080/x', 'https://example.com:8080/x'],
    ['https://example.com/@name', 'https://example.com/@name'],
  ])('%j', (text, link) => expect(found(text)).toEqual([['link', link, link]]))

  it.each([
    ['example.com', 'example.com'],
    ['see my-site.co.uk/a, please', 'my-site.co.uk/a'],
    ['see Example.COM?x=1.', 'Example.COM?x=1'],
    ['go to bsky.app!', 'bsky.app'],
    ['example.com:3000/path', 'example.com:3000/path'],
  ])('without https: %j', (text, link) => expect(found(text)).toEqual([['link', link, `https://${link}`]]))

  it.each([
    'e.g. this',
    'i.e. that',
    'report.draft',
    'bob@example.com',
    'a.b',
    'wait...what',
    'ftp://example.com',
    'v1.2.3',
    'https://',
    '5.30',
  ])('none in %j', (text) => expect(found(text)).toEqual([]))
})

describe('findSpans: mentions', () => {
  it.each([
    ['hi @alice.bsky.social!', '@alice.bsky.social', 'alice.bsky.social'],
    ['(@Alice.Example.com)', '@Alice.Example.com', 'alice.example.com'],
    ['@a-b.test.', '@a-b.test', 'a-b.test'],
    ['line\n@alice.test', '@alice.test', 'alice.test'],
    ['@alice.test’s rook', '@alice.test', 'alice.test'],
  ])('%j', (text, words, handle) => expect(found(text)).toEqual([['mention', words, handle]]))

  it.each(['@alice', '＠alice.test', 'me@alice.test', '@-a.test', '@alice.1a', '@', '@.test', '@@alice.test'])(
    'finds none in %j',
    (text) => expect(found(text).filter(([kind]) => kind === 'mention')).toEqual([]),
  )
})

describe('findSpans: hashtags', () => {
  it.each([
    ['#rooks', '#rooks', 'rooks'],
    ['a #rooks!', '#rooks', 'rooks'],
    ['#1a', '#1a', '1a'],
    ['#日本語。', '#日本語', '日本語'],
    ['＃rooks', '＃rooks', 'rooks'],
    ['#🐦‍⬛', '#🐦', '🐦'],
    ['##double', '##double', '#double'],
    [`#${'é'.repeat(64)}`, `#${'é'.repeat(64)}`, 'é'.repeat(64)],
  ])('%j', (text, words, value) => expect(found(text)).toEqual([['tag', words, value]]))

  it.each(['#', '#1', '#2026', '#!', 'a#b', '#️⃣', '# a', `#${'a'.repeat(65)}`])('none in %j', (text) =>
    expect(found(text)).toEqual([]),
  )
})

describe('findSpans', () => {
  it("keeps the text's order and never overlaps", () => {
    expect(found('#a @alice.test https://example.com/#b example.com #c')).toEqual([
      ['tag', '#a', 'a'],
      ['mention', '@alice.test', 'alice.test'],
      ['link', 'https://example.com/#b', 'https://example.com/#b'],
      ['link', 'example.com', 'https://example.com'],
      ['tag', '#c', 'c'],
    ])
  })

  it('counts in UTF-16, so that slicing the text returns the words', () => {
    const text = '👩‍👩‍👧‍👦🇪🇺 #tag'
    expect(findSpans(text)).toEqual([{ kind: 'tag', start: text.indexOf('#'), end: text.length, value: 'tag' }])
  })

  it.each([
    '@'.repeat(5000),
    '#'.repeat(5000),
    'a.'.repeat(5000),
    'https://'.repeat(1000),
    ')'.repeat(5000),
    `https://example.com/${'.)'.repeat(3000)}`,
  ])('stays quick on hostile text', (text) => {
    expect(findSpans(text).length).toBeLessThan(3000)
  })
})

describe('a text as Bluesky shows it', () => {
  it.each([
    ['https://example.com', 'example.com'],
    ['https://example.com/', 'example.com'],
    ['http://www.example.com/fifteen/chars', 'www.example.com/fifteen/chars'],
    ['https://example.com/sixteen/chars?', 'example.com/sixteen/chars?'],
    ['https://example.com/sixteen/characters', 'example.com/sixteen/char...'],
    ['https://example.com/a?b=1&c=2#and-so-on', 'example.com/a?b=1&c=2#an...'],
    ['https://Example.com:8080/', 'example.com:8080'],
    ['example.com/a/path/without/protocol', 'example.com/a/path/without/protocol'],
    ['see (https://example.com/sixteen/characters), #a', 'see (example.com/sixteen/char...), #a'],
    ['no link', 'no link'],
  ])('%s', (text, shown) => {
    expect(shownOnBluesky(text).text).toBe(shown)
  })

  it('has spans at their places in it', () => {
    const { text, spans } = shownOnBluesky('Ü https://example.com/sixteen/characters @a.test')
    expect(spans.map(({ start, end, value }) => [text.slice(start, end), value])).toEqual([
      ['example.com/sixteen/char...', 'https://example.com/sixteen/characters'],
      ['@a.test', 'a.test'],
    ])
  })

  it('is what counts', () => {
    const link = `https://example.com/${'a'.repeat(500)}`
    expect(countText(`${'b'.repeat(272)} ${link}`, 'shortened')).toBe(272 + 1 + 27)
    expect(countText(`ü ${link}`, 'shortenedbytes')).toBe(2 + 1 + 27)
    expect(countText('b'.repeat(300), 'shortened')).toBe(300)
  })
})
