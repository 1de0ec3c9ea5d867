import { isGone, pageQuery } from '../graph.ts'
import { CONVERSATIONS, conversationFields, Conversations } from '../graphMessages.ts'
import { messageForm, messagesOf, reactionForm, Reacted, refusalOfReply, SentMessage } from '../graphReplies.ts'
import { unclear } from '../graphRefusals.ts'
import type { InboxActions, InboxReplies, OutgoingReply } from '../inbox.ts'
import { foundAs, lookBack } from '../lookBack.ts'
import type { Reach, Refusal, Sent } from '../platform.ts'
import { isText } from '../alterations.ts'
import { reconciledAs, type Found } from '../findSent.ts'
import { change, LABEL, read, READ_TIMEOUT_MS, refusalOf, withSecret } from './client.ts'
import { CommentList, Made, Prepared, Success, type FacebookSecret } from './schemas.ts'
import { uploadPhoto } from './upload.ts'

/* Answering as the Page: comments below comments and posts, and messages of Messenger. Facebook knows no key of ours. */

const SEND_TIMEOUT_MS = 25_000
/** Pages of a hundred comments that one search may read. */
const PAGES = 5

const send: InboxReplies['send'] = withSecret(async (reach, own, _account, reply) =>
  reply.conversation === 'message' ? await sendMessage(reach, own, reply) : await sendComment(reach, own, reply),
)

