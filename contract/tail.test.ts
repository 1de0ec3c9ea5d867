import { describe, expect, it } from 'vitest'
import { findSpans } from './platforms/bluesky.ts'
import { findCommonSpans } from './platforms/spans.ts'
import { withoutTail } from './tail.ts'

const points = (sign: string) => sign === '.' || sign === '🐦'

describe('the end of a text', () => {
  it.each([['a...', 'a'], ['...', ''], ['...a', '...a'], ['', ''], ['a.🐦.', 'a'], ['a.b🐦', 'a.b'], ['é.', 'é'], ['a\udc00.', 'a\udc00']])('of %j is taken off', (text, left) => expect(withoutTail(text, points)).toBe(left))

  it('is looked at once', () => {
    let looks = 0
    const counted = (sign: string) => (looks++, sign === '.')
    withoutTail(`${'.'.repeat(50_000)}a`, counted)
    expect(looks).toBe(1)
  })
})

describe('links, mentions and hashtags of texts that are made to keep us busy', () => {
  const long = 60_000
  it.each([
    ['a link full of points', `https://${'.'.repeat(long)}a`],
    ['a link full of brackets', `https://a${')'.repeat(long)}`],
    ['brackets and points by turns', `https://a${').'.repeat(long / 2)}`],
    ['a hashtag full of points', `#a${'.'.repeat(long)}a`],
    ['mentions within mentions', '@a.'.repeat(long / 3)],
    ['many links', 'https://a.example/. '.repeat(long / 20)],
  ])('are found soon: %s', (_, text) => {
    const before = process.cpuUsage()
    findCommonSpans(text)
    findSpans(text)
    // microseconds of work, not of waiting; the patterns of before took six seconds
    expect(process.cpuUsage(before).user).toBeLessThan(500_000)
  })

  it('are those that were found before', () => {
    const text = 'See (https://a.example/b_(c)). And https://d.example/…, #tag!? #a.b. @rook.example.com'
    expect(findCommonSpans(text).map(({ value }) => value)).toEqual(['https://a.example/b_(c', 'https://d.example/', 'tag', 'a', 'rook.example.com'])
    expect(findSpans(text).map(({ value }) => value)).toEqual(['https://a.example/b_(c))', 'https://d.example/', 'tag', 'a.b', 'rook.example.com'])
  })
})
