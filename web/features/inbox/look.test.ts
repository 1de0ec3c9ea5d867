import { describe, expect, it } from 'vitest'
import type { InboxItem } from '#contract/inbox/conversations.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { replyLength } from '#contract/platforms/replyText.ts'
import {
  answeredIn,
  answeringText,
  editedIn,
  leftOf,
  limitOf,
  nameOf,
  ownText,
  shortTimeOf,
  waitOf,
  foundInRow,
} from './look.ts'

const now = new Date('2026-11-23T09:30:00Z')

it('shows the time of today, the day of this year, and the year of others, in the zone', () => {
  expect(shortTimeOf('2026-11-22T23:30:00Z', now, 'Europe/Berlin')).toBe('12:30 AM')
  expect(shortTimeOf('2026-11-22T22:30:00Z', now, 'Europe/Berlin')).toBe('22 Nov')
  expect(shortTimeOf('2025-12-31T12:00:00Z', now, 'Europe/Berlin')).toBe('31 Dec 2025')
})

it.each([
  ['2026-11-23T09:29:50Z', '1 min'],
  ['2026-11-23T08:31:00Z', '59 min'],
  ['2026-11-23T06:30:00Z', '3 h'],
  ['2026-11-21T09:30:00Z', '2 days'],
])('says how long someone waits since %s', (since, text) => {
  expect(waitOf(since, now)).toBe(text)
})

it('says how much time is left to answer, and nothing afterwards', () => {
  expect(leftOf('2026-11-23T13:45:00Z', now)).toBe('4 h')
  expect(leftOf('2026-11-23T09:30:00Z', now)).toBe(undefined)
})

it.each([
  [null, null, undefined],
  ['2026-11-23T12:50:00Z', null, 'Reply within 3 h 20 min'],
  ['2026-11-23T10:00:00Z', null, 'Reply within 30 min'],
  ['2026-11-23T09:30:00Z', null, undefined],
  ['2026-11-29T12:50:00Z', '2026-11-23T12:50:00Z', 'Reply within 3 h 20 min; up to 6 days as a human agent'],
  ['2026-11-25T10:00:00Z', '2026-11-23T08:00:00Z', 'Reply within 2 days as a human agent'],
])('counts down an answering window that ends at %s, as a person from %s', (until, asPersonFrom, text) => {
  expect(answeringText(until, asPersonFrom, now)).toBe(text)
})

it('names someone by what is known of them', () => {
  const handle = '@maya.example'
  expect(nameOf({ person: { name: 'Maya', handle } })).toBe('Maya')
  expect(nameOf({ person: { name: '', handle } })).toBe(handle)
  expect(nameOf({ person: null })).toBe('Unknown person')
})

/** An item of a conversation on Mastodon. */
const itemOf = (itemId: string, more: Partial<InboxItem>): InboxItem => ({
  itemId,
  type: 'REPLY',
  direction: 'received',
  person: { name: 'Maya', handle: '@maya@rook.example', pictureUrl: null, url: null },
  member: null,
  text: 'Hello',
  warning: null,
  expired: false,
  rating: null,
  media: [],
  parentId: null,
  at: '2026-11-23T09:00:00Z',
  editedAt: null,
  deletedAt: null,
  hidden: false,
  held: false,
  reaction: null,
  url: null,
  reply: null,
  can: { react: [], hide: false, approve: false, delete: false, edit: false, retry: false, confirm: false },
  ...more,
})

describe('a reply on Mastodon', () => {
  const rules = inboxRules.mastodon.kinds.mention?.reply
  if (!rules) throw new Error('no rules')
  const row = { kind: 'mention', person: null } as const
  const own = '@nora@rook.example'
  const theirs = itemOf('theirs', { text: 'Birds\n\nHello @finch and @nora', warning: 'Birds' })
  const ours = itemOf('ours', {
    direction: 'sent',
    person: null,
    text: 'Birds\n\n@maya @finch Ask @owl',
    warning: 'Birds',
    reply: { replyId: 'reply', state: 'SENT', failure: null, itemId: 'theirs', files: [] },
  })

  it("counts as the channel's server does, up to what it takes", () => {
    expect(limitOf(rules, { most: 1000, addressLength: 40 })).toMatchObject({ max: 1000, addressLength: 40 })
    expect(limitOf(rules, { most: null, addressLength: null })).toEqual(rules.limit)
    const limit = limitOf(rules, { most: 1000, addressLength: 40 })
    expect(replyLength(rules, limit, 'https://example.com/', undefined, own)).toBe(40)
  })

  it('counts mentions in front and the content warning', () => {
    const count = (text: string) => replyLength(rules, rules.limit, text, answeredIn([theirs], row), own)
    expect(count('Hi')).toBe('Birds@maya @finch Hi'.length)
    expect(count('Hi @finch')).toBe('Birds@maya Hi @finch'.length)
  })

  it('counts all whom it mentions now when it is edited, and shows no warning in its text', () => {
    expect(ownText(ours)).toBe('@maya @finch Ask @owl')
    const count = (text: string) => replyLength(rules, rules.limit, text, editedIn([theirs, ours], row, ours), own)
    expect(count(ownText(ours))).toBe('Birds@maya @finch Ask @owl'.length)
    expect(count('Hi')).toBe('Birds@maya @finch @owl Hi'.length)
  })
})

it.each([
  ['plum cake', [[0, 4]], 'plum cake', ['plum']],
  ['Do you have a plum cake?', [[14, 18]], 'Do you have a plum cake?', ['plum']],
  ['When I came by, there was no plum cake left', [[29, 33]], '…by, there was no plum cake left', ['plum']],
  [
    'https://shop.example/orders/4711 was torn',
    [
      [28, 32],
      [37, 41],
    ],
    '…4711 was torn',
    ['4711', 'torn'],
  ],
  ['昨日そちらのお店で買ったケーキがとても美味しかった', [[19, 21]], '…美味しかった', ['美味']],
])('shows what was found in %j near the beginning of a row', (text, marks, shown, words) => {
  const found = foundInRow({ text, marks: marks.map(([from = 0, to = 0]) => [from, to]) })
  expect(found.text).toBe(shown)
  expect(found.marks.map(([from, to]) => found.text.slice(from, to))).toEqual(words)
})
