import { z } from 'zod'
import { Done, Id, ProjectParams } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { ConversationParams, inboxReaders } from './conversations.ts'
import { HIDE_MOST, ReactionKind, REPLY_TEXT_MOST, ReplyState } from './terms.ts'

/*
 * What is sent to platforms. Every call also asks for a right on the conversation's kind, `dm` for messages and `comment` for
 * the rest: `create` to reply and to edit a reply, `edit` to hide and react, `delete` to delete something there. A reply
 * that wasn't sent can be withdrawn by everyone who may reply.
 */
const ReplyParams = ProjectParams.extend({ replyId: Id })
const ItemParams = ConversationParams.extend({ itemId: Id })
const refused = ['NOT_FOUND', 'FORBIDDEN'] as const
/** Of calls that wait for the platform's answer. */
const byPlatform = ['CHANNEL_REFUSED', 'CHANNEL_UNREACHABLE'] as const

export const ReplyText = z.string().trim().max(REPLY_TEXT_MOST, 'This reply is too long')
/** The version that the caller saw: a change by someone else in between, such as a reply, is STALE_VERSION. */
const seen = { version: z.int().optional() }
/** How far a reply got, and the conversation's version after it. */
const Replied = Done.extend({ replyId: Id, state: ReplyState, version: z.int() })

/**
 * Sends a reply once: the same `replyId` again answers what became of it. It's checked against the platform's rules as it
 * is taken, and against the answering window again as it is sent. The call waits for the platform for a few seconds;
 * what takes longer goes on without it, and the conversation's live events say how. A reply that fails is in the answer's
 * `state`, with its reason in the conversation.
 */
export const sendReply = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/reply',
  summary: 'Reply in a conversation. A repeated replyId is only sent once',
  access: inboxReaders,
  cost: 'post',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({
    ...seen,
    /** Chosen by the caller. */
    replyId: Id,
    text: ReplyText,
    /** Files of the project, in order. */
    assetIds: z.array(Id).max(10).default([]),
    /** Alt texts of these files, by ID; the file's own where none is given. */
    altTexts: z.record(Id, z.string().trim().max(5000)).default({}),
    /** The item that it answers; the last one received where none is named. */
    itemId: Id.optional(),
    /** The canned response that it was made from. */
    responseId: Id.optional(),
    /** Whether the conversation is closed once the reply was sent; absent: as the project's settings say. */
    close: z.boolean().optional(),
  }),
  reply: Replied,
  errors: [...refused, 'STALE_VERSION', 'BAD_INPUT', 'REPLY_REFUSED', 'PLAN_LIMIT'],
  audit: { action: 'replied', entity: 'conversation' },
})
export const editReply = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/inbox/reply/:replyId',
  summary: 'Edit a sent reply on the platform, if it supports that',
  access: inboxReaders,
  cost: 'post',
  changes: ['conversation'],
  params: ReplyParams,
  body: z.object({ text: ReplyText.min(1, 'Write something') }),
  reply: Replied,
  errors: [...refused, ...byPlatform, 'BAD_INPUT', 'REPLY_REFUSED', 'REPLY_LOCKED', 'PLAN_LIMIT'],
  audit: { action: 'edited', entity: 'reply' },
})
export const deleteReply = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/inbox/reply/:replyId',
  summary: "Cancel a reply that wasn't sent, or delete a sent one on the platform",
  access: inboxReaders,
  cost: 'post',
  changes: ['conversation'],
  params: ReplyParams,
  reply: Replied,
  errors: [...refused, ...byPlatform, 'REPLY_REFUSED', 'REPLY_LOCKED'],
  audit: { action: 'deleted', entity: 'reply' },
})
/** Waits for the platform as sending does. */
export const retryReply = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/reply/:replyId/retry',
  summary: 'Send a failed reply again',
  access: inboxReaders,
  cost: 'post',
  changes: ['conversation'],
  params: ReplyParams,
  reply: Replied,
  errors: [...refused, 'REPLY_REFUSED', 'REPLY_LOCKED', 'PLAN_LIMIT'],
  audit: { action: 'retried', entity: 'reply' },
})
/** One that wasn't sent is FAILED afterwards, and can be sent again or withdrawn. */
export const confirmReply = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/reply/:replyId/confirm',
  summary: 'Confirm whether an unconfirmed reply was sent',
  access: inboxReaders,
  cost: 'light',
  changes: ['conversation'],
  params: ReplyParams,
  body: z.object({ sent: z.boolean() }),
  reply: Replied,
  errors: [...refused, 'REPLY_LOCKED'],
  audit: { action: 'confirmed', entity: 'reply' },
})

/** The conversation's version after the change. The last call wins where several are made at once. */
const ChangedItem = Done.extend({ version: z.int() })

export const hideItem = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/hide',
  summary: 'Hide a comment on the platform, or show it: this also approves one that is held for review',
  access: inboxReaders,
  cost: 'post',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({ itemId: Id, hidden: z.boolean() }),
  reply: ChangedItem,
  errors: [...refused, ...byPlatform, 'REPLY_REFUSED', 'REPLY_LOCKED'],
  audit: { action: 'hidden', entity: 'conversation' },
})
/**
 * Hides what people wrote in conversations, each by a call to its platform. `itemIds` are those that were changed, by which
 * they're shown again.
 */
export const hideInConversations = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/bulk-hide',
  summary: 'Hide the comments of up to 50 conversations on their platforms, or show some of them',
  access: inboxReaders,
  cost: 'bulk',
  changes: ['conversation'],
  params: ProjectParams,
  body: z
    .object({
      conversationIds: z
        .array(Id)
        .min(1, 'Choose at least one conversation')
        .max(HIDE_MOST.conversations, `You can hide up to ${HIDE_MOST.conversations} conversations at once`),
      hidden: z.boolean().default(true),
      /** Only these of their items. */
      itemIds: z.array(Id).max(HIDE_MOST.items).optional(),
    })
    // what a platform holds for review would be published
    .refine(({ hidden, itemIds }) => hidden || itemIds !== undefined, {
      path: ['itemIds'],
      error: 'Name what to show again',
    }),
  reply: Done.extend({
    itemIds: z.array(Id),
    /** Not the caller's to change, nothing that the platform lets anyone hide, or not taken by the platform. */
    skipped: z.array(Id),
  }),
  errors: ['BAD_INPUT', 'PLAN_LIMIT'],
  audit: { action: 'hidden', entity: 'conversation' },
})
export const reactToItem = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/react',
  summary: 'React to an item on the platform, or remove the reaction',
  access: inboxReaders,
  cost: 'post',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({ itemId: Id, reaction: ReactionKind.nullable() }),
  reply: ChangedItem,
  errors: [...refused, ...byPlatform, 'REPLY_REFUSED', 'REPLY_LOCKED'],
  audit: { action: 'reacted', entity: 'conversation' },
})
export const deleteItem = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/item/:itemId',
  summary: "Delete someone's comment on the platform",
  access: inboxReaders,
  cost: 'post',
  changes: ['conversation'],
  params: ItemParams,
  reply: ChangedItem,
  errors: [...refused, ...byPlatform, 'REPLY_REFUSED', 'REPLY_LOCKED'],
  audit: { action: 'deleted', entity: 'inbox_item' },
})
