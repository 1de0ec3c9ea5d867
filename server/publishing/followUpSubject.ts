import { because } from '#contract/failures/catalog.ts'
import type { StoredReason } from '#contract/failures/define.ts'
import type { FollowUp as FollowUpName } from '#contract/failures/publishing.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { reasonDetail } from '#contract/timeline.ts'
import type { Claimed } from '../delivery/claim.ts'
import type { Decision, DecisionKind } from '../delivery/decision.ts'
import { failureOf } from '../delivery/failures.ts'
import type { Subject } from '../delivery/subject.ts'
import type { ShortCodes } from '../links/codes.ts'
import { followUpToSend, nameOf, reasonIn } from './followUps.ts'
import { postOf } from './loaded.ts'
import { notifyOfFollowUp } from './notify.ts'
import { buildOutgoing } from './outgoing.ts'
import { objectionTo, type IsAsApproved, type PostChange } from './postSubject.ts'
import { event, type PostEvent } from './timeline.ts'

/**
 * The follow-ups of a post as subjects of the delivery engine: further thread items, its first comment, its place in
 * a playlist, one at a time. The post is live all along and stays PUBLISHED whatever happens to them.
 */
export const followUpSubject = (isAsApproved: IsAsApproved, shortCodes: ShortCodes): Subject => ({
  kind: 'follow-up',
  objection: (claimed) => objectionTo(claimed, isAsApproved),
  wasLost: () => false,
  unconfirmed: (_, reason) => failureOf('unknown', reason),
  unresolved: ({ platform }, why) =>
    failureOf('unknown', because('follow-up-unconfirmed', { platform: platformLabel(platform), because: why })),
  operations: async (claimed, { publish }, openMedia) => {
    const loaded = postOf(claimed)
    const post = await buildOutgoing(loaded, openMedia, shortCodes)
    if (!post) return undefined
    const followUp = followUpToSend(claimed, loaded.post, post)
    const { sendFollowUp, reconcileFollowUp } = publish
    // a follow-up that its adapter no longer knows has neither
    if (!followUp) return {}
    return {
      ...(sendFollowUp && {
        send: ({ reach, secret, account }) => sendFollowUp(reach, secret, account, post, followUp),
      }),
      ...(reconcileFollowUp && {
        reconcile: ({ reach, secret, account }) => reconcileFollowUp(reach, secret, account, post, followUp),
      }),
    }
  },
  change: (claimed, decision, now): PostChange => {
    const { failure } = decision
    const followUp = nameOf(claimed)
    const warning =
      ENDED_BADLY.includes(decision.kind) && failure
        ? because('follow-up-failed', { followUp, because: reasonIn(failure) })
        : undefined
    return {
      shows: ENDED_BADLY.includes(decision.kind) || decision.kind === 'delivered' || decision.kind === 'lost',
      ...(decision.step === null && { goes_on: true }),
      ...(warning && { add_warning: [warning] }),
      events: eventsOf(claimed, decision, followUp, warning, now),
    }
  },
  alongside: notifyOfFollowUp,
})

const ENDED_BADLY: readonly DecisionKind[] = ['late', 'rejected', 'unresolved']

function eventsOf(
  claimed: Claimed,
  { kind, reason }: Decision,
  followUp: FollowUpName,
  warning: StoredReason | undefined,
  now: Date,
): readonly PostEvent[] {
  const platform = platformLabel(claimed.platform)
  const detail = warning ? reasonDetail(warning) : null
  const events: Partial<Record<DecisionKind, readonly PostEvent[]>> = {
    delivered: [
      claimed.step === 'reconcile'
        ? event('settled', now, { code: 'found', followUp, platform })
        : event('sent', now, { code: 'follow-up-sent', followUp }),
    ],
    late: [event('failed', now, detail)],
    rejected: [event('failed', now, detail)],
    unresolved: [event('unconfirmed', now, detail)],
    lost: [event('unconfirmed', now, reason ? { ...reasonDetail(reason), followUp } : null)],
    absent: [event('settled', now, { code: 'sent-again', followUp, platform })],
  }
  return events[kind] ?? []
}
