import { z } from 'zod'
import { Done, Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { ConversationParams, inboxReaders as mayEdit } from './conversations.ts'
import { ReactionKind, REPLY_TEXT_MOST, ReplyState } from './terms.ts'

/*
 * What is sent to platforms: `create` of the conversation's kind is to reply, `edit` to hide and react, `delete` to delete
 * something there. None of these is among the endpoints of api.ts before the delivery engine sends replies.
 */
const ReplyParams = ProjectParams.extend({ replyId: Id })
const ItemParams = ConversationParams.extend({ itemId: Id })
const refused = ['NOT_FOUND', 'FORBIDDEN', 'STALE_VERSION'] as const

export const ReplyText = z.string().trim().max(REPLY_TEXT_MOST, 'This reply is too long')

/**
 * Sends a reply, once: the same `replyId` again answers what became of it. It is checked against the platform's rules as
 * it is taken, and against the answering window again as it is sent.
 */
export const sendReply = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/reply',
  summary: 'Reply in a conversation. The same replyId is sent once',
  access: mayEdit,
  cost: 'post',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({
    /** Chosen by the caller. */
    replyId: Id,
    text: ReplyText,
    /** Files of the project, in order. */
    assetIds: z.array(Id).max(10).default([]),
    /** The item that it answers; the last one received where none is named. */
    itemId: Id.optional(),
    /** Send it although a colleague is answering or has just answered. */
    evenSo: z.boolean().default(false),
    /** The canned response that it was made from. */
    responseId: Id.optional(),
  }),
  reply: Done.extend({ replyId: Id, state: ReplyState }),
  errors: [...refused, 'BAD_INPUT', 'PLAN_LIMIT'],
  audit: { action: 'replied', entity: 'conversation' },
})
export const editReply = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/inbox/reply/:replyId',
  summary: 'Edit a sent reply on the platform, where it takes that',
  access: mayEdit,
  cost: 'post',
  changes: ['conversation'],
  params: ReplyParams,
  body: z.object({ text: ReplyText.min(1, 'Write something') }),
  reply: Done,
  errors: [...refused, 'BAD_INPUT'],
  audit: { action: 'edited', entity: 'reply' },
})
export const deleteReply = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/inbox/reply/:replyId',
  summary: 'Withdraw a reply that was not sent, or delete a sent one on the platform',
  access: mayEdit,
  cost: 'post',
  changes: ['conversation'],
  params: ReplyParams,
  reply: Done,
  errors: refused,
  audit: { action: 'deleted', entity: 'reply' },
})
export const retryReply = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/reply/:replyId/retry',
  summary: 'Send a failed reply again',
  access: mayEdit,
  cost: 'post',
  changes: ['conversation'],
  params: ReplyParams,
  reply: Done.extend({ state: ReplyState }),
  errors: refused,
  audit: { action: 'retried', entity: 'reply' },
})
export const resolveReply = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/reply/:replyId/resolve',
  summary: 'Say whether an unconfirmed reply was sent',
  access: mayEdit,
  cost: 'light',
  changes: ['conversation'],
  params: ReplyParams,
  body: z.object({ sent: z.boolean() }),
  reply: Done.extend({ state: ReplyState }),
  errors: refused,
  audit: { action: 'resolved', entity: 'reply' },
})

export const hideItem = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/hide',
  summary: "Hide somebody's comment on the platform, or show it again",
  access: mayEdit,
  cost: 'post',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({ itemId: Id, hidden: z.boolean() }),
  reply: Done,
  errors: refused,
  audit: { action: 'hidden', entity: 'conversation' },
})
export const reactToItem = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/react',
  summary: 'React to an item on the platform, or take the reaction back',
  access: mayEdit,
  cost: 'post',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({ itemId: Id, reaction: ReactionKind.nullable() }),
  reply: Done,
  errors: refused,
  audit: { action: 'reacted', entity: 'conversation' },
})
export const deleteItem = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/item/:itemId',
  summary: "Delete somebody's comment on the platform",
  access: mayEdit,
  cost: 'post',
  changes: ['conversation'],
  params: ItemParams,
  reply: Done,
  errors: refused,
  audit: { action: 'deleted', entity: 'inbox item' },
})

/** Drafts of an answer, by AI. Nothing is sent. */
export const suggestReplies = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/suggest',
  summary: 'Suggest up to three answers, for one AI credit',
  access: can('inbox', 'view'),
  cost: 'ai',
  changes: [],
  params: ConversationParams,
  reply: z.object({ suggestions: z.array(z.string()) }),
  errors: ['NOT_FOUND', 'PLAN_LIMIT', 'FORBIDDEN'],
  audit: { none: 'nothing is kept or sent' },
})
