import { because, type Reason } from '#contract/failures/catalog.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { reasonDetail, type TimelineDetail } from '#contract/timeline.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { TimelineEntry } from '#contract/posts.ts'
import type { Platform, Publish, Refusal } from '../platforms/platform.ts'
import { backoff } from './backoff.ts'
import { keysClosedBy } from './budgets.ts'
import type { Claimed, Going, WaitingFor } from './claim.ts'
import type { PublishingOptions } from './options.ts'
import type { Outcome } from './outcomes.ts'
import type { NewPart } from './parts.ts'
import {
  failureOf,
  lateFailure,
  unconfirmedFailure,
  unreadWarning,
  unresolvedFailure,
  waitingFailure,
} from './failures.ts'

/*
 * What follows from an adapter's answer: pure functions from a claim, an answer and the time to the row that is
 * written. Nothing here touches the database, the network or the clock.
 */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Readings of a live post before it is called published without one. */
export const READ_TRIES = 5
/** With the back-off up to an hour these make more than a day, by an hour or two. */
export const SETTLE_TRIES = 35
const POLL_HOURS = 24
/** A sign-in that the platform refuses again, after it was renewed so many times in a row, is dead. */
export const SIGN_IN_TRIES = 3
/** Platforms name waits of any length; nobody is waited for longer than this, and the next look is as cheap as the last. */
const LONGEST_WAIT = 24 * HOUR

export type Facts = { now: Date; options: PublishingOptions; random?: () => number }

type Change = Partial<Outcome> & Pick<Outcome, 'state' | 'step' | 'step_at' | 'outcome'>

/** What is written of an attempt: `change`, and for all that it leaves open what is usual. */
export function outcome(claimed: Claimed, change: Change): Outcome {
  return {
    org_id: claimed.org_id,
    project_id: claimed.project_id,
    post_id: claimed.post_id,
    channel_id: claimed.channel_id,
    attempt_id: claimed.attempt_id ?? randomUUIDv7(),
    started_at: claimed.started_at,
    fence: claimed.fence,
    ends: true,
    tries: 0,
    failure: null,
    absent_at: null,
    exchange: [],
    shows: true,
    events: [],
    closes: [],
    part: claimed.part,
    ...change,
  }
}

/** A line of the timeline of a post. */
export function event(
  kind: TimelineEntry['kind'],
  at: Date,
  detail: TimelineDetail | null = null,
): Outcome['events'][number] {
  return { id: randomUUIDv7(), kind, at, detail }
}

/** A time that far from now: never an invalid one, whatever a platform named. */
export function after(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + (milliseconds > 0 ? Math.min(milliseconds, LONGEST_WAIT) : 0))
}

/** When it is late, and fails. */
function limitOf(claimed: Going): Date {
  const wanted = (claimed.step === 'part' ? claimed.parts_at : null) ?? claimed.due_at
  return new Date(wanted.getTime() + claimed.lateness_minutes * MINUTE + SECOND)
}

/** What has to go out is looked at by its lateness limit, where it fails and says why. */
export function withinLimit(claimed: Going, at: Date, now: Date): Date {
  const limit = limitOf(claimed)
  return at > limit && limit > now ? limit : at
}

/** When the platform is asked again how far it is; with what it is late for, when that comes too late. */
export function lookAgain(claimed: Going, checkAfterSeconds: number, now: Date): { at: Date; kept: Reason | null } {
  const again = after(now, Math.min(checkAfterSeconds * SECOND, HOUR))
  return {
    at: withinLimit(claimed, again, now),
    kept: again > limitOf(claimed) ? because('still-preparing', { platform: platformLabel(claimed.platform) }) : null,
  }
}

/** The state of a post that waits at a step, before anything irreversible of this round. */
function resting(claimed: Claimed): Outcome['state'] {
  if (claimed.state === 'UNCONFIRMED' || claimed.absent_at !== null) return 'UNCONFIRMED'
  // one that was taken to be sent has left its queue, and stays at its time
  return claimed.state === 'QUEUED' ? 'QUEUED' : 'SCHEDULED'
}

