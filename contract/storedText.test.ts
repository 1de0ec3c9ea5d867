import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { storedText } from './storedText.ts'

const [LRE, RLE, PDF, RLO, FSI, PDI] = ['\u202a', '\u202b', '\u202c', '\u202e', '\u2068', '\u2069']

describe('a stored text', () => {
  it.each([
    ['composed letters', 'Cre\u0300me bru\u0302le\u0301e', 'Crème brûlée'],
    ['composed syllables of Hangul', '한국어'.normalize('NFD'), '한국어'],
    ['composed Kana', 'が\u30d2\u309a'.normalize('NFD'), 'が\u30d4'],
    ['no mark of byte order', '\ufeffHello \ufeffthere', 'Hello there'],
    ['letters that a mark of byte order kept apart from their accent, composed', 'e\ufeff\u0301', 'é'],
    ['nothing that is no character', 'a\ufffe\uffff\ufdd0\u{1ffff}\u{10fffe}b', 'ab'],
    ['no control characters', 'a\x07\x1b\x7f\x9fb', 'ab'],
    ['its tabs and line breaks', 'a\tb\r\nc\nd', 'a\tb\r\nc\nd'],
    ['line breaks of other programs as line breaks', 'a\vb\fc\u2028d\u2029e\x85f', 'a\nb\nc\nd\ne\nf'],
    ['no direction that is opened and never closed', `${RLO}cod.exe`, 'cod.exe'],
    ['no end of a direction that nobody opened', `a${PDF}b${PDI}`, 'ab'],
    ['no direction that only ends on another line', `${LRE}a\nb${PDF}`, 'a\nb'],
    ['nothing that ends with what it is in', `${FSI}a${RLE}b${PDI}c${PDF}`, `${FSI}ab${PDI}c`],
  ])('has %s', (_what, text, stored) => expect(storedText(text)).toBe(stored))

  it.each([
    ['plain words', 'Hello, "there"!'],
    ['a zero-width joiner', 'ක්\u200dෂ 👩‍👩‍👧‍👦'],
    ['a zero-width non-joiner', 'می\u200cخواهم'],
    ['a space without width', 'ภาษา\u200bไทย'],
    ['variation selectors', '❤️ ☺\ufe0e 葛\u{e0100}'],
    ['a flag of tags', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['direction marks', 'שלום! \u200f12\u200e \u061c'],
    ['directions in pairs', `${FSI}שלום ${RLE}abc${PDF}${PDI}`],
    ['soft hyphens and word joiners', 'Donau\u00addampf a\u2060b'],
    ['what has no composed form', 'क़ שּׁ'.normalize('NFC')],
    ['private letters', '\ue000 \u{f0000}'],
    ['spaces of all widths', 'a\u00a0b\u202fc\u3000d'],
    ['a zero byte, which is refused elsewhere', 'a\0b'],
  ])('keeps %s', (_what, text) => expect(storedText(text)).toBe(text))

  it('is the same however often it is stored', () => {
    const signs = [LRE, RLE, PDF, RLO, FSI, PDI, 'a', 'e\u0301', 'か\u3099', '\ufeff', '\u2028', '\x07', '\n', 'ש']
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...signs)).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(text, (some) => {
        const stored = storedText(some)
        expect(storedText(stored)).toBe(stored)
        expect(stored).toBe(stored.normalize('NFC'))
        expect(stored).not.toMatch(/[\ufeff\p{Noncharacter_Code_Point}]/u)
      }),
    )
  })

  it('is made quickly', () => {
    for (const sign of [RLO, `${FSI}${RLE}`, PDI, 'e\u0301', '\ufeff'])
      expect(storedText(sign.repeat(200_000)).length).toBeLessThan(200_001)
  })
})
