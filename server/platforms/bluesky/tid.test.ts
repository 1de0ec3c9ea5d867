import { describe, expect, it } from 'vitest'
import { publishBy } from './publish.ts'
import { tidMaker } from './tid.ts'

const NOW = new Date('2026-11-21T10:00:00.123Z')

describe('record keys', () => {
  it('are timestamp identifiers: 13 sortable characters, starting with 2 to j', () => {
    expect(publishBy(() => null).chooseSendKey(NOW)).toMatch(
      /^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/,
    )
  })

  it('contain microseconds and the maker', () => {
    // the first microsecond of all: ten bits of the maker below a one
    expect(tidMaker(0, () => 1)(new Date(0))).toBe('2222222222322')
    const value = read(tidMaker(5, () => 7)(NOW))
    expect(Number(value >> 10n)).toBe(NOW.getTime() * 1000 + 7)
    expect(Number(value & 1023n)).toBe(5)
  })

  it("increase while the clock stands still, and when it's set back", () => {
    const make = tidMaker(1)
    const keys = [
      ...Array.from({ length: 5000 }, () => make(NOW)),
      make(new Date(0)),
      make(new Date(NOW.getTime() + 60_000)),
    ]
    expect(keys.toSorted()).toEqual(keys)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('differ between makers in the same microsecond', () => {
    expect(tidMaker(1, () => 0)(NOW)).not.toBe(tidMaker(2, () => 0)(NOW))
  })
})

const DIGITS = '234567abcdefghijklmnopqrstuvwxyz'
const read = (key: string) => key.split('').reduce((value, digit) => value * 32n + BigInt(DIGITS.indexOf(digit)), 0n)
