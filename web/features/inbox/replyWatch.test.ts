import { expect, it } from 'vitest'
import type { getConversation, InboxItem } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { because } from '#contract/failures/catalog.ts'
import type { ReplyState } from '#contract/inbox/terms.ts'
import { createReplyWatch } from './replyWatch.ts'

const failure = {
  class: 'permanent' as const,
  action: 'edit' as const,
  ...because('inbox-item-gone', { platform: 'X' }),
}
type Replied = NonNullable<InboxItem['reply']>

/** A page of a person who has sent one reply, and what they were told. */
function pageOf() {
  const replies = new Map<string, Replied>()
  const told: string[] = []
  const page: { open?: string } = {}
  const watch = createReplyWatch({
    read: async (conversationId) => conversationOf(conversationId, [...replies.values()]),
    isOpen: (conversationId) => page.open === conversationId,
    tell: (words, { conversationId }) => told.push(`${conversationId}: ${words}`),
  })
  const become = async (state: ReplyState, replyId = 'mine', ref?: string) => {
    replies.set(replyId, { replyId, state, failure: state === 'FAILED' ? failure : null, itemId: null, files: [] })
    await watch.hear([{ kind: 'conversation', ref: ref ?? 'maya' }])
  }
  return { page, told, watch, become }
}
const FAILED = "maya: Your reply to Maya wasn't sent: The message you're replying to is no longer on X."

it('tells once whose reply failed and why, to those who are elsewhere', async () => {
  const { told, watch, become, page } = pageOf()
  watch.watch({ replyId: 'mine', conversationId: 'maya' })
  page.open = 'nils'
  await become('PENDING')
  await become('SENDING')
  expect(told).toEqual([])
  await Promise.all([become('FAILED'), become('FAILED')])
  await become('FAILED')
  expect(told).toEqual([FAILED])
  // sent again, and refused again: another failure
  watch.watch({ replyId: 'mine', conversationId: 'maya' })
  await become('SENDING')
  await become('FAILED')
  expect(told).toEqual([FAILED, FAILED])
})

it('tells nothing about the conversation that is open, then or after it was left', async () => {
  const { told, watch, become, page } = pageOf()
  watch.watch({ replyId: 'mine', conversationId: 'maya' })
  page.open = 'maya'
  await become('FAILED')
  page.open = 'nils'
  await become('FAILED')
  expect(told).toEqual([])
})

it('tells once of a reply that was sent again and failed, in the open conversation too', async () => {
  const { told, watch, become, page } = pageOf()
  page.open = 'maya'
  watch.watch({ replyId: 'mine', conversationId: 'maya', again: true })
  await become('SENDING')
  expect(told).toEqual([])
  await become('FAILED')
  await become('FAILED')
  expect(told).toEqual([FAILED])
})

it('tells nothing about replies of others, those that were sent, and other conversations', async () => {
  const { told, watch, become } = pageOf()
  watch.watch({ replyId: 'mine', conversationId: 'maya' })
  await become('FAILED', 'theirs')
  await become('FAILED', 'mine', 'nils')
  expect(told).toEqual([])
  await become('SENT')
  await become('FAILED')
  expect(told).toEqual([])
  watch.watch({ replyId: 'refused', conversationId: 'maya' })
  watch.forget('refused')
  await become('FAILED', 'refused')
  expect(told).toEqual([])
})

it('tells once that nobody knows, and then that it failed', async () => {
  const { told, watch, become } = pageOf()
  watch.watch({ replyId: 'mine', conversationId: 'maya' })
  await become('UNCONFIRMED')
  await become('UNCONFIRMED')
  await become('FAILED')
  expect(told).toEqual(["maya: We couldn't confirm that X published your reply to Maya.", FAILED])
})

function conversationOf(conversationId: string, replies: readonly Replied[]): ReplyOf<typeof getConversation> {
  const no = { possible: false, reason: null }
  const at = '2026-11-23T09:00:00.000Z'
  return {
    conversation: {
      conversationId,
      kind: 'mention',
      status: 'OPEN',
      channel: 0,
      person: { name: 'Maya', handle: '@maya', pictureUrl: null, url: null },
      preview: '',
      lastDirection: 'received',
      lastAuthor: null,
      lastAt: at,
      unanswered: 1,
      waitingSince: at,
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
    },
    channels: [
      { channelId: 'x', channelName: 'X', handle: '@us', platformName: 'x', profileUrl: null, simulated: false },
    ],
    members: [],
    labels: [],
    subject: null,
    items: replies.map((reply) => ({
      itemId: reply.replyId,
      warning: null,
      type: 'REPLY',
      direction: 'sent',
      person: null,
      member: null,
      text: 'Hi',
      expired: false,
      rating: null,
      media: [],
      parentId: null,
      at,
      editedAt: null,
      deletedAt: null,
      hidden: false,
      held: false,
      reaction: null,
      url: null,
      reply,
      can: { react: [], hide: false, approve: false, delete: true, edit: false, retry: true, confirm: false },
    })),
    more: false,
    later: false,
    earlier: [],
    can: {
      reply: {
        ...no,
        most: null,
        addressLength: null,
        unit: null,
        pictures: 0,
        limits: null,
        asPersonFrom: null,
        price: null,
      },
      react: no,
      hide: no,
      delete: no,
    },
    answering: [],
  }
}
