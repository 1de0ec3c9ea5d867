import { type Reason, because } from '#contract/failures/catalog.ts'
import type { AccountRef, Platform, Secret } from '../platforms/platform.ts'
import { giveBack } from './budgets.ts'
import { useOf, type Claimed, type Going } from './claim.ts'
import * as decide from './decide.ts'
import type { Decision, SubjectChange } from './decision.ts'
import type { Lease } from './guard.ts'
import { unreadWarning } from './failures.ts'
import { guardedFetch } from './guardedFetch.ts'
import { freshSecret, type SecretSource } from './refresh.ts'
import { couldNotRead, notFound, refused, signedOut } from './refused.ts'
import {
  attempt,
  facts,
  finish,
  subjectOf,
  unready,
  UNREADY,
  type PublishContext,
  type StepContext,
} from './stepContext.ts'
import { isIrreversible, isReading } from './steps.ts'
import type { Operations } from './subject.ts'

/** Works on one claim until it's done, and writes the outcome. Never throws; returns false if it failed without writing anything. */
export async function runClaimed(
  publishing: PublishContext,
  platform: Platform,
  claimed: Claimed,
  lease: Lease,
): Promise<boolean> {
  try {
    if (claimed.verdict === 'go') await runStep(publishing, platform, claimed, lease)
    else if (claimed.verdict === 'late')
      await finish(publishing, claimed, decide.late(claimed, subjectOf(publishing, claimed)))
    else await finish(publishing, claimed, decide.waitsFor(claimed, claimed.why ?? 'held'))
    return true
  } catch (error) {
    // a bug of ours: the row says what happens when a worker doesn't come back, and that is what happens now
    publishing.log.error(
      { err: error, subject: claimed.subject, id: claimed.subject_id, step: claimed.step },
      'a step of publishing broke',
    )
    return false
  }
}

async function runStep(publishing: PublishContext, platform: Platform, claimed: Going, lease: Lease): Promise<void> {
  const account = { remoteId: claimed.account_id, handle: claimed.handle, service: claimed.service }
  const source = {
    pool: publishing.pool,
    clock: publishing.clock,
    keys: publishing.keys,
    fetch: publishing.fetch,
    signal: publishing.signal,
    nodeId: publishing.nodeId,
    ...(publishing.apps && { apps: publishing.apps }),
  }
  const ready = await makeReady(publishing, source, platform, claimed, account)
  if (!ready) return

  let first = claimed.subject === 'post' && claimed.step === 'send' && claimed.tries === 0
  const reach = guardedFetch({
    fetch: publishing.fetch,
    signal: publishing.signal,
    clock: publishing.clock,
    lease,
    alive: publishing.alive,
    onAnswered: (answer) => publishing.onAnswered?.(platform, claimed.service, answer),
    guarded: isIrreversible(claimed) && publishing.options.guards.lease,
    onLeaving: () => {
      if (!first) return
      first = false
      const now = publishing.clock.now()
      publishing.onFirstCall(claimed.platform, now.getTime() - claimed.wanted_at.getTime(), now)
    },
  })
  const subject = subjectOf(publishing, claimed)
  const context: StepContext = { ...publishing, source, claimed, subject, platform, account, reach, ...ready }
  const steps = { prepare, send, poll, readback: readBack, reconcile }
  return await steps[claimed.step](context)
}

/**
 * The claim charged the largest search; most end on their first page. Before the outcome is written, so that what the
 * lane does next can use it. What was found is read back with one more call.
 */
async function returnUnused({ pool, clock, platform, claimed, operations, reach, log }: StepContext): Promise<void> {
  const use = useOf(claimed)
  if (use === undefined) return
  const { channel_id: channelId, credentials, service, started_at: since } = claimed
  const calls = reach.exchange.length + (operations.readBack ? 1 : 0)
  await giveBack(pool, platform, use, { channelId, credentials, service, since, calls }, clock.now()).catch(
    (error: unknown) => log.warn({ err: error }, 'calls that a search did not need could not be given back'),
  )
}