/** Whom a reason is about. */
export const about = (claimed: Claimed) => ({
  platform: claimed.platform,
  handle: claimed.handle,
  latenessMinutes: claimed.lateness_minutes,
})

/** Past its lateness limit: it waits for a person. */
export function late(claimed: Claimed, { now }: Facts): Outcome {
  const failure = lateFailure(about(claimed), claimed.why, claimed.failure, claimed.state === 'UNCONFIRMED')
  return outcome(claimed, {
    state: 'FAILED',
    step: null,
    step_at: null,
    failure,
    outcome: 'late',
    events: [event('failed', now, reasonDetail(failure))],
  })
}

/** Due, but something that a person can mend keeps it: people are told, and the post stays where it is. */
export function waitsFor(claimed: Claimed, why: WaitingFor, { now }: Facts): Outcome {
  const failure = waitingFailure(why, about(claimed))
  return outcome(claimed, {
    ends: false,
    state: resting(claimed),
    step: claimed.step,
    step_at: claimed.due_at,
    tries: claimed.tries,
    failure,
    outcome: 'waiting',
    events: [event('waiting', now, reasonDetail(failure))],
  })
}

/** Nothing was begun: the lease was too short, the node is stopping, or the sign-in is being renewed by somebody else. */
export function gaveUp(claimed: Going, { now }: Facts, wait = 0): Outcome {
  const state = claimed.step === 'send' ? resting(claimed) : asItWas(claimed)
  const at = after(now, Math.min(wait, HOUR))
  const goesOut = claimed.step === 'send' || claimed.step === 'prepare' || claimed.step === 'part'
  return outcome(claimed, {
    state,
    step: claimed.step,
    step_at: goesOut ? withinLimit(claimed, at, now) : at,
    tries: claimed.tries,
    absent_at: claimed.absent_at,
    failure: claimed.failure,
    outcome: 'not begun',
    shows: claimed.step === 'send',
  })
}

function asItWas(claimed: Claimed): Outcome['state'] {
  // the column's check allows nothing else for a post on a lane
  return claimed.state as 'SCHEDULED' | 'QUEUED' | 'PROCESSING' | 'UNCONFIRMED' | 'PUBLISHED'
}

/** All that the send needs is at the platform; the send comes at the time of the post. */
export function prepared(claimed: Going, progress: Record<string, unknown>): Outcome {
  return outcome(claimed, {
    state: asItWas(claimed),
    step: 'send',
    step_at: claimed.due_at,
    progress,
    outcome: 'prepared',
    shows: false,
  })
}

/** The platform works on what it was given: looked at again when it says so, at the latest at the lateness limit. */
export function preparing(
  claimed: Going,
  progress: Record<string, unknown>,
  checkAfterSeconds: number,
  { now }: Facts,
): Outcome {
  const { at, kept } = lookAgain(claimed, checkAfterSeconds, now)
  return outcome(claimed, {
    state: asItWas(claimed),
    step: 'prepare',
    step_at: at,
    tries: claimed.tries,
    progress,
    failure: kept && failureOf('retry', kept),
    outcome: 'preparing',
    shows: false,
  })
}

/** The platform has it: durable before it is read back, in the same lease, with what is to follow it. `at` is when its answer came. */
export function sent(
  claimed: Going,
  remoteId: string,
  progress: Record<string, unknown>,
  parts: readonly NewPart[],
  at: Date,
  { now }: Facts,
): Outcome {
  const fromSettling = claimed.step === 'settle'
  return outcome(claimed, {
    ends: false,
    state: 'PROCESSING',
    step: 'readback',
    step_at: claimed.lease_until,
    progress,
    remote_id: remoteId,
    sent_at: claimed.sent_at ?? at,
    parts,
    part: parts[0]?.key ?? null,
    outcome: 'sent',
    shows: false,
    events: fromSettling
      ? [event('settled', now, { code: 'found', platform: platformLabel(claimed.platform) })]
      : claimed.step === 'send'
        ? [event('sent', at)]
        : [],
  })
}

