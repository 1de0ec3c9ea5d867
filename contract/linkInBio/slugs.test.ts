import { describe, expect, it } from 'vitest'
import { Slug } from './slugs.ts'

describe("a page's address", () => {
  it.each([
    ['rooks', 'rooks'],
    [' Rooks-2026 ', 'rooks-2026'],
    ['abc', 'abc'],
    ['a'.repeat(30), 'a'.repeat(30)],
  ])('can be %j', (text, slug) => {
    expect(Slug.parse(text)).toBe(slug)
  })

  it.each([
    'ab',
    'a'.repeat(31),
    '-rooks',
    'rooks-',
    'ro--oks',
    'röoks',
    'ro oks',
    'ro/oks',
    'ro.oks',
    'rookery',
    'API',
    'login',
    '',
  ])("can't be %j", (text) => {
    expect(Slug.safeParse(text).success).toBe(false)
  })
})
