import type { InboxActions, InboxReplies } from '../inbox.ts'
import type { Reach, Refusal } from '../platform.ts'
import { isText } from '../alterations.ts'
import { reconciledAs } from '../findSent.ts'
import { foundAs, lookBack } from '../lookBack.ts'
import { CHAT } from './chat.ts'
import { READ_TIMEOUT_MS } from './records.ts'
import { refusalOf } from './refusals.ts'
import { Anything, Messages, SentMessage, type BlueskySecret } from './schemas.ts'
import { tokenOf, withSecret } from './secret.ts'
import { xrpc, type Call, type Failed } from './xrpc.ts'

/* Chat messages (chat.bsky.convo). They have no key of ours, so a lost one is looked for by its text and time. */

const SEND_TIMEOUT_MS = 20_000
/** The maximum per page (chat.bsky.convo.getMessages). */
const PAGE = 100
const PAGES = 3
/** The emoji we react with; chat accepts any. */
const REACTION = '❤️'

const call = async <T>(
  reach: Reach,
  session: BlueskySecret,
  what: Pick<Call<T>, 'nsid' | 'params' | 'json' | 'reply' | 'timeoutMs'>,
): Promise<{ kind: 'ok'; value: T } | Failed> =>
  await xrpc(reach, { ...what, service: session.pds, as: tokenOf(session), proxy: CHAT })

export const sendMessage: InboxReplies['send'] = withSecret(async (reach, session, _account, reply) => {
  const made = await call(reach, session, {
    nsid: 'chat.bsky.convo.sendMessage',
    json: { convoId: reply.threadKey, message: { text: reply.text } },
    reply: SentMessage,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  if (made.kind === 'ok') return { kind: 'sent', remoteId: made.value.id, progress: reply.progress }
  return refusalOf(made, { doing: 'publish-reply', irreversible: true })
})

export const reconcileMessage: InboxReplies['reconcile'] = withSecret(async (reach, session, _account, reply) => {
  const found = await lookBack({
    label: 'Bluesky',
    things: 'messages',
    since: reply.createdAt,
    order: 'newest first',
    mostPages: PAGES,
    page: async (cursor) => {
      const list = await call(reach, session, {
        nsid: 'chat.bsky.convo.getMessages',
        params: { convoId: reply.threadKey, limit: String(PAGE), ...(cursor !== null && { cursor }) },
        reply: Messages,
        timeoutMs: READ_TIMEOUT_MS,
      })
      if (list.kind !== 'ok') return unclear(list)
      const items = list.value.messages.map((message) => ({ ...message, at: message.sentAt }))
      return { kind: 'page', items, next: list.value.cursor ?? null }
    },
    isIt: ({ id, text, sender }) =>
      sender.did === session.did && text !== undefined && !reply.others.includes(id) && isText(text, reply.text),
  })
  return reconciledAs(foundAs(found), reply.progress)
})

/** For a lookup without a usable answer. */
function unclear(failed: Failed): Refusal {
  const refusal = refusalOf(failed, { doing: 'show-inbox', irreversible: false })
  return refusal.kind === 'rejected' ? { kind: 'unknown', reason: refusal.reason } : refusal
}

export const reactInChat: NonNullable<InboxActions['react']> = withSecret(
  async (reach, session, _account, { remoteId, threadKey }, reaction) => {
    const done = await call(reach, session, {
      nsid: reaction === null ? 'chat.bsky.convo.removeReaction' : 'chat.bsky.convo.addReaction',
      json: { convoId: threadKey, messageId: remoteId, value: REACTION },
      reply: Anything,
      timeoutMs: SEND_TIMEOUT_MS,
    })
    return done.kind === 'ok' ? { kind: 'done' } : refusalOf(done, { doing: 'react-to-item', irreversible: false })
  },
)
