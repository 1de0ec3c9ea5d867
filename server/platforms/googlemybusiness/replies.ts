import { because } from '#contract/failures/catalog.ts'
import { isGone } from '../google.ts'
import type { InboxReplies, OutgoingReply } from '../inbox.ts'
import type { Reach, Refusal, Sent } from '../platform.ts'
import { sameText } from '../findSent.ts'
import { call, LABEL, refusalOf, withSecret } from './client.ts'
import { Anything, Review, ReviewReply, type BusinessSecret } from './schemas.ts'

/*
 * The one reply of a review. It has no id at Google: here it's the review's and the time of the last change, so that a
 * reply after a deleted one is another one. Writing it again changes nothing.
 */

/** A reply is read and written within 30 seconds. */
const TIMEOUT_MS = 14_000
const MARK = '/reply@'

/** Null where there is no reply. */
export const replyIdOf = (reviewId: string, reply: ReviewReply | null): string | null =>
  reply === null ? null : `${reviewId}${MARK}${reply.updateTime?.getTime() ?? 0}`
const reviewOf = (replyId: string): string => replyId.split(MARK)[0] ?? replyId

const gone: Refusal = { kind: 'rejected', reason: because('inbox-item-gone', { platform: LABEL }) }
const refused = (reply: ReviewReply): Refusal | undefined =>
  reply.reviewReplyState === 'REJECTED'
    ? { kind: 'rejected', reason: { ...because('google-reply-rejected'), platformCode: 'REJECTED' } }
    : undefined

/** The reply as it stands at Google: whether it is this one, another one, or none. */
async function look(
  reach: Reach,
  own: BusinessSecret,
  reply: OutgoingReply,
): Promise<Sent | { kind: 'absent' } | Refusal> {
  const seen = await call(reach, own, { path: `${own.parent}/reviews/${reply.threadKey}`, reply: Review })
  if (seen.kind !== 'ok') return isGone(seen) ? gone : refusalOf(seen, { doing: 'show-comments', irreversible: false })
  const { reviewReply: there } = seen.value
  const remoteId = replyIdOf(reply.threadKey, there)
  if (there === null || remoteId === null) return { kind: 'absent' }
  if (sameText(there.comment, reply.text)) return refused(there) ?? { kind: 'sent', remoteId, progress: {} }
  return { kind: 'rejected', reason: { ...because('google-review-answered'), platformCode: 'answered' } }
}

async function put(
  reach: Reach,
  own: BusinessSecret,
  reviewId: string,
  comment: string,
  doing: 'publish-reply' | 'change-reply',
) {
  const written = await call(reach, own, {
    path: `${own.parent}/reviews/${reviewId}/reply`,
    method: 'PUT',
    json: { comment },
    reply: ReviewReply,
    timeoutMs: TIMEOUT_MS,
  })
  if (written.kind !== 'ok')
    return isGone(written) ? gone : refusalOf(written, { doing, irreversible: doing === 'publish-reply' })
  return (
    refused(written.value) ?? { kind: 'written' as const, remoteId: replyIdOf(reviewId, written.value) ?? reviewId }
  )
}

export const replies: InboxReplies = {
  chooseSendKey: () => 'one-per-review',
  sendIsRepeatable: true,
  send: withSecret(async (reach, own, _account, reply) => {
    // a reply that someone wrote on Google meanwhile isn't replaced
    const there = await look(reach, own, reply)
    if (there.kind !== 'absent') return there
    const written = await put(reach, own, reply.threadKey, reply.text, 'publish-reply')
    return written.kind === 'written' ? { kind: 'sent', remoteId: written.remoteId, progress: {} } : written
  }),
  reconcile: withSecret(async (reach, own, _account, reply) => await look(reach, own, reply)),
  edit: withSecret(async (reach, own, _account, remoteId, text) => {
    const written = await put(reach, own, reviewOf(remoteId), text, 'change-reply')
    return written.kind === 'written' ? { kind: 'edited', remoteId: written.remoteId } : written
  }),
  remove: withSecret(async (reach, own, _account, remoteId) => {
    const removed = await call(reach, own, {
      path: `${own.parent}/reviews/${reviewOf(remoteId)}/reply`,
      method: 'DELETE',
      reply: Anything,
      timeoutMs: TIMEOUT_MS,
    })
    return removed.kind === 'ok' || isGone(removed)
      ? { kind: 'removed' }
      : refusalOf(removed, { doing: 'delete-reply', irreversible: false })
  }),
}