async function sendComment(reach: Reach, secret: FacebookSecret, reply: OutgoingReply): Promise<Sent | Refusal> {
  const [picture] = Prepared.parse(reply.progress).photos
  const made = await change(reach, secret, {
    path: `/${reply.parent?.remoteId ?? reply.threadKey}/comments`,
    method: 'POST',
    form: { message: reply.text || undefined, attachment_id: picture },
    reply: Made,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return made.kind === 'ok'
    ? { kind: 'sent', remoteId: made.value.id, progress: reply.progress }
    : refusalOfReply(made, LABEL, refusalOf(made, 'publish-reply', true))
}

async function sendMessage(reach: Reach, secret: FacebookSecret, reply: OutgoingReply): Promise<Sent | Refusal> {
  const made = await change(reach, secret, {
    path: `/${secret.pageId}/messages`,
    method: 'POST',
    form: messageForm(reply),
    reply: SentMessage,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return made.kind === 'ok'
    ? { kind: 'sent', remoteId: made.value.message_id, progress: reply.progress }
    : refusalOfReply(made, LABEL, refusalOf(made, 'publish-reply', true))
}

const reconcile: InboxReplies['reconcile'] = withSecret(async (reach, own, _account, reply) =>
  reconciledAs(
    reply.conversation === 'message' ? await findMessage(reach, own, reply) : await findComment(reach, own, reply),
    reply.progress,
  ),
)

/** The Page's own comment of this text since then, below the comment or post that the conversation began with. */
async function findComment(reach: Reach, secret: FacebookSecret, reply: OutgoingReply): Promise<Found> {
  const newestFirst = {
    fields: 'id,message,from,created_time',
    filter: 'stream',
    order: 'reverse_chronological',
    limit: '100',
  }
  const found = await lookBack({
    label: LABEL,
    things: 'comments',
    since: reply.createdAt,
    order: 'newest first',
    mostPages: PAGES,
    page: async (next) => {
      const query = { ...newestFirst, ...pageQuery(next) }
      const list = await read(reach, secret, `/${reply.threadKey}/comments`, query, CommentList)
      if (list.kind !== 'ok') return unclear(list, LABEL)
      const items = list.value.data.map((one) => ({ ...one, at: one.created_time }))
      return { kind: 'page', items, next: list.value.paging.next }
    },
    isIt: ({ id, message, from }) =>
      !reply.others.includes(id) && (from === null || from.id === secret.pageId) && isText(message, reply.text),
  })
  return foundAs(found)
}

/** Among the newest messages with this person, which are all that Facebook shows. */
async function findMessage(reach: Reach, secret: FacebookSecret, reply: OutgoingReply): Promise<Found> {
  const found = await lookBack({
    label: LABEL,
    things: 'messages',
    since: reply.createdAt,
    order: 'newest first',
    mostPages: 1,
    page: async () => {
      const query = {
        platform: 'messenger',
        user_id: reply.counterpart?.remoteId ?? reply.threadKey,
        fields: conversationFields(''),
        limit: String(CONVERSATIONS),
      }
      const list = await read(reach, secret, `/${secret.pageId}/conversations`, query, Conversations)
      return list.kind === 'ok' ? messagesOf(list.value.data, ({ id }) => id === secret.pageId) : unclear(list, LABEL)
    },
    isIt: ({ id, text, isOurs }) => isOurs && !reply.others.includes(id) && isText(text, reply.text),
  })
  return foundAs(found)
}

/** The picture of a comment, which nobody sees before. */
const prepare: NonNullable<InboxReplies['prepare']> = withSecret(async (reach, own, _account, reply) => {
  const [file] = reply.media
  if (!file || Prepared.parse(reply.progress).photos.length > 0)
    return { kind: 'prepared' as const, progress: reply.progress }
  const uploaded = await uploadPhoto(reach, own, file)
  return uploaded.kind === 'photo'
    ? { kind: 'prepared' as const, progress: { ...reply.progress, photos: [uploaded.id] } }
    : uploaded
})

const remove: NonNullable<InboxReplies['remove']> = withSecret(async (reach, own, _account, remoteId) => {
  const gone = await change(reach, own, {
    path: `/${remoteId}`,
    method: 'DELETE',
    reply: Success,
    timeoutMs: READ_TIMEOUT_MS,
  })
  return gone.kind === 'ok' || isGone(gone) ? { kind: 'removed' } : refusalOf(gone, 'delete-reply')
})

const edit: NonNullable<InboxReplies['edit']> = withSecret(async (reach, own, _account, remoteId, text) => {
  const changed = await change(reach, own, {
    path: `/${remoteId}`,
    method: 'POST',
    form: { message: text },
    reply: Success,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return changed.kind === 'ok'
    ? { kind: 'edited', remoteId }
    : refusalOfReply(changed, LABEL, refusalOf(changed, 'change-reply'))
})

export const replies: InboxReplies = {
  chooseSendKey: () => 'read-back',
  sendIsRepeatable: false,
  prepare,
  send,
  reconcile,
  remove,
  edit,
}

export const actions: InboxActions = {
  react: withSecret(async (reach, own, _account, item, reaction) => {
    const isOn = reaction !== null
    const done =
      item.type === 'DIRECT_MESSAGE'
        ? await change(reach, own, {
            path: `/${own.pageId}/messages`,
            method: 'POST',
            form: reactionForm(item, isOn),
            reply: Reacted,
            timeoutMs: SEND_TIMEOUT_MS,
          })
        : await change(reach, own, {
            path: `/${item.remoteId}/likes`,
            method: isOn ? 'POST' : 'DELETE',
            reply: Success,
            timeoutMs: SEND_TIMEOUT_MS,
          })
    return done.kind === 'ok' ? { kind: 'done' } : refusalOfReply(done, LABEL, refusalOf(done, 'react-to-item'))
  }),
  hide: withSecret(async (reach, own, _account, { remoteId }, hidden) => {
    const done = await change(reach, own, {
      path: `/${remoteId}`,
      method: 'POST',
      form: { is_hidden: String(hidden) },
      reply: Success,
      timeoutMs: SEND_TIMEOUT_MS,
    })
    return done.kind === 'ok' ? { kind: 'done' } : refusalOfReply(done, LABEL, refusalOf(done, 'hide-comment'))
  }),
  remove: withSecret(async (reach, own, _account, { remoteId }) => {
    const gone = await change(reach, own, {
      path: `/${remoteId}`,
      method: 'DELETE',
      reply: Success,
      timeoutMs: READ_TIMEOUT_MS,
    })
    return gone.kind === 'ok' || isGone(gone) ? { kind: 'done' } : refusalOf(gone, 'delete-comment')
  }),
}
