import { expect, it } from 'vitest'
import { BIO } from './limits.ts'
import { postLabel } from './postLabel.ts'

it.each([
  ['', 'Post'],
  ['  \n ', 'Post'],
  [' New\nshoes ', 'New shoes'],
  ['a'.repeat(BIO.label), 'a'.repeat(BIO.label)],
  ['a'.repeat(200), `${'a'.repeat(BIO.label - 1)}…`],
  [`${'word '.repeat(15)}and a longer word`, `${'word '.repeat(15).trim()} and…`],
  ['😀'.repeat(60), `${'😀'.repeat(39)}…`],
])('of %j is %j', (text, label) => {
  expect(postLabel(text)).toBe(label)
  expect(label.length).toBeLessThanOrEqual(BIO.label)
  expect(label.isWellFormed()).toBe(true)
})
