import { because, type Reason } from '#contract/failures/catalog.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import type { Platform, Publish, Refusal } from '../platforms/platform.ts'
import { backoff } from './backoff.ts'
import { keysClosedBy } from './budgets.ts'
import { useOf, type Claimed, type Going } from './claim.ts'
import { failureOf, lateFailure, unreadWarning, waitingFailure, type WaitingFor } from './failures.ts'
import type { PublishingOptions } from './options.ts'
import type { Decision } from './decision.ts'
import { platformUse } from './steps.ts'
import type { Subject } from './subject.ts'

/*
 * Decides what follows from an adapter's answer: pure functions from a claim, an answer and the time to the new row
 * of the delivery. What that means for the post (or another subject) is up to the subject. Nothing here touches the
 * database, the network or the clock.
 */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How often we try to read back a live post before it's marked published without having been read. */
export const READ_TRIES = 5
/** With back-off up to an hour, these take a little over a day. */
export const RECONCILE_TRIES = 35
const POLL_HOURS = 24
/** A sign-in that the platform refuses after being renewed this many times in a row has ended. */
export const SIGN_IN_TRIES = 3
/** Platforms may ask for waits of any length; we never wait longer than this, because looking again costs little. */
const LONGEST_WAIT = 24 * HOUR

export type Facts = { now: Date; options: PublishingOptions; random?: () => number }

type Change = Partial<Decision> & Pick<Decision, 'kind' | 'step' | 'step_at'>

const decision = (change: Change): Decision => ({
  outcome: change.kind,
  ends: true,
  tries: 0,
  failure: null,
  absent_at: null,
  closes: [],
  ...change,
})

const over = (change: Partial<Decision> & Pick<Decision, 'kind'>): Decision =>
  decision({ step: null, step_at: null, ...change })

/** A time that far from now; never an invalid date, whatever a platform asked for. */
function after(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + (milliseconds > 0 ? Math.min(milliseconds, LONGEST_WAIT) : 0))
}

/** When it becomes late, and fails. */
const limitOf = (claimed: Claimed): Date =>
  new Date(claimed.wanted_at.getTime() + claimed.lateness_minutes * MINUTE + SECOND)

/** A delivery that still has to be sent is looked at by its lateness limit, where it fails with the reason. */
function withinLimit(claimed: Claimed, at: Date, now: Date): Date {
  const limit = limitOf(claimed)
  return at > limit && limit > now ? limit : at
}

/** Parameters that name the channel a reason is about. */
const about = (claimed: Claimed) => ({
  platform: claimed.platform,
  handle: claimed.handle,
  latenessMinutes: claimed.lateness_minutes,
})

/** Past its lateness limit: it waits for a person. */
export const late = (claimed: Claimed, subject: Pick<Subject, 'wasLost'>): Decision =>
  over({
    kind: 'late',
    state: 'failed',
    failure: lateFailure(about(claimed), claimed.why, claimed.failure, subject.wasLost(claimed)),
  })

/** Due, but blocked by something that a person can fix: people are notified, and it keeps its place. */
export const waitsFor = (claimed: Claimed, why: WaitingFor): Decision =>
  decision({
    kind: 'waits',
    outcome: 'waiting',
    ends: false,
    step: claimed.step,
    step_at: claimed.wanted_at,
    tries: claimed.tries,
    failure: waitingFailure(why, about(claimed)),
  })

/** Nothing was started: the lease was too short, the node is stopping, or another worker is renewing the sign-in. */
export function gaveUp(claimed: Going, { now }: Facts, wait = 0): Decision {
  const at = after(now, Math.min(wait, HOUR))
  return decision({
    kind: 'not-begun',
    outcome: 'not begun',
    step: claimed.step,
    step_at: claimed.step === 'send' || claimed.step === 'prepare' ? withinLimit(claimed, at, now) : at,
    tries: claimed.tries,
    absent_at: claimed.absent_at,
    failure: claimed.failure,
  })
}

/** A job continues it under its lease until `until`, or is done with it for now. The subject's own row says when it's next. */
export const workedOn = (until?: Date): Decision =>
  until
    ? decision({ kind: 'processing', ends: false, step: 'reconcile', step_at: until })
    : over({ kind: 'processing', outcome: 'done' })

/** Everything the send needs has been uploaded; the send happens at its time. */
export const prepared = (claimed: Going, progress: Record<string, unknown>): Decision =>
  decision({ kind: 'prepared', step: 'send', step_at: claimed.wanted_at, progress })