/** Accepted, and the platform is still working on it. */
export function processing(
  claimed: Going,
  progress: Record<string, unknown>,
  checkAfterSeconds: number,
  facts: Facts,
): Outcome {
  const { now } = facts
  const since = claimed.sent_at ?? now
  if (now.getTime() - since.getTime() > POLL_HOURS * HOUR) return escalateToUser(claimed, facts)
  return outcome(claimed, {
    state: 'PROCESSING',
    step: 'poll',
    step_at: after(now, Math.min(checkAfterSeconds * SECOND, HOUR)),
    progress,
    sent_at: since,
    outcome: 'processing',
    shows: claimed.step === 'send',
    events: claimed.step === 'send' ? [event('sent', now)] : [],
  })
}

/** It is live and was read back, or could not be read: then the warning says so. */
export function published(
  claimed: Claimed,
  sentAt: Date,
  read: { permalink: string } | { warning: Reason },
  { now }: Facts,
): Outcome {
  return outcome(claimed, {
    state: 'PUBLISHED',
    ...following(claimed, now),
    published_at: sentAt,
    ...('warning' in read ? { warning: [read.warning] } : read),
    outcome: 'published',
    events: [event('confirmed', now, 'warning' in read ? reasonDetail(read.warning) : null)],
  })
}

/** It is live; what is to follow it follows, and is late by the same measure as the post would have been. */
function following({ part, parts_doubted }: Claimed, now: Date): Pick<Outcome, 'step' | 'step_at' | 'parts_at'> {
  return part === null
    ? { step: null, step_at: null }
    : { step: parts_doubted ? 'settlePart' : 'part', step_at: now, parts_at: now }
}

/** Reading back did not succeed. The platform had acknowledged the post, so this can end in a warning, never in a failure. */
export function unread(
  claimed: Going,
  sentAt: Date,
  reason: Reason | null,
  waitSeconds: number | undefined,
  facts: Facts,
): Outcome {
  const tries = claimed.tries + 1
  if (tries >= READ_TRIES)
    return published(claimed, sentAt, { warning: unreadWarning(claimed.platform, reason ?? undefined) }, facts)
  const wait =
    waitSeconds === undefined
      ? backoff(facts.options.backoff / 5, tries - 1, MINUTE, facts.random)
      : Math.min(waitSeconds * SECOND, HOUR)
  return outcome(claimed, {
    state: 'PROCESSING',
    step: 'readback',
    step_at: after(facts.now, wait),
    tries,
    outcome: 'not read back',
    shows: false,
  })
}

/**
 * The answer to an irreversible call was lost: settled after the lease, never sent again blindly. Where our own key makes
 * a second send harmless there is nothing to wait for but the platform's breath.
 */
export function lost(
  claimed: Going,
  reason: Reason,
  publish: Pick<Publish, 'sendIsRepeatable'>,
  { now, options, random }: Facts,
): Outcome {
  const ended = after(claimed.lease_until > now ? claimed.lease_until : now, options.settleMargin)
  const at = publish.sendIsRepeatable ? after(now, backoff(options.backoff / 5, 0, MINUTE, random)) : ended
  const failure = unconfirmedFailure(claimed.platform, reason)
  return outcome(claimed, {
    state: 'UNCONFIRMED',
    step: 'settle',
    step_at: at,
    failure,
    outcome: 'unknown',
    events: [event('unconfirmed', now, reasonDetail(reason))],
  })
}

/** Settling read that the post is not there. The second such reading, a minute after the first, lets it be sent again. */
export function absent(claimed: Going, publish: Pick<Publish, 'sendIsRepeatable'>, { now, options }: Facts): Outcome {
  const first = claimed.absent_at
  const believed = publish.sendIsRepeatable || (first !== null && now.getTime() - first.getTime() >= options.absenceGap)
  if (believed) {
    const detail: TimelineDetail = { code: 'sent-again', platform: platformLabel(claimed.platform) }
    return outcome(claimed, {
      state: 'UNCONFIRMED',
      step: 'send',
      step_at: now,
      tries: 1,
      failure: null,
      outcome: 'absent',
      events: [event('settled', now, detail)],
    })
  }
  const since = first ?? now
  return outcome(claimed, {
    state: 'UNCONFIRMED',
    step: 'settle',
    step_at: after(since, options.absenceGap),
    absent_at: since,
    tries: claimed.tries,
    failure: claimed.failure,
    outcome: 'absent once',
    shows: false,
  })
}

