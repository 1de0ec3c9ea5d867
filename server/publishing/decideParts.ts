import { because, type Reason } from '#contract/failures/catalog.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { reasonDetail } from '#contract/timeline.ts'
import type { StoredReason } from '#contract/failures/define.ts'
import type { FollowUp } from '#contract/failures/publishing.ts'
import type { PostFailure } from '#contract/postLists.ts'
import type { Platform, Publish, Refusal } from '../platforms/platform.ts'
import { backoff } from './backoff.ts'
import type { Claimed, Going } from './claim.ts'
import {
  about,
  after,
  budgetsClosedBy,
  event,
  lookAgain,
  outcome,
  SETTLE_TRIES,
  withinLimit,
  type Facts,
} from './decide.ts'
import type { Outcome } from './outcomes.ts'
import { currentPart, nextPart, type PartDone, type PartState } from './parts.ts'
import { failureOf, lateFailure, waitingFailure } from './failures.ts'

/*
 * What follows from an adapter's answer on a part: as decide.ts for posts. The post is live all the while, so it stays
 * PUBLISHED whatever becomes of its parts; `tries` and `absent_at` of its row speak of the part that is worked on.
 */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

type Change = Partial<Outcome> & Pick<Outcome, 'step' | 'step_at' | 'outcome'>

const live = (claimed: Claimed, change: Change): Outcome => outcome(claimed, { state: 'PUBLISHED', ...change })
const followUpOf = (claimed: Claimed): FollowUp => currentPart(claimed) ?? { kind: 'comment', item: null }

/** The part has come to its end: what follows it is next. */
function ended(
  claimed: Claimed,
  state: PartState,
  done: Omit<PartDone, 'key' | 'state'>,
  now: Date,
  change: Partial<Outcome> & Pick<Outcome, 'outcome'>,
): Outcome {
  const parts = (claimed.parts ?? []).map((part) => (part.key === claimed.part ? { ...part, state } : part))
  const next = nextPart(parts)
  const step = claimed.parts_doubted ? 'settlePart' : 'part'
  return live(claimed, {
    ...(next ? { step, step_at: now, part: next.key } : { step: null, step_at: null, part: null }),
    part_done: { key: claimed.part ?? '', state, ...done },
    ...change,
  })
}

/** The same part again, later. */
function again(
  claimed: Going,
  step: 'part' | 'settlePart',
  at: Date,
  change: Partial<Outcome> & Pick<Outcome, 'outcome'>,
  done: Omit<PartDone, 'key' | 'state'> = {},
): Outcome {
  const reason = currentPart(claimed)?.reason
  return live(claimed, {
    step,
    step_at: at,
    part_done: { key: claimed.part ?? '', ...(reason ? { reason } : {}), ...done },
    shows: false,
    ...change,
  })
}

/** The platform has the part. */
export function sent(claimed: Going, remoteId: string, progress: Record<string, unknown>, { now }: Facts): Outcome {
  const followUp = followUpOf(claimed)
  const word =
    claimed.step === 'settlePart'
      ? event('settled', now, { code: 'found', followUp, platform: platformLabel(claimed.platform) })
      : event('sent', now, { code: 'follow-up-sent', followUp })
  return ended(claimed, 'sent', { remote_id: remoteId, progress, sent_at: now }, now, {
    outcome: 'sent',
    events: [word],
  })
}

/** Nothing irreversible was done, and the platform works on what it was given. */
export function preparing(
  claimed: Going,
  progress: Record<string, unknown>,
  checkAfterSeconds: number,
  { now }: Facts,
): Outcome {
  const { at, kept } = lookAgain(claimed, checkAfterSeconds, now)
  return again(
    claimed,
    'part',
    at,
    { tries: claimed.tries, outcome: 'preparing' },
    { progress, ...(kept && { reason: kept }) },
  )
}

/** It will not be made: the post stays as it is, with a warning; a person may have it tried again, from here. */
export function rejected(claimed: Claimed, reason: StoredReason, { now }: Facts): Outcome {
  const warning = because('follow-up-failed', { followUp: followUpOf(claimed), because: reason })
  return ended(claimed, 'failed', { reason }, now, {
    warning: [...(claimed.warning ?? []), warning],
    outcome: 'rejected',
    events: [event('failed', now, reasonDetail(warning))],
  })
}

/** The limit of the post's channel holds for each part too, from the moment at which the post was live. */
export function late(claimed: Claimed, facts: Facts): Outcome {
  const kept = currentPart(claimed)?.reason
  const failure = lateFailure(about(claimed), claimed.why, kept ? failureOf('retry', kept) : null, false)
  return { ...rejected(claimed, reasonIn(failure), facts), outcome: 'late' }
}