/**
 * Nothing irreversible was done and the platform is processing: looked at again when the platform says, at the latest
 * at the lateness limit.
 */
export function preparing(
  claimed: Going,
  progress: Record<string, unknown>,
  checkAfterSeconds: number,
  { now }: Facts,
): Decision {
  const again = after(now, Math.min(checkAfterSeconds * SECOND, HOUR))
  const tooLate = again > limitOf(claimed)
  return decision({
    kind: 'preparing',
    step: claimed.step,
    step_at: withinLimit(claimed, again, now),
    tries: claimed.tries,
    progress,
    failure: tooLate
      ? failureOf('retry', because('still-preparing', { platform: platformLabel(claimed.platform) }))
      : null,
  })
}

/** The platform has it. Durable before it's read back, under the same lease. `at` is when the answer arrived. */
export const acknowledged = (claimed: Going, remoteId: string, progress: Record<string, unknown>, at: Date): Decision =>
  decision({
    kind: 'acknowledged',
    outcome: 'sent',
    ends: false,
    step: 'readback',
    step_at: claimed.lease_until,
    progress,
    remote_id: remoteId,
    sent_at: claimed.sent_at ?? at,
  })

/** The platform has it, and there is nothing to read back. */
export const delivered = (claimed: Going, remoteId: string, progress: Record<string, unknown>, at: Date): Decision =>
  over({
    kind: 'delivered',
    outcome: 'sent',
    state: 'sent',
    progress,
    remote_id: remoteId,
    sent_at: claimed.sent_at ?? at,
  })

/** Accepted, and the platform is still processing it. */
export function processing(
  claimed: Going,
  progress: Record<string, unknown>,
  checkAfterSeconds: number,
  subject: Pick<Subject, 'unresolved'>,
  { now }: Facts,
): Decision {
  const since = claimed.sent_at ?? now
  if (now.getTime() - since.getTime() > POLL_HOURS * HOUR) return unresolved(claimed, subject)
  return decision({
    kind: 'processing',
    step: 'poll',
    step_at: after(now, Math.min(checkAfterSeconds * SECOND, HOUR)),
    progress,
    sent_at: since,
  })
}

/** It's live, and was read back or couldn't be; then the warning says so. */
export const published = (claimed: Claimed, read: { permalink: string } | { warning: Reason }): Decision =>
  over({
    kind: 'delivered',
    outcome: 'published',
    state: 'sent',
    ...(claimed.sent_at && { sent_at: claimed.sent_at }),
    ...read,
  })

/** Reading back failed. The platform had acknowledged the send, so this can end in a warning but never in a failure. */
export function unread(
  claimed: Going,
  reason: Reason | null,
  waitSeconds: number | undefined,
  { now, options, random }: Facts,
): Decision {
  const tries = claimed.tries + 1
  if (tries >= READ_TRIES) return published(claimed, { warning: unreadWarning(claimed.platform, reason ?? undefined) })
  const wait =
    waitSeconds === undefined
      ? backoff(options.backoff / 5, tries - 1, MINUTE, random)
      : Math.min(waitSeconds * SECOND, HOUR)
  return decision({
    kind: 'unread',
    outcome: 'not read back',
    step: 'readback',
    step_at: after(now, wait),
    tries,
  })
}

/**
 * The answer to an irreversible call was lost: it's reconciled after the lease, never resent blindly. If our own key
 * makes a second send harmless, it's only delayed by the platform's back-off; if there's no way to look it up, a
 * person decides.
 */
export function lost(
  claimed: Going,
  reason: Reason,
  publish: Pick<Publish, 'sendIsRepeatable'>,
  subject: Pick<Subject, 'unconfirmed' | 'unresolved'>,
  canReconcile: boolean,
  { now, options, random }: Facts,
): Decision {
  if (!canReconcile) return { ...unresolved(claimed, subject), reason }
  const ended = after(claimed.lease_until > now ? claimed.lease_until : now, options.reconcileMargin)
  return decision({
    kind: 'lost',
    outcome: 'unknown',
    step: 'reconcile',
    step_at: publish.sendIsRepeatable ? after(now, backoff(options.backoff / 5, 0, MINUTE, random)) : ended,
    failure: subject.unconfirmed(claimed, reason),
    reason,
  })
}

