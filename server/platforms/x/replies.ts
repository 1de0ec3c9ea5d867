import { because } from '#contract/failures/catalog.ts'
import type { InboxReplies, OutgoingReply } from '../inbox.ts'
import type { Refusal } from '../platform.ts'
import { reconciledAs } from '../findSent.ts'
import { call, withSecret } from './client.ts'
import { reconcileMessage, sendMessage } from './messages.ts'
import { create } from './publish.ts'
import { isDuplicate, isGone, isParentGone, LABEL, refusalOf } from './refusals.ts'
import { Deleted } from './schemas.ts'
import { findPost, type Wanted } from './timeline.ts'

/* Replies are posts. Self-serve apps may only answer those who mention the account, which is what the inbox shows. */

const TIMEOUT_MS = 20_000

/** Threads of conversations here are named by X's, and the person. */
const wanted = ({ threadKey, text, createdAt, others }: OutgoingReply): Wanted => ({
  text,
  mediaIds: [],
  since: createdAt,
  conversation: threadKey.split(':')[0] ?? threadKey,
  known: others,
})

const gone: Refusal = { kind: 'rejected', reason: because('inbox-item-gone', { platform: LABEL }) }

const sendPost: InboxReplies['send'] = withSecret(async (reach, own, _account, reply) => {
  if (reply.parent === null) return gone
  const made = await create(reach, own, reply.text, [], reply.parent.remoteId)
  if (made.kind === 'ok') return { kind: 'sent', remoteId: made.value.data.id, progress: {} }
  // a repeat may be what an earlier send made
  if (isDuplicate(made)) {
    const found = await findPost(reach, own, wanted(reply))
    if (found.kind === 'found') return { kind: 'sent', remoteId: found.id, progress: {} }
  }
  if (isParentGone(made)) return gone
  return refusalOf(made, { doing: 'publish-reply', irreversible: true })
})

const reconcilePost: InboxReplies['reconcile'] = withSecret(async (reach, own, _account, reply) =>
  reconciledAs(await findPost(reach, own, wanted(reply)), {}),
)

export const replies: InboxReplies = {
  chooseSendKey: () => 'read-back',
  sendIsRepeatable: false,
  send: (reach, secret, account, reply) =>
    (reply.conversation === 'message' ? sendMessage : sendPost)(reach, secret, account, reply),
  reconcile: (reach, secret, account, reply) =>
    (reply.conversation === 'message' ? reconcileMessage : reconcilePost)(reach, secret, account, reply),
  remove: withSecret(async (reach, own, _account, remoteId) => {
    const gone = await call(reach, own, {
      path: `/2/tweets/${remoteId}`,
      method: 'DELETE',
      reply: Deleted,
      timeoutMs: TIMEOUT_MS,
    })
    return gone.kind === 'ok' || isGone(gone)
      ? { kind: 'removed' }
      : refusalOf(gone, { doing: 'delete-reply', irreversible: false })
  }),
}
