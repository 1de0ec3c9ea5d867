import { z } from 'zod'
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

export const inboxNotifications = {
  'inbox-assigned': notification({
    topic: 'inbox',
    params: conversation.extend({
      assigner: z.string(),
      conversation: ConversationKind,
      handle: z.string(),
      platform: PlatformKey,
    }),
    title: ({ assigner }) => `${assigner} assigned a conversation to you`,
    body: ({ conversation: kind, handle, platform }) =>
      `${kindNames[kind]} for ${handle} on ${platformLabel(platform)}.`,
    link: toConversation,
  }),
  'inbox-assigned-many': notification({
    topic: 'inbox',
    params: z.object({ assigner: z.string(), count }),
    title: ({ assigner, count: conversations }) => `${assigner} assigned ${conversations} conversations to you`,
    body: () => "You'll find them in the inbox.",
    link: toInbox,
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
