import { expect, test } from 'vitest'
import { addressesIn } from './addresses.ts'

test.each([
  ['ana@example.org', ['ana@example.org']],
  ['ana@example.org, ben@example.org;cai@example.org', ['ana@example.org', 'ben@example.org', 'cai@example.org']],
  ['ana@example.org\nben@example.org\r\n', ['ana@example.org', 'ben@example.org']],
  ['Ana Ruiz <Ana@Example.org>, "Ben, Jr." <ben@example.org>', ['ana@example.org', 'ben@example.org']],
  ['ana@example.org ANA@example.org', ['ana@example.org']],
  ['mailto:ana@example.org.', ['ana@example.org']],
  ['no address at all', []],
])('%j', (text, addresses) => {
  expect(addressesIn(text)).toEqual(addresses)
})
