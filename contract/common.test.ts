import { describe, expect, it } from 'vitest'
import { Day, Instant, isZone, QUICK_ZONES, WebAddress } from './common.ts'
import { LinkCard } from './media.ts'
import { AdditionalDetails } from './content.ts'
import { settlePost } from './posts.ts'

it.each([
  [Instant, '0001-01-01T00:00:00.000Z', '0000-12-31T23:59:59.999Z'],
  [Day, '0001-01-01', '0000-12-31'],
])('a date begins in the year 1', (schema, first, before) => {
  expect(schema.safeParse(first).success).toBe(true)
  expect(schema.safeParse(before).error?.issues[0]?.message).toBe('Use a year from 0001 on')
})

describe('a zone', () => {
  it.each([
    'UTC',
    'GMT',
    'Europe/Berlin',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Etc/GMT+5',
    'America/Argentina/Buenos_Aires',
    'US/Pacific',
    'CET',
    ...Object.values(QUICK_ZONES),
  ])('is %s', (name) => expect(isZone(name)).toBe(true))
  it.each(['+05:30', '-0100', '+05', '', 'Mars/Olympus', ' UTC', ...Object.keys(QUICK_ZONES), 'ist', 'ACT', 'BST'])(
    'is not %s',
    (name) => expect(isZone(name)).toBe(false),
  )
})

describe('a web URL', () => {
  const dangerous = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://example.org/a',
    'httpx://example.org',
  ]
  it('is http or https', () => {
    for (const address of ['https://example.org/a?b#c', 'http://example.org'])
      expect(WebAddress.safeParse(address).success, address).toBe(true)
    for (const address of dangerous) expect(WebAddress.safeParse(address).success, address).toBe(false)
  })
  it('is the only thing that a link card or a confirmed post may link to', () => {
    const card = { uri: 'https://example.org', title: '', description: '', imageAssetId: null }
    expect(LinkCard.safeParse(card).success).toBe(true)
    expect(AdditionalDetails.safeParse({ linkCard: card }).success).toBe(true)
    for (const uri of dangerous) {
      expect(LinkCard.safeParse({ ...card, uri }).success, uri).toBe(false)
      expect(AdditionalDetails.safeParse({ linkCard: { ...card, uri } }).success, uri).toBe(false)
      expect(settlePost.body.safeParse({ outcome: 'published', permalink: uri }).success, uri).toBe(false)
    }
    expect(
      settlePost.body.safeParse({ outcome: 'published', permalink: 'https://bsky.app/profile/a/post/b' }).success,
    ).toBe(true)
  })
})
