import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { difference } from './typeInto.ts'

describe('what differs between two texts', () => {
  it.each([
    ['Hello @mir', 'Hello @miro ', { from: 10, to: 10, words: 'o ' }],
    ['a b', 'a 🙂 b', { from: 2, to: 2, words: '🙂 ' }],
    ['same', 'same', { from: 4, to: 4, words: '' }],
    ['one two', 'one', { from: 3, to: 7, words: '' }],
    ['', 'नमस्ते', { from: 0, to: 0, words: 'नमस्ते' }],
    // both begin with the same half of a pair
    ['🙂', '🙃', { from: 0, to: 2, words: '🙃' }],
    // both end with the same half
    ['\u{10000}', '\u{10400}', { from: 0, to: 2, words: '\u{10400}' }],
  ])('of %o and %o', (before, after, expected) => {
    expect(difference(before, after)).toEqual(expected)
  })

  it('makes the one of the other, and cuts no character in two', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '🙂', '🙃', 'é', 'e\u0301', '字', '\n'),
      maxLength: 12,
    })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { from, to, words } = difference(before, after)
        expect(before.slice(0, from) + words + before.slice(to)).toBe(after)
        for (const part of [before.slice(0, from), before.slice(from, to), before.slice(to), words])
          expect(part.isWellFormed()).toBe(true)
      }),
    )
  })
})
