import { because } from '#contract/failures/catalog.ts'
import type { InboxReplies, OutgoingReply } from '../inbox.ts'
import { unsure } from '../jsonCalls.ts'
import { foundAs, lookBack } from '../lookBack.ts'
import type { Refusal } from '../platform.ts'
import { isText } from '../alterations.ts'
import { reconciledAs } from '../findSent.ts'
import { call, encoded, withSecret } from './client.ts'
import { isGone, LABEL, refusalOf } from './refusals.ts'
import { Anything, Comment, Comments } from './schemas.ts'

/* Answers of a Page: comments below a comment, of which LinkedIn has one level, or below a post that mentions the Page. */

const TIMEOUT_MS = 30_000
const PAGE = 100
const PAGES = 10

/** The post, and the id, in a comment's name: `urn:li:comment:(urn:li:activity:1,2)`. */
const partsOf = (urn: string): { object: string; id: string } => {
  const [, object = urn, id = urn] = /^urn:li:comment:\((.+),(\d+)\)$/.exec(urn) ?? []
  return { object, id }
}
const pathOf = (urn: string): string => {
  const { object, id } = partsOf(urn)
  return `/rest/socialActions/${encoded(object)}/comments/${id}`
}
const below = ({ threadKey }: Pick<OutgoingReply, 'threadKey'>): string =>
  `/rest/socialActions/${encoded(threadKey)}/comments`

export const replies: InboxReplies = {
  chooseSendKey: () => 'read-back',
  sendIsRepeatable: false,
  send: withSecret(async (reach, own, _account, reply) => {
    const { threadKey, text } = reply
    const isBelowComment = threadKey.startsWith('urn:li:comment:')
    const made = await call(reach, own, {
      path: below(reply),
      method: 'POST',
      json: {
        actor: own.author,
        object: isBelowComment ? partsOf(threadKey).object : threadKey,
        ...(isBelowComment && { parentComment: threadKey }),
        message: { text },
      },
      reply: Comment,
      timeoutMs: TIMEOUT_MS,
    })
    if (made.kind !== 'ok')
      return isGone(made)
        ? { kind: 'rejected', reason: because('inbox-item-gone', { platform: LABEL }) }
        : refusalOf(made, { doing: 'publish-reply', irreversible: true })
    const remoteId = made.value.commentUrn || made.value.id || made.headers['x-restli-id']
    return remoteId
      ? { kind: 'sent', remoteId, progress: {} }
      : { kind: 'unknown', reason: { ...because('comment-unnamed', { platform: LABEL }), platformCode: 'no-id' } }
  }),
  reconcile: withSecret(async (reach, own, _account, reply) => {
    const found = await lookBack({
      label: LABEL,
      things: 'comments',
      since: reply.createdAt,
      order: 'not promised',
      mostPages: PAGES,
      page: async (cursor) => {
        const start = Number(cursor ?? 0)
        const query = { start: String(start), count: String(PAGE) }
        const list = await call(reach, own, { path: below(reply), query, reply: Comments })
        if (list.kind !== 'ok' && isGone(list))
          return { kind: 'rejected', reason: because('inbox-item-gone', { platform: LABEL }) }
        if (list.kind !== 'ok') return unsure(refusalOf(list, { doing: 'show-comments', irreversible: false }))
        const { elements } = list.value
        const items = elements.map((one) => ({ ...one, id: one.commentUrn || one.id, at: one.created.time }))
        // pages may hold less than was asked for: only an empty one is the end
        return { kind: 'page', items, next: elements.length === 0 ? null : String(start + elements.length) }
      },
      isIt: ({ id, actor, message }) =>
        !reply.others.includes(id) && actor === own.author && isText(message.text, reply.text),
    })
    return reconciledAs(foundAs(found), {})
  }),
  edit: withSecret(async (reach, own, _account, remoteId, text) => {
    const changed = await call(reach, own, {
      path: pathOf(remoteId),
      method: 'POST',
      query: { actor: own.author },
      headers: { 'X-RestLi-Method': 'PARTIAL_UPDATE' },
      json: { patch: { message: { $set: { text } } } },
      reply: Anything,
      timeoutMs: TIMEOUT_MS,
    })
    return changed.kind === 'ok'
      ? { kind: 'edited', remoteId }
      : refusalOf(changed, { doing: 'change-reply', irreversible: false })
  }),
  remove: async (reach, secret, _account, remoteId) => {
    const removed = await removeComment(reach, secret, remoteId, 'delete-reply')
    return removed.kind === 'done' ? { kind: 'removed' } : removed
  },
}

/** Deletes a comment of the Page, or of someone else below one of its posts. What is gone already is deleted. */
export const removeComment = withSecret(
  async (
    reach,
    own,
    remoteId: string,
    doing: 'delete-reply' | 'delete-comment',
  ): Promise<{ kind: 'done' } | Refusal> => {
    const removed = await call(reach, own, {
      path: pathOf(remoteId),
      method: 'DELETE',
      query: { actor: own.author },
      reply: Anything,
      timeoutMs: TIMEOUT_MS,
    })
    return removed.kind === 'ok' || isGone(removed)
      ? { kind: 'done' }
      : refusalOf(removed, { doing, irreversible: false })
  },
)
