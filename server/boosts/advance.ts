import { because } from '#contract/failures/catalog.ts'
import type { StoredReason } from '#contract/failures/define.ts'
import { randomUUIDv7 } from 'node:crypto'
import { canStop, isRunning, type BoostState } from '#contract/boosts.ts'
import { PostType, type PlatformKey } from '#contract/platforms/rules.ts'
import type { Apps } from '../apps/apps.ts'
import type { SecretKeys } from '../delivery/secrets.ts'
import type { JobContext } from '../jobs/job.ts'
import type { AccountRef, Platform, Reach, Refusal, Secret } from '../platforms/platform.ts'
import type { Promoted, Promotion, PromotionStep } from '../platforms/promotion.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { leaseFor, outlasts, type Lease } from '../delivery/guard.ts'
import { defaultOptions } from '../delivery/options.ts'
import { OutcomeWriter } from '../delivery/outcomes.ts'
import { storable } from '../delivery/storable.ts'
import { guardedFetch } from '../delivery/guardedFetch.ts'
import { freshSecret, sourceFor } from '../delivery/refresh.ts'
import type { BoostRow } from './access.ts'
import { nameOf } from './names.ts'
import { claimBoost, dueBoosts, LEASE_MS, type ClaimedBoost } from './claim.ts'
import { release, write, type Change } from './write.ts'

/*
 * What is created on the platform costs money, so it's created once. The delivery engine claims, leases, fences and
 * journals a promotion. Each step records its start in the promotion's row, in a commit of its own, and looks for our
 * name on the platform before creating anything: a killed worker, a lost answer and a restored database all look the
 * same to it. After a start without a known end, absence is only believed when read twice, a minute apart.
 */

