import { RichText } from '@atproto/api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSpans } from '#contract/platforms/blueskySpans.ts'
import { countText } from '#contract/platforms/countText.ts'

/*
 * Bluesky's own library as a judge, in its newest version: what becomes a link, a mention or a tag, and how long a text is.
 * Where we differ on purpose, the kind is named below.
 */

const encoder = new TextEncoder()
const bytesTo = (text: string, index: number): number => encoder.encode(text.slice(0, index)).length

/** Facets as [first byte, byte after the last one, what they say]. */
function theirs(text: string): [number, number, unknown][] {
  const rich = new RichText({ text })
  rich.detectFacetsWithoutResolution()
  return (rich.facets ?? []).map(({ index, features: [feature] }) => [
    index.byteStart,
    index.byteEnd,
    feature && ('uri' in feature ? feature.uri : 'tag' in feature ? feature.tag : 'did' in feature && feature.did),
  ])
}
const ours = (text: string): [number, number, unknown][] =>
  findSpans(text).map(({ start, end, value }) => [bytesTo(text, start), bytesTo(text, end), value])

const cores = fc.oneof(
  fc.constantFrom('Rooks', 'é', '日本', 'हिन्दी', 'می\u200cخواهم', '😀', '🐦‍⬛', '12', '—', '&', 'a@b', 'e.g'),
  fc.constantFrom(
    'https://example.com',
    'http://a.co/b/c',
    'https://a.co/p(a)th',
    'https://a.co/a[1]',
    'https://a.co/{b}',
  ),
  fc.constantFrom(
    'https://a.co/ü?ö=ß',
    'https://日本.jp/道',
    'https://a.co:8080/x#y',
    'https://a.co/@rook',
    'https://a.co/a_(b)',
  ),
  fc.constantFrom(
    'example.com',
    'bsky.app/profile',
    'a.co?x=1',
    'a.co/p_(q)',
    'monday.com',
    'report.draft',
    'wait...what',
  ),
  fc.constantFrom('@rook.bsky.social', '@alice.test', '@alice.local', '@alice', '＠alice.test', '@a-b.test'),
  fc.constantFrom(
    '#rooks',
    '#हिन्दी',
    '#日本語',
    '#می\u200cخواهم',
    '#1',
    '#1a',
    '#❤️',
    '#️⃣',
    '##a',
    '＃日本',
    '#a_b',
    '#a-b',
    '#a.b',
  ),
  fc.constantFrom('$AAPL', '$a1', '$brk', '$TOOLONG', '$1', '$', '$é'),
)
const before = fc.constantFrom('', '', '', '(', '[', '"', '“')
const after = fc.constantFrom('', '', '', '.', ',', '!', '?', ':', ';', ')', ']', '}')
const words = fc.tuple(before, cores, after).map((parts) => parts.join(''))
const texts = fc
  .array(words, { minLength: 1, maxLength: 6 })
  .chain((some) => fc.constantFrom(' ', '\n', '\u3000', '  ').map((gap) => some.join(gap)))

describe('as @atproto/api has it,', () => {
  it('the same parts are links, mentions, hashtags and cashtags', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const facets = theirs(text)
        // see below
        fc.pre(facets.every(([, , value]) => !/^https?:\/\/[^/?#]*[\]}]$/.test(String(value))))
        expect(ours(text)).toEqual(facets)
      }),
    )
  })

  it('a text has as many graphemes', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: 'grapheme' })), (text) => {
        expect(countText(text, 'graphemes')).toBe(new RichText({ text }).graphemeLength)
      }),
    )
  })
})

describe('unlike @atproto/api,', () => {
  const valuesOf = (facets: readonly [number, number, unknown][]) => facets.map(([, , value]) => value)
  it.each([
    ['an address that no browser can open is no link', 'https://%', [], ['https://%']],
    ['a bracket after a name is not part of it', 'https://a.co]', ['https://a.co'], ['https://a.co]']],
    ['a brace after a name neither', 'https://a.co}', ['https://a.co'], ['https://a.co}']],
    ['all marks that end a sentence are left out', 'https://a.co/b?!', ['https://a.co/b'], ['https://a.co/b?']],
    [
      'so are dots, an ellipsis, quotation marks and asterisks',
      'https://a.co/b…',
      ['https://a.co/b'],
      ['https://a.co/b…'],
    ],
    ['capitals make no other protocol', 'HTTPS://a.co/b', ['HTTPS://a.co/b'], []],
    ['a name may have hyphens', 'my-site.co.uk', ['https://my-site.co.uk'], []],
    ['a name may begin with http', 'httpbin.org', ['https://httpbin.org'], ['httpbin.org']],
    ['what goes on after the name of a site is no link', 'a.co@b', [], ['https://a.co@b']],
    ['names of other scripts may be encoded', '@rook.xn--p1ai', ['rook.xn--p1ai'], []],
  ])('%s', (_kind, text, we, they) => {
    expect(valuesOf(ours(text))).toEqual(we)
    expect(valuesOf(theirs(text))).toEqual(they)
  })
})
