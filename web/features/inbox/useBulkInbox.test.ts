import { expect, it } from 'vitest'
import type { ConversationRow } from './heldConversations.ts'
import { undoOf } from './useBulkInbox.ts'

const row = (conversationId: string, more: Partial<ConversationRow> = {}): ConversationRow => ({
  conversationId,
  kind: 'comment',
  status: 'OPEN',
  channel: {
    channelId: 'channel',
    channelName: 'Northlight',
    handle: '@northlight',
    platformName: 'bluesky',
    profileUrl: null,
    simulated: false,
  },
  person: null,
  preview: '',
  lastDirection: 'received',
  lastAuthor: null,
  lastAt: '2026-11-23T09:00:00.000Z',
  unanswered: 1,
  waitingSince: null,
  held: 0,
  unsent: null,
  unread: false,
  followUpOn: null,
  assignee: null,
  labels: [],
  sentiment: null,
  answerUntil: null,
  rating: null,
  version: 1,
  hit: null,
  notes: 0,
  ...more,
})
const edda = { userId: 'edda', name: 'Edda', profileUrl: null }

it('brings every conversation back to what it was, by one call for those that were alike', () => {
  const rows = [row('a'), row('b', { status: 'FOLLOWUP', followUpOn: '2026-11-30' }), row('c')]
  expect(undoOf(rows, { status: 'CLOSED' })).toEqual([
    { rows: [rows[0], rows[2]], change: { status: 'OPEN' } },
    { rows: [rows[1]], change: { status: 'FOLLOWUP', followUpOn: '2026-11-30' } },
  ])
})

it('gives conversations back to whom they belonged, and marks', () => {
  const rows = [row('a', { assignee: edda, unread: true }), row('b')]
  expect(undoOf(rows, { userId: 'anna' })?.map(({ change }) => change)).toEqual([{ userId: 'edda' }, { userId: null }])
  expect(undoOf(rows, { read: true })?.map(({ change }) => change)).toEqual([{ read: false }, { read: true }])
})

it('offers no undo for added labels, which a conversation may have had before', () => {
  expect(undoOf([row('a')], { addLabelIds: ['vip'] })).toBe(undefined)
})
