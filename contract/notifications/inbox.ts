import { z } from 'zod'
import { adviceFor, sentenceOf } from '../failures/catalog.ts'
import { StoredReason } from '../failures/define.ts'
import { ConversationKind } from '../inbox/terms.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { platformLabel } from '../platforms/registry.ts'
import { webLinks } from '../webLinks.ts'
import { count, inProject, notification, type Place } from './define.ts'

/* About conversations of the inbox. What people wrote there, and their names, aren't stored: platforms limit how long. */

const conversation = z.object({ conversationId: z.string() })
const toConversation = ({ conversationId }: z.output<typeof conversation>, place: Place) =>
  inProject(place, (project) => webLinks.conversation(project, conversationId))
const toInbox = (_params: unknown, place: Place) => inProject(place, webLinks.inbox)

const note = conversation.extend({ author: z.string(), /** How the note begins. */ excerpt: z.string() })
const kindNames: Record<ConversationKind, string> = {
  comment: 'A comment',
  message: 'A direct message',
  mention: 'A mention',
  review: 'A review',
}

const aboutOne = conversation.extend({ conversation: ConversationKind, handle: z.string(), platform: PlatformKey })
const placed = ({ conversation: kind, handle, platform }: z.output<typeof aboutOne>) =>
  `${kindNames[kind]} for ${handle} on ${platformLabel(platform)}.`

const answered: Record<ConversationKind, string> = {
  comment: 'a comment',
  message: 'a direct message',
  mention: 'a mention',
  review: 'a review',
}
const replyTo = ({ conversation: kind, handle, platform }: z.output<typeof aboutOne>) =>
  `It replies to ${answered[kind]} for ${handle} on ${platformLabel(platform)}.`

/** A review with so many stars, or fewer, is a low one. */
export const LOW_RATING = 2

const arrived: Record<ConversationKind, string> = {
  comment: 'New comment',
  message: 'New direct message',
  mention: 'New mention',
  review: 'New review',
}
const forChannel = ({ handle, platform }: Pick<z.output<typeof aboutOne>, 'handle' | 'platform'>) =>
  `for ${handle} on ${platformLabel(platform)}`

/** Something new in so many conversations that each of them would be too much. */
const many = z.object({})
const FIND_THEM = "You'll find them in the inbox."

export const inboxNotifications = {
  'inbox-new-assigned': notification({
    topic: 'inbox_assigned',
    params: aboutOne,
    title: ({ conversation: kind }) => `${arrived[kind]} in a conversation assigned to you`,
    body: (params) => `It's ${forChannel(params)}.`,
    link: toConversation,
  }),
  'inbox-new-assigned-many': notification({
    topic: 'inbox_assigned',
    params: many,
    title: () => 'Many conversations assigned to you have something new',
    body: () => FIND_THEM,
    link: toInbox,
  }),
  'inbox-new-unassigned': notification({
    topic: 'inbox_unassigned',
    params: aboutOne,
    title: (params) => `${arrived[params.conversation]} ${forChannel(params)}`,
    body: () => "It isn't assigned to anyone.",
    link: toConversation,
  }),
  'inbox-new-unassigned-many': notification({
    topic: 'inbox_unassigned',
    params: many,
    title: () => 'Many unassigned conversations have something new',
    body: () => FIND_THEM,
    link: toInbox,
  }),
  'inbox-low-review': notification({
    topic: 'low_reviews',
    params: aboutOne.extend({ rating: z.int() }),
    title: ({ rating, ...params }) =>
      `A review with ${rating === 1 ? '1 star' : `${rating} stars`} ${forChannel(params)}`,
    body: () => 'Open the conversation to read it and reply.',
    link: toConversation,
  }),
  'inbox-low-review-many': notification({
    topic: 'low_reviews',
    params: many,
    title: () => 'Many reviews with 1 or 2 stars came in',
    body: () => FIND_THEM,
    link: toInbox,
  }),
  'inbox-assigned': notification({
    topic: 'inbox',
    params: aboutOne.extend({ assigner: z.string() }),
    title: ({ assigner }) => `${assigner} assigned a conversation to you`,
    body: placed,
    link: toConversation,
  }),
  'inbox-assigned-many': notification({
    topic: 'inbox',
    params: z.object({ assigner: z.string(), count }),
    title: ({ assigner, count: conversations }) => `${assigner} assigned ${conversations} conversations to you`,
    body: () => "You'll find them in the inbox.",
    link: toInbox,
  }),
  'inbox-follow-up': notification({
    topic: 'inbox',
    params: aboutOne,
    title: () => 'A conversation assigned to you is due for follow-up today',
    body: placed,
    link: toConversation,
  }),
  'inbox-overdue': notification({
    topic: 'inbox',
    params: z.object({
      count,
      /** Business hours within which the project wants an answer. */
      hours: count,
      /** Null for several. */
      conversationId: z.string().nullable(),
    }),
    title: ({ count: conversations }) =>
      conversations === 1
        ? 'A conversation has been waiting too long for a reply'
        : `${conversations} conversations have been waiting too long for a reply`,
    body: ({ hours }) =>
      `Your project aims to reply within ${hours === 1 ? '1 business hour' : `${hours} business hours`}.`,
    link: ({ conversationId }, place) =>
      conversationId === null ? toInbox({}, place) : toConversation({ conversationId }, place),
  }),
  'inbox-late': notification({
    topic: 'inbox',
    params: z.object({
      handle: z.string(),
      platform: PlatformKey,
      reason: StoredReason,
      /** Nothing arrives until the channel is reconnected. */
      stopped: z.boolean(),
    }),
    title: ({ handle, platform, stopped }) =>
      stopped
        ? `We can't read new comments and messages for ${handle} on ${platformLabel(platform)}`
        : `New comments and messages for ${handle} on ${platformLabel(platform)} arrive late`,
    body: ({ reason }) => `${sentenceOf(reason)} ${adviceFor(reason, 'figures')}`.trim(),
    link: toInbox,
  }),
  'inbox-reply-failed': notification({
    topic: 'inbox',
    params: aboutOne,
    title: () => "Your reply wasn't sent",
    body: (params) => `${replyTo(params)} Open the conversation to see why, and to send it again.`,
    link: toConversation,
  }),
  'inbox-reply-unconfirmed': notification({
    topic: 'inbox',
    params: aboutOne,
    title: () => "We don't know whether your reply was sent",
    body: (params) => `${replyTo(params)} Check it there, then tell us in the conversation.`,
    link: toConversation,
  }),
  'inbox-mention': notification({
    topic: 'inbox',
    params: note,
    title: ({ author }) => `${author} mentioned you in a note`,
    body: ({ excerpt }) => excerpt,
    link: toConversation,
  }),
  'inbox-note-reply': notification({
    topic: 'inbox',
    params: note,
    title: ({ author }) => `${author} replied to your note`,
    body: ({ excerpt }) => excerpt,
    link: toConversation,
  }),
}
