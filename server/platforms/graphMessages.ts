import { z } from 'zod'
import type { Inbox, InboxChange, ReadAsk, RemoteItem, RemoteMedia, RemotePerson } from './inbox.ts'
import { edgeOf, GraphId, GraphTime } from './graph.ts'
import type { Stopped } from './graphComments.ts'
import { changesIn, forget, Memory, missingFrom, type Listed } from './graphMemory.ts'

/*
 * Conversations of Messenger and Instagram (Conversations API): listed by their last message, each with its newest 20, which
 * are all that the API shows. A conversation is named by the other person, because that is whom an answer is sent to.
 */

const HOUR = 3_600_000
/** Conversations of one page. */
export const CONVERSATIONS = 10
/** The API shows no older messages than these. */
const MESSAGES = 20

const Url = z
  .string()
  .nullable()
  .catch(null)
  .transform((url) => url || null)
const Who = z
  .object({ id: GraphId, name: z.string().catch(''), username: z.string().catch('') })
  .nullable()
  .catch(null)
type Who = z.infer<typeof Who>
const list = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item) }).catch({ data: [] })
const Attachment = z.object({
  mime_type: z.string().catch(''),
  name: z.string().nullable().catch(null),
  file_url: Url,
  image_data: z.object({ url: Url }).nullable().catch(null),
  video_data: z.object({ url: Url }).nullable().catch(null),
})
const Message = z.object({
  id: z.string().min(1),
  created_time: GraphTime,
  from: Who,
  message: z.string().catch(''),
  sticker: Url,
  attachments: list(Attachment),
  shares: list(z.object({ link: Url, name: z.string().nullable().catch(null) })),
})
type Message = z.infer<typeof Message>
export const Conversation = z.object({
  id: z.string().min(1),
  link: z.string().catch(''),
  updated_time: GraphTime,
  participants: list(z.object({ id: GraphId, name: z.string().catch(''), username: z.string().catch('') })),
  messages: edgeOf(Message).catch({ data: [], paging: { next: null } }),
})
export type Conversation = z.infer<typeof Conversation>
export const Conversations = edgeOf(Conversation)

/** The fields that are asked for. `extra` names those that only one of the platforms has. */
export const conversationFields = (extra: string): string =>
  [
    `id,updated_time,participants${extra}`,
    `messages.limit(${MESSAGES}){id,created_time,from,message,sticker,attachments{id,mime_type,name,file_url,image_data,video_data},shares{link,name}}`,
  ].join(',')

export type MessageSource = {
  page: (
    after: string | null,
  ) => Promise<{ kind: 'conversations'; conversations: readonly Conversation[]; next: string | null } | Stopped>
  isUs: (who: { id: string; username: string }) => boolean
  person: (who: { id: string; name: string; username: string }) => RemotePerson
  /** Where the conversation is on the platform. */
  url: (conversation: Conversation) => string | null
}

const Cursor = z.object({
  after: z.string().nullable().catch(null),
  beganAt: z.number().nullable().catch(null),
  readTo: z.number().nullable().catch(null),
  memory: Memory,
})

/** One page of conversations, as an adapter's `read` answers it. */
export async function readMessages(
  source: MessageSource,
  { cursor, since, now }: Pick<ReadAsk, 'cursor' | 'since' | 'now'>,
): ReturnType<Inbox['read']> {
  const at = Cursor.parse(cursor ?? {})
  const beganAt = at.beganAt ?? now.getTime()
  const page = await source.page(at.beganAt === null ? null : at.after)
  if (page.kind !== 'conversations') return page
  const shown = page.conversations.flatMap((one) => messagesIn(one, source))
  const seen = changesIn(at.memory, shown, { now, readTo: at.readTo })
  const gone = page.conversations.flatMap(({ id, messages }) =>
    missingFrom(
      at.memory,
      id,
      messages.data.map((message) => ({ id: message.id, at: message.created_time })),
      messages.paging.next === null && messages.data.length > 0 && messages.data.length < MESSAGES,
    ),
  )
  const floor = at.readTo === null ? since.getTime() : at.readTo - HOUR
  const last = page.conversations.at(-1)?.updated_time
  const more = page.next !== null && last !== null && last !== undefined && last.getTime() >= floor
  const memory = forget(seen.memory, gone)
  const deletions = gone.map((remoteId): InboxChange => ({ change: 'deleted', remoteId, at: now }))
  return {
    kind: 'read',
    changes: [...seen.changes, ...deletions],
    cursor: more
      ? { after: page.next, beganAt, readTo: at.readTo, memory }
      : { after: null, beganAt: null, readTo: beganAt, memory },
    more,
  }
}

/** Nothing is shown of conversations of which the other side isn't told. */
function messagesIn(conversation: Conversation, { isUs, person, url }: MessageSource): Listed[] {
  const senders = conversation.messages.data.flatMap(({ from }) => from ?? [])
  const other = [...conversation.participants.data, ...senders].find((who) => !isUs(who))
  if (!other) return []
  const counterpart = person(other)
  return conversation.messages.data.map((message) => ({
    list: conversation.id,
    item: itemOf(message, { counterpart, isOurs: message.from !== null && isUs(message.from), url: url(conversation) }),
  }))
}

const itemOf = (
  message: Message,
  { counterpart, isOurs, url }: { counterpart: RemotePerson; isOurs: boolean; url: string | null },
): Omit<RemoteItem, 'version' | 'editedAt'> => ({
  change: 'item',
  remoteId: message.id,
  threadKey: counterpart.remoteId,
  conversation: 'message',
  type: 'DIRECT_MESSAGE',
  parentRemoteId: null,
  author: isOurs ? null : counterpart,
  isOurs,
  counterpart,
  text: message.message,
  media: mediaOf(message),
  at: message.created_time ?? new Date(0),
  hidden: false,
  url,
  rating: null,
  subject: null,
})

const mediaOf = ({ attachments, shares, sticker }: Message): RemoteMedia[] => [
  ...attachments.data.map(({ mime_type: type, name, file_url: file, image_data: image, video_data: video }) => ({
    kind: image
      ? ('image' as const)
      : video
        ? ('video' as const)
        : type.startsWith('audio/')
          ? ('audio' as const)
          : ('file' as const),
    url: image?.url ?? video?.url ?? file,
    name,
    altText: null,
  })),
  ...shares.data.map(({ link, name }) => ({ kind: 'link' as const, url: link, name, altText: null })),
  // a sticker of Messenger is a share as well on newer versions
  ...(sticker !== null && shares.data.length === 0
    ? [{ kind: 'image' as const, url: sticker, name: null, altText: null }]
    : []),
]