/** Reconciling read that it isn't there. Only a second such reading, a minute after the first, allows sending again. */
export function absent(claimed: Going, publish: Pick<Publish, 'sendIsRepeatable'>, { now, options }: Facts): Decision {
  const first = claimed.absent_at
  const believed = publish.sendIsRepeatable || (first !== null && now.getTime() - first.getTime() >= options.absenceGap)
  if (believed) return decision({ kind: 'absent', step: 'send', step_at: now, tries: 1 })
  const since = first ?? now
  return decision({
    kind: 'absent-once',
    outcome: 'absent once',
    step: 'reconcile',
    step_at: after(since, options.absenceGap),
    absent_at: since,
    tries: claimed.tries,
    failure: claimed.failure,
  })
}

/** Reconciling or polling didn't reach the platform this time, or what it said could not be judged. */
export function unresolvedYet(
  claimed: Going,
  refusal: { kind: Refusal['kind']; afterSeconds?: number | undefined },
  subject: Pick<Subject, 'unresolved'>,
  { now, options, random }: Facts,
): Decision {
  const tries = claimed.tries + 1
  if (tries >= RECONCILE_TRIES) return unresolved(claimed, subject)
  // a platform that keeps asking for short waits doesn't use up the daily limit
  const named = refusal.kind === 'retry' ? (refusal.afterSeconds ?? 0) * SECOND : 0
  const wait = Math.max(backoff(options.backoff, tries - 1, HOUR, random), named > 0 ? Math.min(named, HOUR) : 0)
  return decision({
    kind: 'unresolved-yet',
    outcome: refusal.kind,
    step: claimed.step,
    step_at: after(now, wait),
    tries,
    absent_at: claimed.absent_at,
    failure: claimed.failure,
  })
}

/** There's no way left to find out: a person looks and decides. `why` is the platform's reason, if it gave one. */
export const unresolved = (claimed: Claimed, subject: Pick<Subject, 'unresolved'>, why?: Reason): Decision =>
  over({ kind: 'unresolved', outcome: 'unsettled', state: 'unsure', failure: subject.unresolved(claimed, why) })

/** A temporary failure: retried after the platform's own wait or a growing one, until the lateness limit, where it fails. */
export function tryAgain(
  claimed: Going,
  refusal: Extract<Refusal, { kind: 'retry' }>,
  platform: Platform,
  { now, options, random }: Facts,
): Decision {
  const named = refusal.afterSeconds ?? Number.NaN
  // a platform that always says "at once" is still asked less and less often
  const wait = Number.isNaN(named)
    ? backoff(options.backoff, claimed.tries, 10 * MINUTE, random)
    : Math.max(named * SECOND, backoff(50, claimed.tries, MINUTE, random))
  const again = after(now, wait)
  const startsOver = refusal.first === 'prepare'
  const prepares = platformUse(claimed.subject, 'prepare') !== undefined
  return decision({
    kind: 'retry',
    step: startsOver && prepares ? 'prepare' : claimed.step,
    step_at: withinLimit(claimed, again, now),
    tries: claimed.tries + 1,
    failure: failureOf('retry', refusal.reason),
    reason: refusal.reason,
    // the upload is gone: without a prepare step, the send starts over
    ...(startsOver && !prepares && { progress: {} }),
    ...(refusal.closesBudget ? { closes: budgetsClosedBy(claimed, platform, refusal), closed_until: again } : {}),
  })
}

/** The rate limits that the platform closed with its answer to this step. */
function budgetsClosedBy(
  claimed: Going,
  platform: Platform,
  { closesBudget }: Extract<Refusal, { kind: 'retry' }>,
): string[] {
  const use = useOf(claimed)
  const caller = { channelId: claimed.channel_id, credentials: claimed.credentials, service: claimed.service }
  return use === undefined ? [] : keysClosedBy(platform, use, caller, closesBudget)
}

/** The platform will never accept it: a person edits it. */
export const rejected = (reason: Reason): Decision =>
  over({ kind: 'rejected', state: 'failed', failure: failureOf('permanent', reason), reason })

/** The sign-in ended before anything irreversible happened. It waits for a person until its lateness limit. */
export const signedOut = (claimed: Going, reason: Reason): Decision =>
  decision({
    kind: 'signed-out',
    outcome: 'reconnect',
    step: claimed.step,
    step_at: claimed.wanted_at,
    tries: claimed.tries,
    failure: { ...waitingFailure('reconnect', about(claimed)), platformCode: reason.platformCode },
    reason,
  })
