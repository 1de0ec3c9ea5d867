import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { inboxSortings, type InboxSorting } from '#contract/inbox/terms.ts'
import {
  cursorBefore,
  cursorOf,
  isAfter,
  merged,
  rowsOf,
  type ConversationRow,
  type HeldConversations,
} from './heldConversations.ts'

const id = (n: number) => `0190a000-0000-7000-8000-${String(n).padStart(12, '0')}`
const channel: ConversationRow['channel'] = {
  channelId: id(900),
  channelName: 'Northlight',
  handle: '@northlight',
  platformName: 'bluesky',
  profileUrl: null,
  simulated: false,
}
const row = (n: number, minute: number, preview = ''): ConversationRow => ({
  conversationId: id(n),
  kind: 'comment',
  status: 'OPEN',
  channel,
  person: null,
  preview,
  lastDirection: 'received',
  lastAuthor: null,
  lastAt: new Date(Date.UTC(2026, 10, 23, 9, minute)).toISOString(),
  unanswered: 1,
  waitingSince: new Date(Date.UTC(2026, 10, 23, 9, minute)).toISOString(),
  held: 0,
  unsent: null,
  unread: true,
  followUpOn: null,
  assignee: null,
  labels: [],
  sentiment: null,
  answerUntil: null,
  rating: null,
  version: 1,
  hit: null,
  notes: 0,
})

/** What the server answers of these rows. */
function pageOf(rows: readonly ConversationRow[], sort: InboxSorting, after: string | null, limit: number) {
  const found = rows
    .toSorted((a, b) => (isAfter(a, cursorOf(b, sort), sort) ? 1 : -1))
    .filter((one) => isAfter(one, after, sort))
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return { rows: page, next: last ? cursorOf(last, sort) : null }
}
const idsOf = ({ rows }: HeldConversations) => rows.map((one) => one.conversationId)
const nothing: HeldConversations = { rows: [], next: null }

it('puts a conversation with a new message on top, and nowhere else', () => {
  const held = merged(nothing, null, pageOf([row(1, 3), row(2, 2), row(3, 1)], 'newest', null, 10), 'newest')
  const now = [row(1, 3), row(2, 2), row(3, 9)]
  expect(idsOf(merged(held, null, pageOf(now, 'newest', null, 1), 'newest'))).toEqual([id(3), id(1), id(2)])
})

it('takes a conversation off that left the list, unless it is the open one', () => {
  const [first, second] = [row(1, 3), row(2, 2)]
  const held = merged(nothing, null, pageOf([first, second], 'newest', null, 10), 'newest')
  const after = cursorBefore(first, 'newest')
  const page = pageOf([second], 'newest', after, 1)
  expect(idsOf(merged(held, after, page, 'newest'))).toEqual([id(2)])
  expect(idsOf(merged(held, after, page, 'newest', id(1)))).toEqual([id(1), id(2)])
})

it('goes on after the last page although conversations above were read again', () => {
  const all = Array.from({ length: 9 }, (_, n) => row(n, 30 - n))
  const first = pageOf(all, 'newest', null, 3)
  const second = pageOf(all, 'newest', first.next, 3)
  const held = merged(merged(nothing, null, first, 'newest'), first.next, second, 'newest')
  expect(held.next).toBe(second.next)
  expect(merged(held, null, pageOf(all, 'newest', null, 2), 'newest').next).toBe(second.next)
})

it.each(inboxSortings)('holds what the server has after any changes are read, sorted by %s', (sort) => {
  const minutes = fc.array(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 12 })
  const changes = fc.array(fc.record({ n: fc.nat(14), minute: fc.integer({ min: 0, max: 59 }), gone: fc.boolean() }), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(minutes, changes, fc.integer({ min: 1, max: 5 }), (begin, later, limit) => {
      const server = new Map(begin.map((minute, n) => [n, row(n, minute)]))
      let held: HeldConversations = nothing
      let after: string | null = null
      do {
        held = merged(held, after, pageOf([...server.values()], sort, after, limit), sort)
        after = held.next
      } while (after !== null)
      for (const { n, minute, gone } of later) {
        const before = held.rows.find((one) => one.conversationId === id(n))
        if (gone) server.delete(n)
        else server.set(n, row(n, minute, 'changed'))
        // where it was, and where it is now
        for (const place of [before, server.get(n)]) {
          // what was never read isn't read again
          if (!place || (held.next !== null && isAfter(place, held.next, sort))) continue
          const from = cursorBefore(place, sort)
          held = merged(held, from, pageOf([...server.values()], sort, from, limit), sort)
        }
      }
      const all = pageOf([...server.values()], sort, null, 100)
      expect(held.rows.filter((one) => held.next === null || !isAfter(one, held.next, sort))).toEqual(
        all.rows.filter((one) => held.next === null || !isAfter(one, held.next, sort)),
      )
    }),
  )
})

it('joins the names to the conversations', () => {
  const { channel: _, assignee: __, labels: ___, ...item } = row(1, 1)
  const label = { labelId: id(7), labelName: 'VIP', color: 'red' as const }
  const member = { userId: id(8), name: 'Edda', profileUrl: null }
  const [joined] = rowsOf({
    conversations: [{ ...item, channel: 0, assignee: 0, labels: [0] }],
    channels: [channel],
    members: [member],
    labels: [label],
  })
  expect(joined).toMatchObject({ channel, assignee: member, labels: [label] })
})
