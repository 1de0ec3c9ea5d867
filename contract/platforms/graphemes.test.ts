import { expect, it } from 'vitest'
import { countGraphemes } from './graphemes.ts'

it.each([
  ['', 0],
  ['The rooks come back.\nTo the old elms!', 37],
  // a line break of Windows is one
  ['one\r\ntwo', 7],
  ['e\u0301', 1],
  ['naïve', 5],
  ['👩‍👩‍👧 is one', 8],
  ['tab\there', 8],
] as const)('counts %j as people see it', (text, count) => {
  expect(countGraphemes(text)).toBe(count)
  expect([...new Intl.Segmenter('en').segment(text)]).toHaveLength(count)
})
