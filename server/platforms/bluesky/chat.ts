import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import type { InboxChange, ReadAnswer, ReadAsk, RemoteItem } from '../inbox.ts'
import type { Reach, Refusal } from '../platform.ts'
import { personOf } from './profile.ts'
import { READ_TIMEOUT_MS } from './records.ts'
import { refusalOf } from './refusals.ts'
import { ChatLog, Convos, Messages, OneConvo, type BlueskySecret, type Convo, type Message } from './schemas.ts'
import { tokenOf } from './secret.ts'
import { xrpc, type Call } from './xrpc.ts'

/*
 * Chat is a separate service, which the account's server calls on its behalf (atproto-proxy). The first reading goes
 * through the newest conversations; later ones read the log of changes.
 */

export const CHAT = 'did:web:api.bsky.chat#bsky_chat'
const CONVOS = 10
const MESSAGES = 50
/** How many conversations' members are looked up for one page of the log. */
const LOOKUPS = 20

const Cursor = z.object({
  /** Where to continue in the log. */
  log: z.string().nullable().catch(null),
  /** During the first reading: the next page of conversations, and the newest revision seen. */
  back: z.string().nullable().catch(null),
  newest: z.string().nullable().catch(null),
})

export async function readChat(reach: Reach, session: BlueskySecret, ask: ReadAsk): Promise<ReadAnswer | Refusal> {
  const at = Cursor.parse(ask.cursor ?? {})
  const answer = at.log === null ? await readConvos(reach, session, ask, at) : await readLog(reach, session, at.log)
  return answer.kind === 'read' || !lacksAccess(answer)
    ? answer
    : { kind: 'closed', reconnect: true, reason: because('bluesky-chat-not-allowed') }
}

/**
 * How servers refuse an app password without access to chat, or a sign-in that never asked for it (pds, pipethrough and
 * auth-scope).
 */
const lacksAccess = ({ reason }: Refusal | Extract<ReadAnswer, { kind: 'closed' }>): boolean =>
  reason.platformCode === NO_ACCESS || reason.code === 'bluesky-permission-missing'
const NO_ACCESS = 'no-chat-access'

async function call<T>(
  reach: Reach,
  session: BlueskySecret,
  what: Pick<Call<T>, 'nsid' | 'params' | 'reply'>,
): Promise<{ kind: 'ok'; value: T } | Refusal> {
  const answer = await xrpc(reach, {
    ...what,
    service: session.pds,
    as: tokenOf(session),
    proxy: CHAT,
    timeoutMs: READ_TIMEOUT_MS,
  })
  if (answer.kind === 'ok') return answer
  const refusal = refusalOf(answer, { doing: 'show-inbox', irreversible: false })
  // it has the code of an expired token, but renewing wouldn't help
  return answer.cause === 'answered' && /bad token method|insufficient access/i.test(answer.message)
    ? { kind: 'reconnect', reason: { ...refusal.reason, platformCode: NO_ACCESS } }
    : refusal
}

async function readConvos(
  reach: Reach,
  session: BlueskySecret,
  { since }: ReadAsk,
  at: z.infer<typeof Cursor>,
): Promise<ReadAnswer | Refusal> {
  const params = { limit: String(CONVOS), ...(at.back !== null && { cursor: at.back }) }
  const list = await call(reach, session, { nsid: 'chat.bsky.convo.listConvos', params, reply: Convos })
  if (list.kind !== 'ok') return list
  const changes: InboxChange[] = []
  let isOld = false
  for (const convo of list.value.convos) {
    const page = await call(reach, session, {
      nsid: 'chat.bsky.convo.getMessages',
      params: { convoId: convo.id, limit: String(MESSAGES) },
      reply: Messages,
    })
    if (page.kind !== 'ok') return page
    const recent = page.value.messages.filter(({ sentAt }) => sentAt >= since)
    // conversations are sorted by their last message, newest first
    if (recent.length === 0) isOld = true
    changes.push(...recent.flatMap((message) => itemOf(message, convo, session.did) ?? []))
  }
  // revisions increase over time
  const newest = [...list.value.convos.map(({ rev }) => rev), at.newest ?? ''].toSorted().at(-1) ?? ''
  const next = list.value.cursor
  const goesOn = next !== undefined && list.value.convos.length > 0 && !isOld
  // an account without any messages has no revision to continue from, so the next reading starts over
  return {
    kind: 'read',
    changes,
    cursor: goesOn ? { log: null, back: next, newest } : { log: newest || null, back: null, newest: null },
    more: goesOn,
  }
}

async function readLog(reach: Reach, session: BlueskySecret, log: string): Promise<ReadAnswer | Refusal> {
  const page = await call(reach, session, { nsid: 'chat.bsky.convo.getLog', params: { cursor: log }, reply: ChatLog })
  if (page.kind !== 'ok') return page
  const events = page.value.logs
  const convos = new Map<string, Convo | null>()
  for (const id of [...new Set(events.map(({ convoId }) => convoId))].slice(0, LOOKUPS)) {
    const found = await call(reach, session, {
      nsid: 'chat.bsky.convo.getConvo',
      params: { convoId: id },
      reply: OneConvo,
    })
    if (found.kind !== 'ok' && found.kind !== 'rejected') return found
    convos.set(id, found.kind === 'ok' ? found.value.convo : null)
  }
  const changes = events.flatMap(({ $type: type, convoId, message }): InboxChange[] => {
    if (type.endsWith('#logDeleteMessage')) return [{ change: 'deleted', remoteId: message.id, at: message.sentAt }]
    const convo = convos.get(convoId) ?? { id: convoId, rev: '', members: [] }
    const item = type.endsWith('#logCreateMessage') ? itemOf(message, convo, session.did) : undefined
    return item ? [item] : []
  })
  const { cursor = log } = page.value
  return {
    kind: 'read',
    changes,
    cursor: { log: cursor, back: null, newest: null },
    more: cursor !== log && events.length > 0,
  }
}

/** A message; deleted ones have no text. */
function itemOf(
  { id, text, sender, sentAt }: Message,
  { id: convoId, members }: Convo,
  me: string,
): RemoteItem | undefined {
  if (text === undefined) return undefined
  const others = members.filter(({ did }) => did !== me)
  const [only] = others
  const isOurs = sender.did === me
  // a conversation that was just left has no members, so only the sender is known
  const known = members.find(({ did }) => did === sender.did)
  const author = personOf(known ?? { did: sender.did, handle: '', displayName: '', avatar: undefined })
  return {
    change: 'item',
    remoteId: id,
    threadKey: convoId,
    conversation: 'message',
    type: 'DIRECT_MESSAGE',
    parentRemoteId: null,
    author: isOurs ? null : author,
    isOurs,
    counterpart: only ? (others.length === 1 ? personOf(only) : null) : isOurs ? null : author,
    text,
    media: [],
    at: sentAt,
    version: 0,
    editedAt: null,
    hidden: false,
    url: `https://bsky.app/messages/${convoId}`,
    rating: null,
    subject: null,
  }
}