/** The machine has no way left to find out: a person looks and says. `why` is the platform's word, where it gave one. */
export function escalateToUser(claimed: Claimed, { now }: Facts, why?: Reason): Outcome {
  const reason = because('follow-up-unconfirmed', { platform: platformLabel(claimed.platform), because: why })
  const warning = because('follow-up-failed', { followUp: followUpOf(claimed), because: reason })
  return ended(claimed, 'unsure', { reason }, now, {
    warning: [...(claimed.warning ?? []), warning],
    outcome: 'unsettled',
    events: [event('unconfirmed', now, reasonDetail(warning))],
  })
}

export function tryAgain(
  claimed: Going,
  refusal: Extract<Refusal, { kind: 'retry' }>,
  platform: Platform,
  { now, options, random }: Facts,
): Outcome {
  const named = refusal.afterSeconds ?? Number.NaN
  const wait = Number.isNaN(named)
    ? backoff(options.backoff, claimed.tries, 10 * MINUTE, random)
    : Math.max(named * SECOND, backoff(50, claimed.tries, MINUTE, random))
  const at = after(now, wait)
  return again(
    claimed,
    'part',
    withinLimit(claimed, at, now),
    {
      tries: claimed.tries + 1,
      outcome: 'retry',
      ...(refusal.closesBudget ? { closes: budgetsClosedBy(claimed, platform, refusal), closed_until: at } : {}),
    },
    // what was made ready for it is gone: it begins anew
    { reason: refusal.reason, ...(refusal.first === 'prepare' ? { progress: {} } : {}) },
  )
}

/** It waits for its channel, until its limit. */
export function signedOut(claimed: Going, _reason: Reason, { now }: Facts): Outcome {
  return again(
    claimed,
    'part',
    claimed.parts_at ?? now,
    { tries: claimed.tries, outcome: 'reconnect' },
    { reason: reasonIn(waitingFailure('reconnect', about(claimed))) },
  )
}

/** The answer was lost: settled after the lease, never sent again blindly. Where there is no way to look, a person does. */
export function lost(
  claimed: Going,
  reason: Reason,
  publish: Pick<Publish, 'sendIsRepeatable' | 'settlePart'>,
  facts: Facts,
): Outcome {
  const { now, options, random } = facts
  if (!publish.settlePart) return escalateToUser(claimed, facts)
  const afterLease = after(claimed.lease_until > now ? claimed.lease_until : now, options.settleMargin)
  const at = publish.sendIsRepeatable ? after(now, backoff(options.backoff / 5, 0, MINUTE, random)) : afterLease
  return again(
    claimed,
    'settlePart',
    at,
    {
      outcome: 'unknown',
      shows: true,
      events: [event('unconfirmed', now, { ...reasonDetail(reason), followUp: followUpOf(claimed) })],
    },
    { reason },
  )
}

/** Not there. Believed at once where our own key makes a second send harmless, else when read twice, a minute apart. */
export function absent(claimed: Going, publish: Pick<Publish, 'sendIsRepeatable'>, { now, options }: Facts): Outcome {
  const first = claimed.absent_at
  const believed = publish.sendIsRepeatable || (first !== null && now.getTime() - first.getTime() >= options.absenceGap)
  if (believed)
    return again(claimed, 'part', now, {
      tries: 1,
      outcome: 'absent',
      events: [
        event('settled', now, {
          code: 'sent-again',
          followUp: followUpOf(claimed),
          platform: platformLabel(claimed.platform),
        }),
      ],
    })
  const since = first ?? now
  return again(claimed, 'settlePart', after(since, options.absenceGap), {
    tries: claimed.tries,
    absent_at: since,
    outcome: 'absent once',
  })
}

/** Settling reached nobody this time. */
export function unsettled(claimed: Going, refusal: Refusal, facts: Facts): Outcome {
  const tries = claimed.tries + 1
  if (tries >= SETTLE_TRIES) return escalateToUser(claimed, facts)
  const named = refusal.kind === 'retry' ? Math.min((refusal.afterSeconds ?? 0) * SECOND, HOUR) : 0
  const wait = Math.max(backoff(facts.options.backoff, tries - 1, HOUR, facts.random), named)
  return again(claimed, 'settlePart', after(facts.now, wait), {
    tries,
    absent_at: claimed.absent_at,
    outcome: refusal.kind,
  })
}

/** The reason alone, of a failure as posts keep it. */
const reasonIn = ({ code, params }: PostFailure): StoredReason => ({ code, ...(params && { params }) })