export type AdvanceDeps = {
  platforms: (key: PlatformKey) => Platform | undefined
  secrets: SecretKeys
  fetch: SafeFetch
  apps: Apps
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Between a lost answer and the first lookup, and between two lookups. */
const RECHECK_MS = MINUTE
/** A promotion that couldn't be set up within this time is given up. */
const GIVE_UP_MS = DAY
/** Platforms finalize the figures some time after the end. */
const AFTERWARDS_MS = DAY
const LONGEST_WAIT_MS = DAY
/** How often the platform is asked to delete what never ran. */
const CLEAN_UP_TRIES = 5

/** Advances every promotion that is due, each as far as possible. Returns how many were claimed. */
export async function advanceDue(deps: AdvanceDeps, context: JobContext): Promise<number> {
  const { databases, clock, log, signal } = context
  const writer = new OutcomeWriter(
    databases.system,
    defaultOptions,
    () => clock.now(),
    (error) => log.warn({ err: error }, 'a promotion could not be written yet'),
  )
  const due = await dueBoosts(databases.system, clock.now())
  const taken = await Promise.all(
    due.map(async (one) => {
      try {
        if (signal.aborted) return false
        const lease = leaseFor(clock, LEASE_MS)
        const claim = await claimBoost(databases.system, writer, one, { now: clock.now(), nodeId: WORKERS })
        if (claim) await advance(deps, context, writer, lease, claim)
        return claim !== undefined
      } catch (error) {
        // it's claimed again when its lease is over
        log.error({ err: error, boostId: one.id }, 'a promotion could not be advanced')
        return true
      }
    }),
  )
  return taken.filter(Boolean).length
}

/** The workers of this process have one node ID without a heartbeat, so their leases simply run out. */
const WORKERS = randomUUIDv7()

const DISCONNECTED = because('boost-channel-disconnected')
const UNCONFIRMED = because('boost-end-unconfirmed')

/** Everything that is done with one promotion during the lease. */
type Work = {
  boost: BoostRow
  promotion: Promotion
  reach: Reach
  secret: Secret
  account: AccountRef
  lasts: (milliseconds: number) => boolean
  save: (change: Change) => Promise<boolean>
  now: () => Date
}

async function advance(
  deps: AdvanceDeps,
  context: JobContext,
  writer: OutcomeWriter,
  lease: Lease,
  taken: ClaimedBoost,
): Promise<void> {
  const { clock, signal } = context
  const { boost, claimed } = taken
  const alone = AbortSignal.any([signal, AbortSignal.timeout(LEASE_MS)])
  const reach = guardedFetch({ fetch: deps.fetch, signal: alone, clock, lease, alive: () => lease, guarded: true })
  const save = async (change: Change): Promise<boolean> => {
    const after = await write(writer, claimed, boost, change, clock.now())
    // everyone who works on it locks the same row
    if (after) Object.assign(boost, after)
    return after !== undefined
  }
  await workOn(deps, context, { ...taken, reach, save, lasts: (milliseconds) => outlasts(lease, clock, milliseconds) })
  await release(writer, claimed, reach.exchange)
}

type Held = ClaimedBoost & Pick<Work, 'reach' | 'save' | 'lasts'>

async function workOn(deps: AdvanceDeps, { clock, databases, signal }: JobContext, taken: Held): Promise<void> {
  const { boost, claimed, reach, save, lasts } = taken
  const platform = deps.platforms(claimed.platform)
  // nobody will be able to manage it anymore: stop it while that is possible
  if (taken.postGone && canStop(boost.state) && !(await save({ state: 'STOPPING', tries: 0 }))) return
  if (taken.channelGone || claimed.key_id === null || !platform?.boost)
    return void (await save(unreachable(boost, boost.state === 'STOPPING' ? UNCONFIRMED : DISCONNECTED, clock.now())))
  const account = { remoteId: claimed.account_id, handle: claimed.handle, service: claimed.service }
  const source = sourceFor(deps, { databases, clock, signal }, 'boosts')
  const fresh = await freshSecret(source, platform, claimed, account)
  if (fresh.kind !== 'fresh')
    return void (await save(unreachable(boost, fresh.reason, clock.now(), fresh.kind === 'wait' ? 5 * MINUTE : HOUR)))
  const app = await deps.apps.ofChannel(boost.org_id, boost.channel_id)
  const work: Work = {
    boost,
    promotion: platform.boost,
    reach: { ...reach, ...(app && app !== 'gone' && { app }) },
    secret: fresh.secret,
    account,
    save,
    now: () => clock.now(),
    lasts,
  }
  if (boost.state === 'PENDING') await setUp(work, taken.held)
  else if (boost.state === 'STOPPING') await end(work, taken.postGone)
  else if (boost.state === 'FAILED') await cleanUp(work)
  else await readFigures(work)
}

/** Creates what is missing, one step after the other. */
async function setUp(work: Work, held: boolean): Promise<void> {
  const { boost, promotion, save, now } = work
  // nothing is started that can't be finished
  if (held) return void (await save({ next_at: later(now(), 5 * MINUTE) }))
  for (;;) {
    const step = promotion.steps.find(({ key }) => boost.made[key] === undefined)
    if (!step) return void (await save({ state: 'IN_REVIEW', tries: 0, problem: null, next_at: later(now(), MINUTE) }))
    // the lease ends: another worker continues at once
    if (!work.lasts(2 * promotion.timeoutMs)) return void (await save({ next_at: now() }))
    const outcome = await oneStep(work, step)
    if (outcome !== 'made') return
  }
}

async function oneStep(work: Work, { key, kind, timed }: PromotionStep): Promise<'made' | 'waits'> {
  const { boost, save, now } = work
  const keep = async (remoteId: string): Promise<'made' | 'waits'> =>
    (await save({ made: { ...boost.made, [key]: remoteId }, began_at: null, absent_at: null, tries: 0 }))
      ? 'made'
      : 'waits'
  if (kind === 'once') {
    const found = await reconcile(work, key)
    if (found.kind === 'found') return await keep(found.remoteId)
    if (found.kind === 'waits') return 'waits'
  }
  // for a repeatable step, an earlier start without an end stays one, whatever happens now
  const doubt = kind === 'repeatable' ? boost.began_at : null
  if (
    kind !== 'read' &&
    !(await save({ began_at: now(), absent_at: null, ...(timed && { ends_at: later(now(), boost.days * DAY) }) }))
  )
    return 'waits'
  const answer = storable(await work.promotion.make(work.reach, work.secret, work.account, promotedOf(boost), key))
  if (answer.kind === 'made') return await keep(answer.remoteId)
  // its result is unknown: the journal keeps the start
  if (answer.kind === 'unknown') await save({ tries: boost.tries + 1, next_at: later(now(), RECHECK_MS) })
  // nothing was created
  else if (answer.kind === 'rejected')
    await save({ state: 'FAILED', began_at: doubt, tries: 0, problem: answer.reason, next_at: now() })
  else await save({ ...waiting({ ...boost, began_at: doubt }, answer, now()), began_at: doubt })
  return 'waits'
}

/** Whether the step's object already exists. `absent` if it may be created now. */
async function reconcile(
  work: Work,
  key: string,
): Promise<{ kind: 'found'; remoteId: string } | { kind: 'absent' } | { kind: 'waits' }> {
  const { boost, save, now } = work
  const found = storable(await work.promotion.find(work.reach, work.secret, work.account, promotedOf(boost), key))
  if (found.kind === 'found') return found
  if (found.kind === 'absent') {
    // nothing was started: this lookup was to make sure
    if (boost.began_at === null) return found
    const first = boost.absent_at
    if (first !== null && now().getTime() - first.getTime() >= RECHECK_MS) return found
    await save({ absent_at: first ?? now(), next_at: later(first ?? now(), RECHECK_MS) })
    return { kind: 'waits' }
  }
  await save(waiting(boost, found, now()))
  return { kind: 'waits' }
}

/** Ends it on the platform, however far it got. What was started is looked up first, so that nothing keeps running. */
async function end(work: Work, postGone: boolean): Promise<void> {
  const { boost, promotion, save, now } = work
  const doubtful =
    boost.began_at === null
      ? undefined
      : promotion.steps.find(({ key, kind }) => kind === 'once' && boost.made[key] === undefined)
  if (doubtful) {
    const found = await reconcile(work, doubtful.key)
    if (found.kind === 'waits') return
    if (
      !(await save({
        began_at: null,
        absent_at: null,
        ...(found.kind === 'found' && { made: { ...boost.made, [doubtful.key]: found.remoteId } }),
      }))
    )
      return
  }
  const answer = storable(await promotion.stop(work.reach, work.secret, work.account, promotedOf(boost)))
  const why = postGone ? because('boost-post-deleted') : null
  // it may have been resumed on the platform
  if (answer.kind === 'stopped')
    await save({
      state: 'STOPPED',
      began_at: null,
      tries: 0,
      problem: why,
      next_at: mayRun(boost, promotion) ? later(now(), 10 * MINUTE) : null,
    })
  else
    await save({
      problem: answer.reason,
      tries: boost.tries + 1,
      next_at: later(now(), waitOf(answer, boost.tries)),
    })
}

/** Deletes what was created for a promotion that never ran. If that fails it costs nothing, unless it may have run after all. */
async function cleanUp(work: Work): Promise<void> {
  const { boost, promotion, save, now } = work
  const answer = await promotion.stop(work.reach, work.secret, work.account, promotedOf(boost))
  await save(
    answer.kind === 'stopped' || (boost.began_at === null && boost.tries >= CLEAN_UP_TRIES)
      ? { next_at: null }
      : { tries: boost.tries + 1, next_at: later(now(), waitOf(answer, boost.tries)) },
  )
}

async function readFigures(work: Work): Promise<void> {
  const { boost, save, now } = work
  const seen = storable(await work.promotion.look(work.reach, work.secret, work.account, promotedOf(boost)))
  if (seen.kind === 'gone')
    return void (await save({
      state: boost.state === 'ENDED' ? 'ENDED' : 'STOPPED',
      next_at: null,
      problem: because('boost-deleted'),
    }))
  if (seen.kind !== 'seen')
    return void (await save(
      unreachable(boost, seen.reason, now(), Math.max(waitOf(seen, boost.tries), seen.kind === 'retry' ? 0 : HOUR)),
    ))
  const endsAt = seen.endsAt ?? boost.ends_at
  const isOver = endsAt !== null && endsAt <= now()
  const state = isOver && seen.state !== 'REJECTED' ? (boost.state === 'STOPPED' ? 'STOPPED' : 'ENDED') : seen.state
  const kept = state === 'STOPPED' && boost.state === 'STOPPED' ? boost.problem : null
  const problem = seen.reason && !(isOver && state === 'ENDED') ? seen.reason : kept
  await save({
    state,
    problem,
    ends_at: endsAt,
    tries: 0,
    spent: seen.spent ?? boost.spent,
    impressions: seen.impressions ?? boost.impressions,
    reach: seen.reach ?? boost.reach,
    read_at: now(),
    next_at: nextReading({ state, createdAt: boost.created_at, endsAt }, now()),
  })
}

/**
 * When to ask the platform again: soon after the start, hourly while it runs, daily if it could still be resumed;
 * never once it ended long ago.
 */
function nextReading(
  { state, createdAt, endsAt }: { state: BoostState; createdAt: Date; endsAt: Date | null },
  now: Date,
): Date | null {
  if (endsAt !== null && now.getTime() >= endsAt.getTime() + AFTERWARDS_MS) return null
  const young = now.getTime() - createdAt.getTime() < 2 * HOUR
  const step =
    state === 'ACTIVE' || state === 'IN_REVIEW' || state === 'HELD'
      ? young
        ? 5 * MINUTE
        : state === 'ACTIVE'
          ? HOUR
          : 30 * MINUTE
      : DAY
  const next = later(now, step)
  // don't sleep past the end
  return endsAt !== null && now < endsAt && next > endsAt ? later(endsAt, MINUTE) : next
}

/**
 * The platform can't be asked: known data stays, with the reason. One that was never set up is given up after a day;
 * one whose time is over is ended.
 */
function unreachable(boost: BoostRow, reason: StoredReason, now: Date, wait = HOUR): Change {
  const next = { tries: boost.tries + 1, problem: reason, next_at: later(now, wait) }
  if (boost.ends_at !== null && now.getTime() >= boost.ends_at.getTime() + AFTERWARDS_MS) {
    const unknown = boost.state === 'PENDING' || boost.state === 'STOPPING' ? because('boost-unknown') : null
    return { state: isRunning(boost.state) ? 'ENDED' : boost.state, next_at: null, problem: unknown ?? boost.problem }
  }
  if (boost.state === 'PENDING')
    return isGivenUp(boost, now)
      ? { ...next, state: 'FAILED' }
      : { ...next, next_at: later(now, Math.min(wait, 10 * MINUTE)) }
  if (boost.state === 'FAILED')
    return {
      tries: boost.tries + 1,
      next_at: isGivenUp(boost, now) && boost.began_at === null ? null : later(now, wait),
    }
  return next
}

/** What a refusal leads to during setup. */
function waiting(boost: BoostRow, refusal: Refusal, now: Date): Change {
  if (boost.state === 'PENDING' && isGivenUp(boost, now))
    return { state: 'FAILED', problem: refusal.reason, tries: 0, next_at: now }
  // a problem that resolves itself isn't shown
  return {
    tries: boost.tries + 1,
    next_at: later(now, waitOf(refusal, boost.tries)),
    ...((refusal.kind === 'reconnect' || refusal.kind === 'rejected') && { problem: refusal.reason }),
  }
}

/** Not while it may be running: then a person has to look. */
const isGivenUp = (boost: BoostRow, now: Date): boolean =>
  now.getTime() - boost.created_at.getTime() >= GIVE_UP_MS && (boost.began_at === null || boost.ends_at === null)
const later = (from: Date, milliseconds: number): Date => new Date(from.getTime() + milliseconds)
/** Everything exists and could be resumed. */
const mayRun = (boost: BoostRow, promotion: Promotion): boolean =>
  promotion.steps.every(({ key, kind }) => kind !== 'once' || boost.made[key] !== undefined)

/** The platform's own wait, otherwise a growing one; a person gets ten minutes to reconnect. */
function waitOf(refusal: Refusal, tries: number): number {
  if (refusal.kind === 'reconnect' || refusal.kind === 'rejected') return 10 * MINUTE
  const named = refusal.kind === 'retry' ? (refusal.afterSeconds ?? 0) * 1000 : 0
  return Math.min(Math.max(named, Math.min(MINUTE * 2 ** Math.min(tries, 6), HOUR)), LONGEST_WAIT_MS)
}

function promotedOf(boost: BoostRow): Promoted {
  return {
    name: nameOf(boost.id),
    postType: PostType.parse(boost.post_type),
    remoteId: boost.post_remote_id,
    adAccountId: boost.ad_account_id,
    audienceId: boost.audience_id,
    budget: boost.budget,
    minorUnits: boost.minor_units,
    endsAt: boost.ends_at ?? later(boost.created_at, boost.days * DAY),
    made: boost.made,
  }
}