/** Settling or polling reached nobody this time. */
export function unsettled(claimed: Going, refusal: Refusal, facts: Facts): Outcome {
  const tries = claimed.tries + 1
  if (tries >= SETTLE_TRIES) return escalateToUser(claimed, facts)
  // a platform that names short waits for ever does not use up the day
  const named = refusal.kind === 'retry' ? (refusal.afterSeconds ?? 0) * SECOND : 0
  const wait = Math.max(
    backoff(facts.options.backoff, tries - 1, HOUR, facts.random),
    named > 0 ? Math.min(named, HOUR) : 0,
  )
  return outcome(claimed, {
    state: asItWas(claimed),
    step: claimed.step,
    step_at: after(facts.now, wait),
    tries,
    absent_at: claimed.absent_at,
    failure: claimed.failure,
    outcome: refusal.kind,
    shows: false,
  })
}

/** The machine has no way left to find out: UNCONFIRMED, and shown with both choices. `why` is the platform's word, where it gave one. */
export function escalateToUser(claimed: Going, { now }: Facts, why?: Reason): Outcome {
  const failure = unresolvedFailure(claimed.platform, why)
  return outcome(claimed, {
    state: 'UNCONFIRMED',
    step: null,
    step_at: null,
    failure,
    outcome: 'unsettled',
    events: [event('unconfirmed', now, reasonDetail(failure))],
  })
}

/** Passing trouble: tried again by the platform's own wait or a growing one, at the latest at the lateness limit, where it fails. */
export function tryAgain(
  claimed: Going,
  refusal: Extract<Refusal, { kind: 'retry' }>,
  platform: Platform,
  { now, options, random }: Facts,
): Outcome {
  const named = refusal.afterSeconds ?? Number.NaN
  // one that always says "at once" is asked less and less often all the same
  const wait = Number.isNaN(named)
    ? backoff(options.backoff, claimed.tries, 10 * MINUTE, random)
    : Math.max(named * SECOND, backoff(50, claimed.tries, MINUTE, random))
  const again = after(now, wait)
  return outcome(claimed, {
    state: resting(claimed),
    step: refusal.first === 'prepare' ? 'prepare' : claimed.step,
    step_at: withinLimit(claimed, again, now),
    tries: claimed.tries + 1,
    failure: failureOf('retry', refusal.reason),
    outcome: 'retry',
    events: [event('waiting', now, reasonDetail(refusal.reason))],
    ...(refusal.closesBudget ? { closes: budgetsClosedBy(claimed, platform, refusal), closed_until: again } : {}),
  })
}

/** What the platform closed by its answer to this step. */
export const budgetsClosedBy = (
  claimed: Going,
  platform: Platform,
  { closesBudget }: Extract<Refusal, { kind: 'retry' }>,
): string[] =>
  keysClosedBy(
    platform,
    claimed.step,
    { channelId: claimed.channel_id, credentials: claimed.credentials, service: claimed.service },
    closesBudget,
  )

/** The platform will never take it: a person edits it. */
export function rejected(claimed: Going, reason: Reason, { now }: Facts): Outcome {
  const failure = failureOf('permanent', reason)
  return outcome(claimed, {
    state: 'FAILED',
    step: null,
    step_at: null,
    failure,
    outcome: 'rejected',
    events: [event('failed', now, reasonDetail(reason))],
  })
}

/** The sign-in is dead, before anything irreversible. The post waits for a person until its lateness limit. */
export function signedOut(claimed: Going, reason: Reason, { now }: Facts): Outcome {
  const failure = { ...waitingFailure('reconnect', about(claimed)), platformCode: reason.platformCode }
  return outcome(claimed, {
    state: resting(claimed),
    step: claimed.step,
    step_at: claimed.due_at,
    tries: claimed.tries,
    failure,
    outcome: 'reconnect',
    events: [event('waiting', now, reasonDetail(failure))],
  })
}
