import { because } from '#contract/failures/catalog.ts'
import type { InboxReplies } from '../inbox.ts'
import { unsure } from '../jsonCalls.ts'
import { foundAs, lookBack } from '../lookBack.ts'
import { reconciledAs } from '../findSent.ts'
import { call, LABEL, PAGES, isMissingComment, refusalOf, withSecret } from './client.ts'
import { saysText } from './parts.ts'
import { Anything, Comments, Made } from './schemas.ts'

/* Replies to comments. YouTube has one level of them: what answers a reply stands below the same comment. */

const TIMEOUT_MS = 30_000

export const replies: InboxReplies = {
  chooseSendKey: () => 'read-back',
  sendIsRepeatable: false,
  send: withSecret(async (reach, own, _account, reply) => {
    const made = await call(reach, own, {
      path: '/comments',
      method: 'POST',
      query: { part: 'snippet' },
      json: { snippet: { parentId: reply.threadKey, textOriginal: reply.text } },
      reply: Made,
      timeoutMs: TIMEOUT_MS,
    })
    if (made.kind === 'ok') return { kind: 'sent', remoteId: made.value.id, progress: {} }
    return refusalOf(made, { doing: 'publish-reply', irreversible: true })
  }),
  reconcile: withSecret(async (reach, own, _account, reply) => {
    const found = await lookBack({
      label: LABEL,
      things: 'replies',
      since: reply.createdAt,
      order: 'not promised',
      mostPages: PAGES,
      page: async (token) => {
        const list = await call(reach, own, {
          path: '/comments',
          query: {
            part: 'snippet',
            parentId: reply.threadKey,
            maxResults: '100',
            textFormat: 'plainText',
            pageToken: token ?? undefined,
          },
          reply: Comments,
        })
        // a reply goes with the comment that it answers
        if (list.kind !== 'ok' && isMissingComment(list))
          return { kind: 'rejected', reason: because('inbox-item-gone', { platform: LABEL }) }
        if (list.kind !== 'ok') return unsure(refusalOf(list, { doing: 'show-comments', irreversible: false }))
        const items = list.value.items.map(({ id, snippet }) => ({ id, ...snippet, at: snippet.publishedAt }))
        return { kind: 'page', items, next: list.value.nextPageToken ?? null }
      },
      isIt: (one) =>
        !reply.others.includes(one.id) && one.authorChannelId?.value === own.channelId && saysText(one, reply.text),
    })
    return reconciledAs(foundAs(found), {})
  }),
  edit: withSecret(async (reach, own, _account, remoteId, text) => {
    const changed = await call(reach, own, {
      path: '/comments',
      method: 'PUT',
      query: { part: 'snippet' },
      json: { id: remoteId, snippet: { textOriginal: text } },
      reply: Made,
      timeoutMs: TIMEOUT_MS,
    })
    return changed.kind === 'ok'
      ? { kind: 'edited', remoteId }
      : refusalOf(changed, { doing: 'change-reply', irreversible: false })
  }),
  remove: withSecret(async (reach, own, _account, remoteId) => {
    const removed = await call(reach, own, {
      path: '/comments',
      method: 'DELETE',
      query: { id: remoteId },
      reply: Anything,
      timeoutMs: TIMEOUT_MS,
    })
    return removed.kind === 'ok' || isMissingComment(removed)
      ? { kind: 'removed' }
      : refusalOf(removed, { doing: 'delete-reply', irreversible: false })
  }),
}