/** The secret and what to send; undefined if the attempt ended because one is missing. No request has been made yet. */
async function makeReady(
  publishing: PublishContext,
  source: SecretSource,
  platform: Platform,
  claimed: Going,
  account: AccountRef,
): Promise<{ secret: Secret; operations: Operations } | undefined> {
  const subject = subjectOf(publishing, claimed)
  try {
    const objection = isReading(claimed) ? undefined : subject.objection(claimed)
    if (objection) {
      await finish(publishing, claimed, decide.rejected(objection))
      return undefined
    }
    const fresh = await freshSecret(source, platform, claimed, account)
    // some platforms show a post without signing in: reading is tried with what we have
    const secret =
      fresh.kind === 'wait' || (fresh.kind === 'reconnect' && !isReading(claimed)) ? undefined : fresh.secret
    const operations = secret && (await subject.operations(claimed, platform, publishing.media))
    if (secret && operations) return { secret, operations }
    if (secret) await finish(publishing, claimed, decide.rejected(incomplete))
    else if (fresh.kind === 'wait' && fresh.away && !isReading(claimed))
      await finish(publishing, claimed, decide.tryAgain(claimed, fresh.away, platform, facts(publishing)))
    else if (fresh.kind === 'wait')
      await finish(publishing, claimed, decide.gaveUp(claimed, facts(publishing), fresh.milliseconds))
    else if (fresh.kind === 'reconnect') await signedOut(publishing, claimed, fresh.reason)
  } catch (error) {
    publishing.log.error(
      { err: error, subject: claimed.subject, id: claimed.subject_id, step: claimed.step },
      'a delivery could not be made ready',
    )
    await finish(
      publishing,
      claimed,
      isReading(claimed)
        ? decide.gaveUp(claimed, facts(publishing), UNREADY)
        : decide.tryAgain(claimed, { kind: 'retry', reason: unready }, platform, facts(publishing)),
    )
  }
  return undefined
}

const incomplete: Reason = because('file-missing')

async function prepare(context: StepContext): Promise<void> {
  const { claimed, operations, reach } = context
  const call = operations.prepare
  if (!call) return await finishWith(context, decide.prepared(claimed, claimed.progress))
  const renewal = keepLease(context)
  const answer = await attempt(() => call(context), 'retry').finally(() => clearInterval(renewal))
  if (answer.kind === 'prepared') await finishWith(context, decide.prepared(claimed, answer.progress))
  else if (answer.kind === 'preparing')
    await finish(
      context,
      claimed,
      decide.preparing(claimed, answer.progress, answer.checkAfterSeconds, facts(context)),
      { reach },
    )
  else await refused(context, answer)
}

const RENEW =
  'update delivery set step_at = $5 where org_id = $1 and subject_id = $2 and subject = $3 and key = $4 and fence = $6'

/** A preparation may take long; its lease is the delivery's own step_at. */
function keepLease({ pool, clock, options, claimed, log }: StepContext): NodeJS.Timeout {
  const renew = () => {
    const until = new Date(clock.now().getTime() + options.readLease)
    pool
      .query(RENEW, [claimed.org_id, claimed.subject_id, claimed.subject, claimed.key, until, claimed.fence])
      .catch((error: unknown) => log.warn({ err: error }, 'a lease could not be renewed'))
  }
  return setInterval(renew, options.readLease / 3)
}

async function send(context: StepContext): Promise<void> {
  const { claimed, operations, reach, subject, clock } = context
  const call = operations.send
  if (!call) return await finishWith(context, decide.rejected(because('follow-up-unknown')))
  // one attempt: a late success would post twice
  const answer = await attempt(() => call(context), 'unknown')
  if (answer.kind === 'sent') return await acknowledged(context, answer.remoteId, answer.progress, clock.now())
  if (answer.kind === 'processing')
    return await finishWith(
      context,
      decide.processing(claimed, answer.progress, answer.checkAfterSeconds, subject, facts(context)),
    )
  if (answer.kind === 'preparing')
    return await finishWith(
      context,
      decide.preparing(claimed, answer.progress, answer.checkAfterSeconds, facts(context)),
    )
  if (answer.kind === 'retry' && reach.withheld)
    return await finishWith(context, decide.gaveUp(claimed, facts(context), 250))
  await refused(context, answer)
}

