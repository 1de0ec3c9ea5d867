import { because, type Reason } from '#contract/failures/catalog.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import type { Refusal } from '../platforms/platform.ts'
import type { Claimed, Going } from './claim.ts'
import * as decide from './decide.ts'
import type { Decision } from './decision.ts'
import { mayHaveArrived, REPEAT, wasRepeat } from './earlierAttempts.ts'
import { unreadWarning } from './failures.ts'
import { notifyOfChannel } from './notifyOfChannel.ts'
import { freshSecret, type Fresh } from './refresh.ts'
import {
  facts,
  finish,
  repeatable,
  subjectOf,
  unready,
  UNREADY,
  type PublishContext,
  type StepContext,
} from './stepContext.ts'
import { isIrreversible, isReading } from './steps.ts'

/* What follows from a refusal, for every step. */

/** Refusals of steps that change something. */
export async function refused(context: StepContext, refusal: Refusal): Promise<void> {
  const { claimed, platform, reach, subject, operations } = context
  switch (refusal.kind) {
    case 'retry':
      if (refusal.first === 'renew') return await renewOrSignOut(context, refusal.reason)
      return void (await finish(context, claimed, decide.tryAgain(claimed, refusal, platform, facts(context)), {
        reach,
      }))
    case 'rejected':
      return void (await finish(context, claimed, await rejected(context, refusal), { reach }))
    case 'reconnect':
      return await renewOrSignOut(context, refusal.reason)
    case 'unknown':
      // only a step that publishes something is irreversible; an upload whose answer was lost is simply repeated
      return void (await finish(
        context,
        claimed,
        isIrreversible(claimed)
          ? decide.lost(
              claimed,
              refusal.reason,
              repeatable(context),
              subject,
              operations.reconcile !== undefined,
              facts(context),
            )
          : decide.tryAgain(claimed, { kind: 'retry', reason: refusal.reason }, platform, facts(context)),
        { reach },
      ))
  }
}

/**
 * What the platform refuses because it has the same already, after an attempt that may have arrived, is looked for again
 * and never fails: people would edit it and send it a second time.
 */
async function rejected(
  context: StepContext,
  { reason, isDuplicate }: Extract<Refusal, { kind: 'rejected' }>,
): Promise<Decision> {
  const { claimed, subject, operations } = context
  // if the journal can't be read, one may have
  if (!isDuplicate || (await journaled(context, mayHaveArrived)) === false) return decide.rejected(reason)
  const repeat = {
    ...because('refused-as-repeat', { platform: platformLabel(claimed.platform) }),
    platformCode: reason.platformCode,
  }
  const canReconcile = operations.reconcile !== undefined
  return {
    ...decide.lost(claimed, repeat, repeatable(context), subject, canReconcile, facts(context)),
    outcome: REPEAT,
  }
}

/** Reconciling didn't find it. Where the last attempt was refused as a repeat, it isn't sent again: a person looks. */
export async function notFound(context: StepContext): Promise<Decision> {
  const { claimed, subject } = context
  const decision = decide.absent(claimed, repeatable(context), facts(context))
  if (decision.kind !== 'absent') return decision
  const isRepeat = await journaled(context, wasRepeat)
  // the database is away: nothing follows from that, so it's looked for once more
  if (isRepeat === undefined) return decide.unresolvedYet(claimed, { kind: 'retry' }, subject, facts(context))
  if (!isRepeat) return decision
  return decide.unresolved(
    claimed,
    subject,
    because('refused-as-repeat', { platform: platformLabel(claimed.platform) }),
  )
}

/** What the journal says; undefined if it can't be read. Doesn't throw. */
async function journaled(
  { pool, claimed, log }: StepContext,
  ask: (pool: StepContext['pool'], claimed: Going) => Promise<boolean>,
): Promise<boolean | undefined> {
  try {
    return await ask(pool, claimed)
  } catch (error) {
    log.error({ err: error, id: claimed.subject_id, step: claimed.step }, 'earlier attempts could not be read')
    return undefined
  }
}

/** Refusals of steps that only read: an ended sign-in is reported, everything else leads to `otherwise`. */
export async function couldNotRead(context: StepContext, refusal: Refusal, otherwise: () => Decision): Promise<void> {
  const signIn = refusal.kind === 'reconnect' || (refusal.kind === 'retry' && refusal.first === 'renew')
  if (signIn) await renewOrSignOut(context, refusal.reason)
  else await finish(context, context.claimed, otherwise(), { reach: context.reach })
}

/** A refused token may just be old: it's renewed a few times before a person is asked. */
async function renewOrSignOut(context: StepContext, reason: Reason): Promise<void> {
  const { claimed, reach, platform } = context
  const fresh = await renewed(context)
  if (fresh === 'dead' || fresh.kind === 'reconnect') return await signedOut(context, claimed, reason)
  if (fresh.kind === 'wait' && fresh.away && !isReading(claimed))
    return void (await finish(context, claimed, decide.tryAgain(claimed, fresh.away, platform, facts(context)), {
      reach,
    }))
  const again = decide.gaveUp(claimed, facts(context), fresh.kind === 'wait' ? fresh.milliseconds : 0)
  await finish(context, claimed, fresh.kind === 'fresh' ? { ...again, outcome: RENEWED } : again, { reach })
}

const RENEWED = 'renewed'
/** The results of the last attempts at this subject. Those that never started say nothing about its sign-in. */
const LATEST =
  "select outcome from attempt where org_id = $1 and subject_id = $2 and finished_at is not null and outcome <> 'not begun' order by id desc limit $3"

/** Must not throw: the platform's answer is known and would be lost. */
async function renewed({ pool, source, platform, claimed, account, log }: StepContext): Promise<Fresh | 'dead'> {
  try {
    const { rows } = await pool.query<{ outcome: string }>(LATEST, [
      claimed.org_id,
      claimed.subject_id,
      decide.SIGN_IN_TRIES,
    ])
    if (rows.length === decide.SIGN_IN_TRIES && rows.every(({ outcome }) => outcome === RENEWED)) return 'dead'
    return await freshSecret(source, platform, claimed, account, true)
  } catch (error) {
    log.error({ err: error, id: claimed.subject_id, step: claimed.step }, 'a sign-in could not be renewed')
    return { kind: 'wait', milliseconds: UNREADY, reason: unready }
  }
}

/**
 * The sign-in has ended: writes what that means for this step, and notifies people of the channel and the subject in
 * the same transaction.
 */
export async function signedOut(publishing: PublishContext, claimed: Going, reason: Reason): Promise<void> {
  const ofChannel = notifyOfChannel(publishing.notify, claimed, reason, publishing.clock.now())
  await finish(publishing, claimed, signedOutOf(publishing, claimed, reason), { first: ofChannel })
}

function signedOutOf(publishing: PublishContext, claimed: Going, reason: Reason): Decision {
  const subject = subjectOf(publishing, claimed)
  const unreadable: Record<Claimed['step'], () => Decision> = {
    prepare: () => decide.signedOut(claimed, reason),
    send: () => decide.signedOut(claimed, reason),
    // a post in progress can't be polled without a sign-in
    poll: () => decide.unresolved(claimed, subject),
    // an unconfirmed post is looked up again after a reconnect, unless the secret was erased
    reconcile: () =>
      claimed.key_id === null
        ? decide.unresolved(claimed, subject)
        : decide.unresolvedYet(claimed, { kind: 'reconnect' }, subject, facts(publishing)),
    readback: () => decide.published(claimed, { warning: unreadWarning(claimed.platform, reason) }),
  }
  return unreadable[claimed.step]()
}
