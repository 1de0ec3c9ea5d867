import { z } from 'zod'
import { Done, Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { Editor } from '../presence.ts'
import { ConversationParams, inboxReaders } from './conversations.ts'
import {
  BULK_CONVERSATIONS_MOST,
  ConversationStatus,
  ReactionKind,
  REPLY_TEXT_MOST,
  ReplyState,
  Sentiment,
} from './terms.ts'

/*
 * Every call here asks for the right on the conversation's kind too: `dm` for messages, `comment` for the rest. `create` is
 * to reply, `edit` everything that changes a conversation or an item, `delete` to delete something on the platform. Access
 * lets in whoever holds it for either kind; the verb asks for the conversation's.
 */
const mayEdit = inboxReaders
const ReplyParams = ProjectParams.extend({ replyId: Id })
const ItemParams = ConversationParams.extend({ itemId: Id })
const refused = ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] as const

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

/** Where a conversation stands after a change; `version` is what the next change is compared with. */
const Changed = Done.extend({ version: z.int() })
/** The version that the caller saw: a change by somebody else in between is a CONFLICT. */
const seen = { version: z.int().optional() }

export const setConversationStatus = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/status',
  summary: 'Open, close, or set a conversation to follow up on a day',
  access: mayEdit,
  cost: 'light',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({
    ...seen,
    status: ConversationStatus,
    /** Of FOLLOWUP, in the project's zone; today or later. */
    followUpOn: z.iso.date().optional(),
  }),
  reply: Changed,
  errors: [...refused, 'BAD_INPUT'],
  audit: { action: 'status changed', entity: 'conversation' },
})
export const assignConversation = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/assign',
  summary: 'Assign a conversation to a member who can see it, or to nobody',
  access: mayEdit,
  cost: 'light',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({ ...seen, userId: Id.nullable() }),
  reply: Changed,
  errors: [...refused, 'BAD_INPUT'],
  audit: { action: 'assigned', entity: 'conversation' },
})
export const labelConversation = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/label',
  summary: "Set a conversation's labels",
  access: mayEdit,
  cost: 'light',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({ ...seen, labelIds: z.array(Id).max(20) }),
  reply: Changed,
  errors: [...refused, 'BAD_INPUT'],
  audit: { action: 'labeled', entity: 'conversation' },
})
export const judgeConversation = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/sentiment',
  summary: "Set a conversation's sentiment, or leave it to be judged",
  access: mayEdit,
  cost: 'light',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({ ...seen, sentiment: Sentiment.nullable() }),
  reply: Changed,
  errors: refused,
  audit: { action: 'judged', entity: 'conversation' },
})
export const readConversation = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/read',
  summary: 'Mark a conversation as read or unread for yourself',
  access: inboxReaders,
  cost: 'light',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({ read: z.boolean().default(true) }),
  reply: z.object({}),
  errors: ['NOT_FOUND'],
  audit: { none: "a person's own mark" },
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

const Chosen = z.array(Id).min(1).max(BULK_CONVERSATIONS_MOST)
export const changeConversations = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/bulk',
  summary: 'Change up to 500 conversations: status, assignee, labels to add, or read',
  access: inboxReaders,
  cost: 'bulk',
  changes: ['conversation'],
  params: ProjectParams,
  body: z.object({
    conversationIds: Chosen,
    status: ConversationStatus.optional(),
    followUpOn: z.iso.date().optional(),
    userId: Id.nullable().optional(),
    addLabelIds: z.array(Id).max(20).optional(),
    read: z.boolean().optional(),
  }),
  reply: Done.extend({
    changed: z.int(),
    /** Not the caller's to change, or gone. */
    skipped: z.array(Id),
  }),
  errors: ['BAD_INPUT', 'FORBIDDEN'],
  audit: { action: 'changed', entity: 'conversations' },
})

export const answeringConversation = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/presence',
  summary: 'Report that you started or stopped writing an answer. Returns who else is',
  access: inboxReaders,
  cost: 'light',
  reads: ['presence'],
  params: ConversationParams,
  body: z.object({ answering: z.boolean().default(true) }),
  reply: z.object({ answering: z.array(Editor) }),
  errors: ['NOT_FOUND'],
  audit: { none: 'it says where somebody looks, and changes nothing' },
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