async function poll(context: StepContext): Promise<void> {
  const { claimed, operations, subject, clock } = context
  const call = operations.poll
  if (!call) return await finishWith(context, decide.unresolved(claimed, subject))
  const answer = await attempt(() => call(context), 'retry')
  if (answer.kind === 'sent')
    return await acknowledged(context, answer.remoteId, answer.progress, claimed.sent_at ?? clock.now())
  if (answer.kind === 'processing')
    return await finishWith(
      context,
      decide.processing(claimed, answer.progress, answer.checkAfterSeconds, subject, facts(context)),
    )
  if (answer.kind === 'rejected') return await refused(context, answer)
  await couldNotRead(context, answer, () => decide.unresolvedYet(claimed, answer, subject, facts(context)))
}

/** Checks whether it was published, after a lost answer or when another installation may have sent it. */
async function reconcile(context: StepContext): Promise<void> {
  const { claimed, operations, subject, clock } = context
  const call = operations.reconcile
  if (!call) return await finishWith(context, decide.unresolved(claimed, subject))
  const answer = await attempt(() => call(context), 'retry')
  await returnUnused(context)
  if (answer.kind === 'sent')
    return await acknowledged(context, answer.remoteId, answer.progress, claimed.sent_at ?? clock.now())
  if (answer.kind === 'absent') return await finishWith(context, await notFound(context))
  // the platform will never show it to us: looking again would only keep a person waiting
  if (answer.kind === 'rejected') return await finishWith(context, decide.unresolved(claimed, subject, answer.reason))
  await couldNotRead(context, answer, () => decide.unresolvedYet(claimed, answer, subject, facts(context)))
}

/** The acknowledgement is durable before it's read back, under the same lease. */
async function acknowledged(
  context: StepContext,
  remoteId: string,
  progress: Record<string, unknown>,
  at: Date,
): Promise<void> {
  const { claimed, operations } = context
  if (!operations.readBack) return await finishWith(context, decide.delivered(claimed, remoteId, progress, at))
  const more = changeOnAcknowledgement(context)
  const written = await finish(context, claimed, decide.acknowledged(claimed, remoteId, progress, at), { more })
  // rejected: another worker owns it, and reconciles it
  if (!written) return
  // from here on this claim only reads back: nothing that follows may lead to another send
  await readBack({
    ...context,
    claimed: {
      ...claimed,
      step: 'readback',
      tries: 0,
      remote_id: remoteId,
      progress,
      sent_at: claimed.sent_at ?? at,
      absent_at: null,
      failure: null,
    },
  })
}

/** The platform has it by now: a bug in an adapter must not make us forget that. */
function changeOnAcknowledgement({ operations, claimed, log }: StepContext): SubjectChange {
  try {
    return operations.acknowledged?.() ?? {}
  } catch (error) {
    log.error({ err: error, subject: claimed.subject, id: claimed.subject_id }, 'what follows could not be told')
    return {}
  }
}

async function readBack(context: StepContext): Promise<void> {
  const { claimed, operations } = context
  const call = operations.readBack
  if (!call) return await finishWith(context, decide.published(claimed, { warning: unreadWarning(claimed.platform) }))
  const sent = { remoteId: claimed.remote_id ?? '', progress: claimed.progress }
  const answer = await attempt(() => call(context, sent), 'retry')
  if (answer.kind === 'live')
    return await finishWith(context, decide.published(claimed, { permalink: answer.permalink }))
  if (answer.kind === 'missing')
    return await finishWith(context, decide.unread(claimed, null, undefined, facts(context)))
  const waitSeconds = answer.kind === 'retry' ? answer.afterSeconds : undefined
  await couldNotRead(context, answer, () => decide.unread(claimed, answer.reason, waitSeconds, facts(context)))
}

async function finishWith(context: StepContext, decision: Decision): Promise<void> {
  await finish(context, context.claimed, decision, { reach: context.reach })
}
