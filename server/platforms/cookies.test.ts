import { expect, it } from 'vitest'
import { createCookieJar } from './cookies.ts'

it.each<[what: string, from: string, set: string, to: string, sent: string]>([
  ['to the same host', 'https://a.example.com/x', 'k=1; Path=/', 'https://a.example.com/y', 'k=1'],
  [
    'several',
    'https://a.com/',
    'k=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT, l=2;HttpOnly',
    'https://a.com/',
    'k=1; l=2',
  ],
  ['the newest value', 'https://a.com/', 'k=1, k=2', 'https://a.com/', 'k=2'],
  ['to hosts of its domain', 'https://a.com/', 'k=1; Domain=.a.com', 'https://www.a.com/', 'k=1'],
  ['from a host to its domain', 'https://www.a.com/', 'k=1; domain=a.com', 'https://a.com/', 'k=1'],
  ['not to hosts below, without a domain', 'https://a.com/', 'k=1', 'https://www.a.com/', ''],
  ['not to another site', 'https://a.com/', 'k=1', 'https://b.com/', ''],
  ['not to a name that only ends alike', 'https://a.com/', 'k=1; Domain=a.com', 'https://ba.com/', ''],
  ['none for another domain', 'https://a.com/', 'k=1; Domain=b.com', 'https://b.com/', ''],
  ['none for a top-level domain', 'https://a.com/', 'k=1; Domain=com', 'https://b.com/', ''],
  ['no secure one in the clear', 'https://a.com/', 'k=1; Secure', 'http://a.com/', ''],
  ['none that a header cannot have', 'https://a.com/', 'k=a b', 'https://a.com/', ''],
  ['none without a name', 'https://a.com/', '=1, x', 'https://a.com/', ''],
])('cookies go back: %s', (_what, from, set, to, sent) => {
  const jar = createCookieJar()
  jar.keep(from, set)
  expect(jar.of(to)).toBe(sent)
})
