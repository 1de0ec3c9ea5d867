import { because } from '#contract/failures/catalog.ts'
import { isGone, pageQuery } from '../graph.ts'
import { CONVERSATIONS, conversationFields, Conversations } from '../graphMessages.ts'
import { messageForm, messagesOf, reactionForm, Reacted, refusalOfReply, SentMessage } from '../graphReplies.ts'
import { unclear } from '../graphRefusals.ts'
import type { InboxActions, InboxReplies, OutgoingReply } from '../inbox.ts'
import { foundAs, lookBack } from '../lookBack.ts'
import type { AccountRef, Reach, Refusal } from '../platform.ts'
import { isText } from '../alterations.ts'
import { reconciledAs, type Found } from '../findSent.ts'
import { change, read, READ_TIMEOUT_MS, withSecret } from './client.ts'
import { LABEL, refusalOf, type Step } from './refusals.ts'
import { CommentList, Made, Success, type InstagramSecret } from './schemas.ts'

/*
 * Answering as the account: comments below comments, comments on posts that mention it, and direct messages. Instagram knows
 * no key of ours.
 */

const SEND_TIMEOUT_MS = 25_000
const PAGES = 5
const sending: Step = { doing: 'publish-reply', irreversible: true }

const send: InboxReplies['send'] = withSecret(async (reach, own, _account, reply) => {
  const call = { method: 'POST' as const, timeoutMs: SEND_TIMEOUT_MS }
  if (reply.conversation === 'message') {
    const made = await change(reach, own, {
      ...call,
      path: '/me/messages',
      form: messageForm(reply),
      reply: SentMessage,
    })
    return made.kind === 'ok'
      ? { kind: 'sent', remoteId: made.value.message_id, progress: reply.progress }
      : refusalOfReply(made, LABEL, refusalOf(made, sending))
  }
  const [path, form] =
    reply.conversation === 'mention'
      ? [`/${own.userId}/mentions`, { media_id: reply.threadKey, message: reply.text }]
      : // there is one level of replies: what answers a reply stands below the same comment
        [`/${reply.threadKey}/replies`, { message: reply.text }]
  const made = await change(reach, own, { ...call, path, form, reply: Made })
  return made.kind === 'ok'
    ? { kind: 'sent', remoteId: made.value.id, progress: reply.progress }
    : refusalOfReply(made, LABEL, refusalOf(made, sending))
})

const reconcile: InboxReplies['reconcile'] = withSecret(async (reach, own, account, reply) => {
  // comments on posts of others are shown to nobody but them
  if (reply.conversation === 'mention')
    return {
      kind: 'rejected',
      reason: { ...because('inbox-reply-unseen', { platform: LABEL }), platformCode: 'not-shown' },
    }
  const found = reply.conversation === 'message' ? findMessage : findComment
  return reconciledAs(await found(reach, own, account, reply), reply.progress)
})

const isOurs = (secret: InstagramSecret, account: AccountRef, who: { id?: string; username: string }): boolean =>
  who.id === secret.userId || (who.username !== '' && `@${who.username}` === account.handle)

async function findComment(
  reach: Reach,
  secret: InstagramSecret,
  account: AccountRef,
  reply: OutgoingReply,
): Promise<Found> {
  const found = await lookBack({
    label: LABEL,
    things: 'replies',
    since: reply.createdAt,
    order: 'not promised',
    mostPages: PAGES,
    page: async (next) => {
      const query = { fields: 'id,text,username,timestamp', limit: '50', ...pageQuery(next) }
      const list = await read(reach, secret, `/${reply.threadKey}/replies`, query, CommentList)
      if (list.kind !== 'ok') return unclear(list, LABEL)
      const items = list.value.data.map((one) => ({ ...one, at: one.timestamp }))
      return { kind: 'page', items, next: list.value.paging.next }
    },
    isIt: ({ id, text, username }) =>
      !reply.others.includes(id) &&
      (username === '' || isOurs(secret, account, { username })) &&
      isText(text, reply.text),
  })
  return foundAs(found)
}

/** Among the newest messages with this person, which are all that Instagram shows. */
async function findMessage(
  reach: Reach,
  secret: InstagramSecret,
  account: AccountRef,
  reply: OutgoingReply,
): Promise<Found> {
  const found = await lookBack({
    label: LABEL,
    things: 'messages',
    since: reply.createdAt,
    order: 'newest first',
    mostPages: 1,
    page: async () => {
      const query = {
        platform: 'instagram',
        user_id: reply.counterpart?.remoteId ?? reply.threadKey,
        fields: conversationFields(''),
        limit: String(CONVERSATIONS),
      }
      const list = await read(reach, secret, '/me/conversations', query, Conversations)
      return list.kind === 'ok'
        ? messagesOf(list.value.data, (who) => isOurs(secret, account, who))
        : unclear(list, LABEL)
    },
    isIt: (said) => said.isOurs && !reply.others.includes(said.id) && isText(said.text, reply.text),
  })
  return foundAs(found)
}

const erase = async (reach: Reach, secret: InstagramSecret, remoteId: string): Promise<Refusal | undefined> => {
  const gone = await change(reach, secret, {
    path: `/${remoteId}`,
    method: 'DELETE',
    reply: Success,
    timeoutMs: READ_TIMEOUT_MS,
  })
  if (gone.kind === 'ok' || isGone(gone)) return undefined
  return refusalOf(gone, { doing: 'delete-comment', irreversible: false })
}

export const replies: InboxReplies = {
  chooseSendKey: () => 'read-back',
  sendIsRepeatable: false,
  send,
  reconcile,
  remove: withSecret(
    async (reach, own, _account, remoteId) => (await erase(reach, own, remoteId)) ?? { kind: 'removed' },
  ),
}

export const actions: InboxActions = {
  react: withSecret(async (reach, own, _account, item, reaction) => {
    const done = await change(reach, own, {
      path: '/me/messages',
      method: 'POST',
      form: reactionForm(item, reaction !== null),
      reply: Reacted,
      timeoutMs: SEND_TIMEOUT_MS,
    })
    return done.kind === 'ok'
      ? { kind: 'done' }
      : refusalOfReply(done, LABEL, refusalOf(done, { doing: 'react-to-item', irreversible: false }))
  }),
  hide: withSecret(async (reach, own, _account, { remoteId }, hidden) => {
    const done = await change(reach, own, {
      path: `/${remoteId}`,
      method: 'POST',
      form: { hide: String(hidden) },
      reply: Success,
      timeoutMs: SEND_TIMEOUT_MS,
    })
    return done.kind === 'ok'
      ? { kind: 'done' }
      : refusalOfReply(done, LABEL, refusalOf(done, { doing: 'hide-comment', irreversible: false }))
  }),
  remove: withSecret(
    async (reach, own, _account, { remoteId }) => (await erase(reach, own, remoteId)) ?? { kind: 'done' },
  ),
}
