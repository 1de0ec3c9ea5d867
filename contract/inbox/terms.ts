import { z } from 'zod'

/*
 * The inbox's terms, as the specification names them, and REVIEW, since Google Business Profile is among the platforms
 * (decisions, Inbox).
 */

/** What a conversation is, which decides who may see it and what can be done: messages need `dm`, everything else `comment`. */
export const conversationKinds = ['comment', 'message', 'mention', 'review'] as const
export const ConversationKind = z.enum(conversationKinds)
export type ConversationKind = z.infer<typeof ConversationKind>

/**
 * What one item is. COMMENT: under a post of ours; REPLY: to a comment, or to a post of ours where platforms call that a
 * reply; MENTION_POST, MENTION_COMMENT: where someone names the account; POST: someone's post on the account's page;
 * FOREIGN_POST: someone's post that quotes or tags the account.
 */
const entityTypes = [
  'COMMENT',
  'DIRECT_MESSAGE',
  'REPLY',
  'MENTION_POST',
  'MENTION_COMMENT',
  'POST',
  'FOREIGN_POST',
  'REVIEW',
] as const
export const EntityType = z.enum(entityTypes)
export type EntityType = z.infer<typeof EntityType>

export const conversationStatuses = ['OPEN', 'FOLLOWUP', 'CLOSED'] as const
export const ConversationStatus = z.enum(conversationStatuses)
export type ConversationStatus = z.infer<typeof ConversationStatus>

/** Newest: by the last item. Waiting: the person who has waited longest for an answer first; who waits for none is left out. */
export const inboxSortings = ['newest', 'oldest', 'waiting'] as const
export const InboxSorting = z.enum(inboxSortings)
export type InboxSorting = z.infer<typeof InboxSorting>

export const Direction = z.enum(['received', 'sent'])
export type Direction = z.infer<typeof Direction>

/** LinkedIn's six; DEFAULT is the one reaction that other platforms have. DISLIKE is specified, and no platform takes it. */
const reactionKinds = [
  'DEFAULT',
  'LIKE',
  'DISLIKE',
  'PRAISE',
  'EMPATHY',
  'INTEREST',
  'APPRECIATION',
  'ENTERTAINMENT',
] as const
export const ReactionKind = z.enum(reactionKinds)
export type ReactionKind = z.infer<typeof ReactionKind>

export const sentiments = ['positive', 'neutral', 'negative'] as const
export const Sentiment = z.enum(sentiments)
export type Sentiment = z.infer<typeof Sentiment>
/**
 * A reply on its way. UNCONFIRMED: it may have been sent, and a person says whether it was. CANCELLED: withdrawn before it
 * was sent. DELETED: deleted at the platform after it was sent.
 */
const replyStates = ['PENDING', 'SENDING', 'SENT', 'UNCONFIRMED', 'FAILED', 'CANCELLED', 'DELETED'] as const
export const ReplyState = z.enum(replyStates)
export type ReplyState = z.infer<typeof ReplyState>
/** Where a person has to do something about a reply. */
export const unsentStates = ['FAILED', 'UNCONFIRMED'] as const satisfies readonly ReplyState[]
export const UnsentState = z.enum(unsentStates)
export type UnsentState = z.infer<typeof UnsentState>

/** The right that a kind of conversation asks for. */
export const rightOf = (kind: ConversationKind): 'dm' | 'comment' => (kind === 'message' ? 'dm' : 'comment')

export const REPLY_TEXT_MOST = 10_000
/** Conversations of one bulk action. */
export const BULK_CONVERSATIONS_MOST = 500
/** Conversations whose comments are hidden at once, and comments: each is a call to its platform that people wait for. */
export const HIDE_MOST = { conversations: 50, items: 200 } as const
/** What is closed by the first sync of a kind: items older than so many days. */
export const FIRST_SYNC_CLOSES_DAYS = 14
/** A conversation's preview: the beginning of its last item. */
export const PREVIEW_LENGTH = 160
