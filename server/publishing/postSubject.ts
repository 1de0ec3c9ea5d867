import { because } from '#contract/failures/catalog.ts'
import type { StoredReason } from '#contract/failures/define.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import type { PostFailure } from '#contract/postLists.ts'
import type { PostState } from '#contract/postStates.ts'
import { reasonDetail } from '#contract/timeline.ts'
import type { Claimed } from '../delivery/claim.ts'
import type { Decision, DecisionKind } from '../delivery/decision.ts'
import { unconfirmedFailure, unresolvedFailure } from '../delivery/failures.ts'
import type { Subject } from '../delivery/subject.ts'
import type { ShortCodes } from '../links/codes.ts'
import { newFollowUps, type NewFollowUp } from './followUps.ts'
import { postOf, type LoadedPost } from './loaded.ts'
import { notifyOfPost } from './notify.ts'
import { buildOutgoing } from './outgoing.ts'
import { event, type PostEvent } from './timeline.ts'

/** What a person approved or is asked to approve: the published content, as the post's columns store it. */
export type Content = Pick<LoadedPost, 'contents' | 'details' | 'first_comment' | 'mentions' | 'post_type'> & {
  channel_id: string | null
}
export type LastRound = Pick<LoadedPost, 'approval_state' | 'approved_hash'>
export type IsAsApproved = (post: Content & LastRound) => boolean

/** The changes that write_posts() makes. What is missing stays as it is, except the failure of a post's own delivery. */
export type PostChange = {
  state?: PostState
  remote_id?: string
  permalink?: string
  published_at?: Date
  failure?: PostFailure | null
  warning?: readonly StoredReason[]
  /** Added to the warning that the post already has. */
  add_warning?: readonly StoredReason[]
  /** Open screens refresh. */
  shows?: boolean
  events?: readonly PostEvent[]
  follow_ups?: readonly NewFollowUp[]
  /** The next follow-up starts. */
  goes_on?: boolean
}

/** Why it isn't published although it is due: its content isn't what was approved. */
export const objectionTo = (claimed: Claimed, isAsApproved: IsAsApproved) =>
  isAsApproved({ ...postOf(claimed).post, channel_id: claimed.channel_id })
    ? undefined
    : because('not-what-was-approved')

/** A post as a subject of the delivery engine. */
export const postSubject = (isAsApproved: IsAsApproved, shortCodes: ShortCodes): Subject => ({
  kind: 'post',
  objection: (claimed) => objectionTo(claimed, isAsApproved),
  wasLost: (claimed) => postOf(claimed).post.state === 'UNCONFIRMED',
  unconfirmed: ({ platform }, reason) => unconfirmedFailure(platform, reason),
  unresolved: ({ platform }, why) => unresolvedFailure(platform, why),
  operations: async (claimed, platform, openMedia) => {
    const post = await buildOutgoing(postOf(claimed), openMedia, shortCodes)
    if (!post) return undefined
    const { publish } = platform
    const { poll } = publish
    return {
      prepare: ({ reach, secret, account }) => publish.prepare(reach, secret, account, post),
      send: ({ reach, secret, account }) => publish.send(reach, secret, account, post),
      ...(poll && { poll: ({ reach, secret, account }) => poll(reach, secret, account, post) }),
      readBack: ({ reach, secret, account }, { remoteId, progress }) =>
        publish.readBack(reach, secret, account, { ...post, progress }, remoteId),
      reconcile: ({ reach, secret, account }) => publish.reconcile(reach, secret, account, post),
      acknowledged: () => ({ follow_ups: newFollowUps(platform, post) }) satisfies PostChange,
    }
  },
  change: (claimed, decision, now): PostChange => ({
    state: stateAfter(claimed, decision),
    failure: decision.failure,
    shows: isShown(claimed, decision),
    events: eventsOf(claimed, decision, now),
    ...(decision.remote_id !== undefined && { remote_id: decision.remote_id }),
    ...(decision.kind === 'delivered' && {
      published_at: claimed.sent_at ?? now,
      goes_on: true,
      ...(decision.permalink !== undefined && { permalink: decision.permalink }),
      ...(decision.warning && { warning: [decision.warning] }),
    }),
  }),
  alongside: notifyOfPost,
})

/** The status that people see after a decision. */
function stateAfter(claimed: Claimed, { kind }: Decision): PostState {
  const { state } = postOf(claimed).post
  /**
   * For a post that waits at a step, before anything irreversible in this round: one that may have been sent has left
   * its queue and keeps its time.
   */
  const waiting: PostState =
    state === 'UNCONFIRMED' || claimed.absent_at !== null ? 'UNCONFIRMED' : state === 'QUEUED' ? 'QUEUED' : 'SCHEDULED'
  const states: Record<DecisionKind, PostState> = {
    waits: waiting,
    late: 'FAILED',
    'not-begun': claimed.step === 'send' ? waiting : state,
    prepared: state,
    preparing: state,
    acknowledged: 'PROCESSING',
    processing: 'PROCESSING',
    delivered: 'PUBLISHED',
    unread: 'PROCESSING',
    lost: 'UNCONFIRMED',
    absent: 'UNCONFIRMED',
    'absent-once': 'UNCONFIRMED',
    'unresolved-yet': state,
    unresolved: 'UNCONFIRMED',
    retry: waiting,
    rejected: 'FAILED',
    'signed-out': waiting,
  }
  return states[kind]
}

const UNSEEN: readonly DecisionKind[] = [
  'prepared',
  'preparing',
  'acknowledged',
  'unread',
  'absent-once',
  'unresolved-yet',
]

/** Whether open screens refresh. */
const isShown = ({ step }: Claimed, { kind }: Decision): boolean =>
  kind === 'processing' || kind === 'not-begun' ? step === 'send' : !UNSEEN.includes(kind)

/** The timeline entry for a decision. */
function eventsOf(claimed: Claimed, decision: Decision, now: Date): readonly PostEvent[] {
  const { kind, failure, reason, warning } = decision
  const platform = platformLabel(claimed.platform)
  // for an ended sign-in, how a person fixes it says more than the platform's reason
  const said = kind === 'signed-out' ? failure : (reason ?? failure)
  const detail = said && reasonDetail(said)
  const isSend = claimed.step === 'send'
  const events: Partial<Record<DecisionKind, readonly PostEvent[]>> = {
    late: [event('failed', now, detail)],
    rejected: [event('failed', now, detail)],
    waits: [event('waiting', now, detail)],
    retry: [event('waiting', now, detail)],
    'signed-out': [event('waiting', now, detail)],
    acknowledged:
      claimed.step === 'reconcile'
        ? [event('settled', now, { code: 'found', platform })]
        : isSend
          ? [event('sent', decision.sent_at ?? now)]
          : [],
    processing: isSend ? [event('sent', now)] : [],
    delivered: [event('confirmed', now, warning ? reasonDetail(warning) : null)],
    lost: [event('unconfirmed', now, detail)],
    unresolved: [event('unconfirmed', now, detail)],
    absent: [event('settled', now, { code: 'sent-again', platform })],
  }
  return events[kind] ?? []
}
