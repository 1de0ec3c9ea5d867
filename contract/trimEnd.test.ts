import { describe, expect, it } from 'vitest'
import { findSpans } from './platforms/blueskySpans.ts'
import { findCommonSpans } from './platforms/spans.ts'
import { trimEndWhere } from './trimEnd.ts'

const points = (sign: string) => sign === '.' || sign === '🐦'

describe('the end of a text', () => {
  it.each([
    ['a...', 'a'],
    ['...', ''],
    ['...a', '...a'],
    ['', ''],
    ['a.🐦.', 'a'],
    ['a.b🐦', 'a.b'],
    ['é.', 'é'],
    ['a\udc00.', 'a\udc00'],
  ])('of %j is taken off', (text, left) => expect(trimEndWhere(text, points)).toBe(left))

  it('is looked at once', () => {
    let looks = 0
    const counted = (sign: string) => (looks++, sign === '.')
    trimEndWhere(`${'.'.repeat(50_000)}a`, counted)
    expect(looks).toBe(1)
  })
})

describe('links, mentions and hashtags', () => {
  it('are those that were found before', () => {
    const text = 'See (https://a.example/b_(c)). And https://d.example/…, #tag!? #a.b. @rook.example.com'
    expect(findCommonSpans(text).map(({ value }) => value)).toEqual([
      'https://a.example/b_(c',
      'https://d.example/',
      'tag',
      'a',
      'rook.example.com',
    ])
    expect(findSpans(text).map(({ value }) => value)).toEqual([
      'https://a.example/b_(c))',
      'https://d.example/',
      'tag',
      'a.b',
      'rook.example.com',
    ])
  })
})
