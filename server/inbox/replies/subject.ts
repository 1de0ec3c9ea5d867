import { because, type Reason } from '#contract/failures/catalog.ts'
import type { ReplyState } from '#contract/inbox/terms.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import type { Claimed } from '../../delivery/claim.ts'
import type { DecisionKind, SubjectChange } from '../../delivery/decision.ts'
import { failureOf } from '../../delivery/failures.ts'
import type { Operations, Subject } from '../../delivery/subject.ts'
import type { MediaFile } from '../../platforms/calls.ts'
import type { OutgoingReply } from '../../platforms/inbox.ts'
import { windowAt } from '../answering.ts'
import { replyOf, type LoadedReply } from './loaded.ts'
import { recordSent } from './recordSent.ts'
import { tellAuthor } from './tellAuthor.ts'

/**
 * A reply as a subject of the delivery engine. A request sends it itself (delivery/attended.ts); what that couldn't finish
 * is a delivery like any other, and the nodes go on with it.
 */
export const replySubject = (): Subject => ({
  kind: 'reply',
  objection: (claimed) => objectionTo(claimed, replyOf(claimed)),
  wasLost: () => false,
  unconfirmed: ({ platform }, reason) =>
    failureOf('unknown', because('reply-unconfirmed', { platform: platformLabel(platform), because: reason })),
  unresolved: ({ platform }, why) =>
    failureOf('unknown', because('reply-unresolved', { platform: platformLabel(platform), because: why })),
  operations: async (claimed, platform, openMedia) => {
    const replies = platform.inbox?.replies
    if (!replies) return {}
    const reply = replyOf(claimed)
    const ids = [...new Set(reply.asset_ids)]
    const files = ids.length > 0 ? await openMedia(claimed.org_id, ids) : new Map<string, MediaFile>()
    const media = reply.asset_ids.flatMap((id) => {
      const file = files.get(id)
      return file ? [{ ...file, altText: reply.alt_texts[id] ?? file.altText }] : []
    })
    if (media.length < reply.asset_ids.length || claimed.send_key === null) return undefined
    const outgoing = outgoingOf(claimed, reply, media, claimed.send_key)
    const { prepare } = replies
    const operations: Operations = {
      ...(prepare &&
        media.length > 0 && { prepare: ({ reach, secret, account }) => prepare(reach, secret, account, outgoing) }),
      send: ({ reach, secret, account }) => replies.send(reach, secret, account, outgoing),
      reconcile: async ({ reach, secret, account }) => {
        const found = await replies.reconcile(reach, secret, account, outgoing)
        // another reply of the same text: whether this one is there, a person can see
        return found.kind === 'sent' && reply.others.includes(found.remoteId)
          ? { kind: 'rejected', reason: because('reply-looks-the-same') }
          : found
      },
      sendIsRepeatable:
        typeof replies.sendIsRepeatable === 'function' ? replies.sendIsRepeatable(outgoing) : replies.sendIsRepeatable,
    }
    return operations
  },
  change: (claimed, decision, now): SubjectChange => {
    const state = states[decision.kind]
    return {
      ...(state && { state }),
      ...(decision.kind === 'delivered' && {
        remote_id: decision.remote_id ?? null,
        sent_at: (decision.sent_at ?? now).toISOString(),
      }),
      ...(decision.kind === 'late' && {
        failure: failureOf(
          'late',
          because('reply-too-late', {
            minutes: claimed.lateness_minutes,
            because: claimed.failure ? { code: claimed.failure.code, params: claimed.failure.params } : undefined,
          }),
          'retry',
        ),
      }),
    }
  },
  alongside: (claimed, decision, notify, now) => {
    const { kind, remote_id: remoteId, state } = decision
    if (kind === 'delivered' && remoteId !== undefined)
      return (tx) => recordSent(tx, claimed, { remoteId, at: decision.sent_at ?? now }, now)
    if (state !== 'failed' && state !== 'unsure') return undefined
    return (tx) => tellAuthor(tx, claimed, state, notify, now)
  },
})

/** What people see of a reply after each decision; those that are missing leave it as it is. */
const states: Partial<Record<DecisionKind, ReplyState>> = {
  waits: 'PENDING',
  'not-begun': 'PENDING',
  prepared: 'PENDING',
  preparing: 'PENDING',
  retry: 'PENDING',
  'signed-out': 'PENDING',
  absent: 'PENDING',
  delivered: 'SENT',
  late: 'FAILED',
  rejected: 'FAILED',
  lost: 'UNCONFIRMED',
  'absent-once': 'UNCONFIRMED',
  'unresolved-yet': 'UNCONFIRMED',
  unresolved: 'UNCONFIRMED',
}

/** Rules are asked again at the instant of sending: windows close meanwhile. */
function objectionTo(
  { platform, started_at: at }: Pick<Claimed, 'platform' | 'started_at'>,
  { kind, last_received_at: receivedAt }: LoadedReply,
): Reason | undefined {
  if (!inboxRules[platform].kinds[kind]?.reply) return because('reply-not-possible')
  return windowAt(platform, kind, receivedAt, at) === 'over'
    ? because('reply-window-over', { platform: platformLabel(platform) })
    : undefined
}

function outgoingOf(
  { subject_id: replyId, platform, progress, started_at: at, dated_at: datedAt }: Claimed,
  reply: LoadedReply,
  media: readonly MediaFile[],
  sendKey: string,
): OutgoingReply {
  const window = windowAt(platform, reply.kind, reply.last_received_at, at)
  return {
    replyId,
    conversation: reply.kind,
    threadKey: reply.thread_key,
    parent: reply.item && { remoteId: reply.item.remote_id, type: reply.item.type, at: reply.item.at },
    subjectRemoteId: reply.subject_remote_id,
    counterpart: reply.person,
    text: reply.text,
    media,
    sendKey,
    createdAt: datedAt ?? reply.created_at,
    window: window === 'over' ? null : window,
    others: reply.others,
    progress,
  }
}
