import { z } from 'zod'
import { because } from '#contract/failures/catalog.ts'
import { isText } from '../alterations.ts'
import { decoded } from '../entities.ts'
import { reconciledAs } from '../findSent.ts'
import type { Inbox, InboxReplies, OutgoingReply, ReadAnswer, RemoteItem, RemotePerson } from '../inbox.ts'
import { foundAs, lookBack } from '../lookBack.ts'
import type { Refusal } from '../platform.ts'
import { call, withSecret } from './client.ts'
import { inboxRefusalOf, LABEL, refusalOf } from './refusals.ts'
import { DirectMessages, SentMessage, type DirectMessage, type MentionUser, type XSecret } from './schemas.ts'

/*
 * Direct messages between the account and one other person. X lists them newest first and can't be asked for what is newer
 * than something, and it charges for each one that it shows, though only once on a day (UTC). So a reading asks for one,
 * and for more only if that one is new.
 */

const PAGE = 10
/** The first reading goes back this far because it is charged. */
const FIRST_MS = 7 * 24 * 3_600_000
/** How many of today's messages are remembered as charged. */
const REMEMBERED = 200
const TIMEOUT_MS = 20_000
const FIELDS = 'id,text,created_at,dm_conversation_id,event_type,attachments'

const Cursor = z.object({
  /** The newest message that was read. */
  newest: z.string().nullable().catch(null),
  /** The newest of the reading in progress, and where it continues. */
  next: z.object({ newest: z.string(), token: z.string() }).nullable().catch(null),
  /** What was charged on this day. */
  charged: z.object({ day: z.string(), ids: z.array(z.string()) }).catch({ day: '', ids: [] }),
})
type Cursor = z.infer<typeof Cursor>

const query = (size: number, token?: string) => ({
  max_results: String(size),
  pagination_token: token,
  event_types: 'MessageCreate',
  'dm_event.fields': FIELDS,
  expansions: 'sender_id',
  'user.fields': 'name,username,profile_image_url',
})

export const readMessages: Inbox['read'] = withSecret(
  async (reach, own, _account, { cursor, since, now, most = PAGE }): Promise<ReadAnswer | Refusal> => {
    if (!own.scopes.includes('dm.read'))
      return { kind: 'closed', reason: because('x-permission-missing', { doing: 'show-inbox' }), reconnect: true }
    const at = Cursor.parse(cursor ?? {})
    const isGlance = at.newest !== null && at.next === null
    const list = await call(reach, own, {
      path: '/2/dm_events',
      query: query(isGlance ? 1 : Math.max(1, Math.min(PAGE, most)), at.next?.token),
      reply: DirectMessages,
    })
    if (list.kind !== 'ok') return inboxRefusalOf(list)
    const { data, includes, meta } = list.value
    const from = Math.max(since.getTime(), now.getTime() - FIRST_MS)
    const isNew = ({ id, created_at: createdAt }: DirectMessage): boolean =>
      at.newest === null ? createdAt === null || createdAt.getTime() >= from : BigInt(id) > BigInt(at.newest)
    const fresh = data.filter(isNew)
    const people = new Map(includes.users.map((user) => [user.id, user]))
    const newest = at.next?.newest ?? data[0]?.id ?? at.newest ?? '0'
    const token = data.length > 0 && fresh.length === data.length ? meta.next_token : null
    const isOver = token === null || token === at.next?.token
    const day = now.toISOString().slice(0, 10)
    const before = at.charged.day === day ? at.charged.ids : []
    const shown = data.map(({ id }) => id).filter((id) => !before.includes(id))
    const next: Cursor = {
      newest: isOver ? newest : at.newest,
      next: isOver ? null : { newest, token },
      charged: { day, ids: [...shown, ...before].slice(0, REMEMBERED) },
    }
    return {
      kind: 'read',
      changes: fresh.flatMap((message) => itemOf(message, people, own, now) ?? []),
      cursor: next,
      more: !isOver,
      charged: shown.length,
    }
  },
)

/** Undefined for a conversation of more than two, whose ID names nobody. */
function itemOf(
  message: DirectMessage,
  people: ReadonlyMap<string, MentionUser>,
  own: XSecret,
  now: Date,
): RemoteItem | undefined {
  const other = otherOf(message.dm_conversation_id, own)
  if (other === undefined) return undefined
  const person = personOf(other, people.get(other))
  const isOurs = message.sender_id === own.userId
  return {
    change: 'item',
    remoteId: message.id,
    threadKey: message.dm_conversation_id,
    conversation: 'message',
    type: 'DIRECT_MESSAGE',
    parentRemoteId: null,
    author: isOurs ? null : person,
    isOurs,
    counterpart: person,
    text: message.text,
    // X shows files of messages only to the account itself
    media: (message.attachments?.media_keys ?? []).map(() => ({ kind: 'file', url: null, name: null, altText: null })),
    at: message.created_at ?? now,
    version: 0,
    editedAt: null,
    hidden: false,
    url: `https://x.com/messages/${message.dm_conversation_id}`,
    rating: null,
    subject: null,
  }
}

/** A conversation of two is named by the IDs of both. */
function otherOf(conversation: string, { userId }: XSecret): string | undefined {
  const both = conversation.split('-')
  return both.length === 2 && both.includes(userId) ? both.find((id) => id !== userId) : undefined
}

const personOf = (id: string, user: MentionUser | undefined): RemotePerson => ({
  remoteId: id,
  name: user?.name ?? '',
  handle: user ? `@${user.username}` : '',
  pictureUrl: user?.profile_image_url ?? null,
  url: user ? `https://x.com/${user.username}` : null,
})

const withPerson = ({ threadKey }: OutgoingReply, own: XSecret): string | undefined => {
  const other = otherOf(threadKey, own)
  return other === undefined ? undefined : `/2/dm_conversations/with/${other}`
}
const gone: Refusal = { kind: 'rejected', reason: because('inbox-item-gone', { platform: LABEL }) }

export const sendMessage: InboxReplies['send'] = withSecret(async (reach, own, _account, reply) => {
  const path = withPerson(reply, own)
  if (path === undefined) return gone
  const made = await call(reach, own, {
    path: `${path}/messages`,
    method: 'POST',
    json: { text: reply.text },
    reply: SentMessage,
    timeoutMs: TIMEOUT_MS,
  })
  return made.kind === 'ok'
    ? { kind: 'sent', remoteId: made.value.data.dm_event_id, progress: {} }
    : refusalOf(made, { doing: 'publish-reply', irreversible: true })
})

/** Among the newest messages with the same person: each look is charged as a reading is. */
export const reconcileMessage: InboxReplies['reconcile'] = withSecret(async (reach, own, _account, reply) => {
  const path = withPerson(reply, own)
  if (path === undefined) return gone
  const found = await lookBack({
    label: LABEL,
    things: 'messages',
    since: reply.createdAt,
    order: 'newest first',
    mostPages: 1,
    page: async () => {
      const list = await call(reach, own, { path: `${path}/dm_events`, query: query(PAGE), reply: DirectMessages })
      if (list.kind !== 'ok') return refusalOf(list, { doing: 'show-inbox', irreversible: false })
      const items = list.value.data.map((message) => ({ ...message, at: message.created_at }))
      return { kind: 'page', items, next: list.value.meta.next_token }
    },
    // escaped as posts are, with t.co links that nothing says more about
    isIt: ({ id, sender_id: sender, text }) =>
      sender === own.userId && !reply.others.includes(id) && isText(decoded(text), decoded(reply.text)),
  })
  return reconciledAs(foundAs(found), {})
})
