import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HASHTAG } from './analytics/filter.ts'
import { HashTag } from './labels.ts'
import { platformRules } from './platforms/registry.ts'
import { platformKeys, type PlatformKey } from './platforms/rules.ts'

/** A word of each script, with its marks and joiners as people type them. */
const words: [script: string, word: string][] = [
  ['Latin with accents', 'Crème'],
  ['Latin with decomposed accents', 'Cre\u0300me'],
  ['Vietnamese', 'TiếngViệt'],
  ['Greek', 'κοράκι'],
  ['Cyrillic', 'грачи'],
  ['Armenian', 'սերմնագռավ'],
  ['Georgian', 'ჭილყვავი'],
  ['Hebrew with points', 'שָׁלוֹם'],
  ['Hebrew with maqaf and geresh', 'בית־ספר'],
  ['Arabic with marks', 'غُرَاب'],
  ['Persian with a zero-width non-joiner', 'می\u200cخواهم'],
  ['Urdu', 'کوّا'],
  ['Devanagari', 'हिन्दी'],
  ['Devanagari with a joiner', 'क्\u200dष'],
  ['Bengali', 'বাংলা'],
  ['Gurmukhi', 'ਪੰਜਾਬੀ'],
  ['Gujarati', 'ગુજરાતી'],
  ['Odia', 'ଓଡ଼ିଆ'],
  ['Tamil', 'தமிழ்'],
  ['Telugu', 'తెలుగు'],
  ['Kannada', 'ಕನ್ನಡ'],
  ['Malayalam', 'മലയാളം'],
  ['Sinhala', 'සිංහල'],
  ['Thai', 'ภาษาไทย'],
  ['Lao', 'ພາສາລາວ'],
  ['Khmer', 'ភាសាខ្មែរ'],
  ['Myanmar', 'မြန်မာ'],
  ['Tibetan', 'བོད་ཡིག'.replaceAll('\u0f0b', '')],
  ['Ethiopic', 'አማርኛ'],
  ['Hangul', '한국어'],
  ['Han', '漢字'],
  ['Hiragana', 'ひらがな'],
  ['Katakana with a long vowel', 'ミラーレス'],
  ['Katakana with a middle dot', 'ミヤマ・ガラス'],
  ['Mongolian', 'ᠮᠣᠩᠭᠣᠯ'],
  ['Cherokee', 'ᏣᎳᎩ'],
  ['Tifinagh', 'ⵜⴰⵎⴰⵣⵉⵖⵜ'],
  ['Adlam, beyond 16 bits', '𞤆𞤵𞤤𞤢𞤪'],
  ['digits of their own', '٢٠٢٦عام'],
]

/** Where a platform ends a hashtag earlier by its own rule: Mastodon takes no zero-width joiner and no maqaf. */
const ends: Partial<Record<PlatformKey, RegExp>> = { mastodon: /[\u200d\u05be].*/u }

const tagsIn = (platform: PlatformKey, text: string) =>
  platformRules[platform].findSpans(text).flatMap((span) => (span.kind === 'tag' ? [span] : []))

describe.each(platformKeys)('on %s, a hashtag', (platform) => {
  // Bluesky ends one at every joiner (bluesky-social/atproto, packages/api/src/rich-text/util.ts)
  const ending = platform === 'bluesky' ? /[\u200b-\u200d].*/u : ends[platform]

  it.each(words)('is a whole word: %s', (_script, word) => {
    const value = ending ? word.replace(ending, '') : word
    const text = `1 #${word}, 2`
    const found = tagsIn(platform, text)
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([`#${value}`])
    expect(found.map((span) => span.value)).toEqual([value])
  })

  it('may follow a full-width sign', () => {
    expect(tagsIn(platform, '見て ＃日本').map(({ value }) => value)).toEqual(['日本'])
  })

  it('is no entity, no key cap, and no part of a word or an address', () => {
    expect(tagsIn(platform, 'a&#b #️⃣ a#b https://example.com/#c example.com/#d')).toEqual([])
  })

  it('of other words is another one, also if they begin alike', () => {
    const many = ['कमल', 'का', 'कि', 'की', 'कु', 'के', 'कं'].map((word) => `#${word}`).join(' ')
    expect(new Set(tagsIn(platform, many).map(({ value }) => value)).size).toBe(7)
  })

  it('is found quickly in hostile texts', () => {
    for (const sign of ['#', '#·', '#a·', 'a·', '#a\u200c', '#1', '＃#', '#👍', '@a', '@a@', 'a.'])
      expect(tagsIn(platform, sign.repeat(60_000 / sign.length)).length).toBeLessThan(60_000)
  })
})

it('holds for words put together of letters and marks of these scripts', () => {
  const letters = [
    ...new Set(words.flatMap(([, word]) => Array.from(word)).filter((letter) => /[\p{L}\p{M}]/u.test(letter))),
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 20 }), (some) => {
      const word = `k${some.join('')}`
      for (const platform of platformKeys) {
        const text = `(${word}) #${word} #${word}.`
        expect(tagsIn(platform, text).map(({ start, end }) => text.slice(start, end))).toEqual([`#${word}`, `#${word}`])
      }
    }),
  )
})

describe('a stored hashtag', () => {
  it.each(words)('can be in a group and filter the insights: %s', (_script, word) => {
    expect(HashTag.parse(`#${word}`)).toBe(word)
    expect(HashTag.parse(`＃${word}`)).toBe(word)
    expect(HASHTAG.test(`#${word}`)).toBe(true)
  })

  it.each(['', '2026', 'two words', 'a-b', '#', 'a#b', '・'])('is not %j', (text) => {
    expect(HashTag.safeParse(text).success).toBe(false)
  })
})

describe('Instagram', () => {
  it.each([
    ['#❤️', '❤️'],
    ['#🐦‍⬛rooks', '🐦‍⬛rooks'],
    ['#🇩🇪', '🇩🇪'],
    ['#2026', '2026'],
  ])('counts %s as a hashtag', (text, value) => {
    expect(tagsIn('instagram', text).map((span) => span.value)).toEqual([value])
  })
})

// mastodon/mastodon, spec/models/tag_spec.rb
describe('Mastodon', () => {
  it.each([
    ['#a1', 'a1'],
    ['#1_2', '1_2'],
    ['#1·2', '1·2'],
    ['#12', undefined],
    ['#12a', '12a'],
    ['#a·', 'a'],
    ['#·a', undefined],
    ['#_', undefined],
    ['#__a', '__a'],
    ['(#a', undefined],
    ['a #b', 'b'],
    ['\u3000#b', 'b'],
    ['#ｂ', 'ｂ'],
  ])('reads %j', (text, value) => {
    expect(tagsIn('mastodon', text).map((span) => span.value)).toEqual(value === undefined ? [] : [value])
  })
})
