import { z } from 'zod'
import { Day, Done, Id, Instant, ProjectParams } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { Label } from '../labels.ts'
import { Editor } from '../presence.ts'
import { ConversationParams, inboxReaders } from './conversations.ts'
import { BULK_CONVERSATIONS_MOST, ConversationStatus, Sentiment } from './terms.ts'

/*
 * Every call here asks for `edit` on the conversation's kind too, `dm` for messages and `comment` for the rest, except
 * those that only mark something for oneself. Access lets in everyone who sees the inbox; the verb asks for the kind's right.
 */
const refused = ['NOT_FOUND', 'FORBIDDEN', 'STALE_VERSION'] as const

/** Where a conversation stands after a change; `version` is what the next change is compared with. */
const Changed = Done.extend({ version: z.int() })
/** The version that the caller saw: a change by someone else in between is STALE_VERSION. */
const seen = { version: z.int().optional() }
const Labels = z.array(Id).max(20, 'A conversation can have up to 20 labels')

export const setConversationStatus = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/status',
  summary: 'Open, close, or set a conversation to follow up on a day',
  access: inboxReaders,
  cost: 'light',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({
    ...seen,
    status: ConversationStatus,
    /** Of FOLLOWUP: a day after today in the project's zone. */
    followUpOn: Day.optional(),
  }),
  reply: Changed,
  errors: [...refused, 'BAD_INPUT'],
  audit: { action: 'changed', entity: 'conversation' },
})
export const assignConversation = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/assign',
  summary: 'Assign a conversation to a member who can see it, or to nobody',
  access: inboxReaders,
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
  access: inboxReaders,
  cost: 'light',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({ ...seen, labelIds: Labels }),
  reply: Changed,
  errors: [...refused, 'BAD_INPUT'],
  audit: { action: 'labeled', entity: 'conversation' },
})
export const judgeConversation = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/sentiment',
  summary: "Set a conversation's sentiment, or reset it to automatic",
  access: inboxReaders,
  cost: 'light',
  changes: ['conversation'],
  params: ConversationParams,
  body: z.object({ ...seen, sentiment: Sentiment.nullable() }),
  reply: Changed,
  errors: refused,
  audit: { action: 'judged', entity: 'conversation' },
})
/** Reading it also dismisses what you were notified of about your own replies in it. */
export const readConversation = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/read',
  summary: 'Mark a conversation as read or unread for yourself',
  access: inboxReaders,
  cost: 'light',
  changes: ['conversation', 'notice'],
  params: ConversationParams,
  body: z.object({
    read: z.boolean().default(true),
    /** When the last item was written that the caller has seen; the conversation's last one where nothing is said. */
    upTo: Instant.optional(),
  }),
  reply: z.object({}),
  errors: ['NOT_FOUND'],
  audit: { none: "a person's own mark" },
})
/** What comes is told by a live event of the conversation. */
export const refreshConversation = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/refresh',
  summary: "Read a conversation again from its platform if we couldn't keep its texts",
  access: inboxReaders,
  cost: 'light',
  reads: ['conversation'],
  params: ConversationParams,
  reply: z.object({ reading: z.boolean() }),
  errors: ['NOT_FOUND'],
  audit: { none: 'it reads what was read before, and changes nothing' },
})
/** What comes is told by live events of the conversations. */
export const readInboxNow = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/read-now',
  summary: 'Read new conversations now instead of at the next planned time, at most once a minute for each channel',
  access: inboxReaders,
  cost: 'light',
  reads: ['conversation'],
  params: ProjectParams,
  reply: Done.extend({ channels: z.int() }),
  audit: { none: 'it reads sooner what is read anyway' },
})
/** What conversations can be given and filtered by. Without a right to change any, what the role sees of both. */
export const conversationChoices = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/inbox/choices',
  summary: 'List whom conversations can be assigned to, and the labels that they can get',
  access: inboxReaders,
  cost: 'light',
  reads: ['member', 'channel', 'taxonomy'],
  params: ProjectParams,
  reply: z.object({
    /** Who sees some of the conversations, by name. */
    people: z.array(Editor),
    /** By name, including archived ones, which stay on what has them. */
    labels: z.array(Label.omit({ posts: true })),
  }),
  audit: null,
})
const Chosen = z
  .array(Id)
  .min(1, 'Choose at least one conversation')
  .max(BULK_CONVERSATIONS_MOST, `You can change up to ${BULK_CONVERSATIONS_MOST} conversations at once`)
export const changeConversations = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/bulk',
  summary: 'Update up to 500 conversations: status, assignee, labels to add, or read state',
  access: inboxReaders,
  cost: 'bulk',
  changes: ['conversation'],
  params: ProjectParams,
  body: z.object({
    conversationIds: Chosen,
    status: ConversationStatus.optional(),
    followUpOn: Day.optional(),
    userId: Id.nullable().optional(),
    addLabelIds: Labels.optional(),
    read: z.boolean().optional(),
  }),
  reply: Done.extend({
    changed: z.int(),
    /** Gone, not the caller's to change, or not to be seen by the new assignee. */
    skipped: z.array(Id),
  }),
  errors: ['BAD_INPUT', 'NOT_FOUND'],
  audit: { action: 'changed', entity: 'conversation' },
})

export const answeringConversation = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/inbox/:conversationId/presence',
  summary: 'Report that you started or stopped writing a reply. Returns who else is writing',
  access: inboxReaders,
  cost: 'light',
  reads: ['presence'],
  params: ConversationParams,
  body: z.object({ answering: z.boolean().default(true) }),
  reply: z.object({ answering: z.array(Editor) }),
  errors: ['NOT_FOUND'],
  audit: { none: 'it says where someone looks, and changes nothing' },
})
