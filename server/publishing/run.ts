import type pg from 'pg'
import type { SecretKeys } from '../channels/secrets.ts'
import type { Clock } from '../clock.ts'
import type { Notify } from '../notices/raise.ts'
import type { Log } from '../parts.ts'
import type { AccountRef, Outgoing, Platform, Reason, Refusal, Secret } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { isAsApproved } from '../workflows/guard.ts'
import type { Claimed, Going } from './claim.ts'
import * as decide from './decide.ts'
import type { Lease } from './guard.ts'
import type { PublishingOptions } from './options.ts'
import { buildOutgoing, type OpenMedia } from './outgoing.ts'
import type { Outcome, OutcomeWriter } from './outcomes.ts'
import { plain } from './plain.ts'
import { guardedReach, type GuardedReach } from './reach.ts'
import { freshSecret, type Fresh, type SecretSource } from './refresh.ts'
import { tellOfChannel, tellOfPost } from './tell.ts'
import { unreadWarning } from './words.ts'

/** What a claim is worked on with. */
export type Workshop = {
  pool: pg.Pool
  clock: Clock
  keys: SecretKeys
  media: OpenMedia
  fetch: SafeFetch
  notify: Notify
  log: Log
  options: PublishingOptions
  writer: OutcomeWriter
  signal: AbortSignal
  nodeId: string
  /** Until when this node counts as alive for the others. */
  alive: () => Lease
  /** Hears how late the first call of a post left, in milliseconds. */
  onFirstCall: (platform: string, lag: number, now: Date) => void
}

type Bench = Workshop & { source: SecretSource; claimed: Going; platform: Platform; account: AccountRef; secret: Secret; post: Outgoing; reach: GuardedReach }

/** Works on one claim to its end, and writes what came of it. Never throws; answers false when it broke and wrote nothing. */
export async function runClaimed(shop: Workshop, platform: Platform, claimed: Claimed, lease: Lease): Promise<boolean> {
  try {
    if (claimed.verdict === 'go') await runStep(shop, platform, claimed, lease)
    else if (claimed.verdict === 'late') await finish(shop, claimed, decide.late(claimed, facts(shop)))
    else await shop.writer.write(decide.waitsFor(claimed, claimed.why ?? 'held', facts(shop)))
    return true
  } catch (error) {
    // our own fault: the post's row says what happens when nobody comes back, and that is what happens now
    shop.log.error({ err: error, postId: claimed.post_id, step: claimed.step }, 'a step of publishing broke')
    return false
  }
}

async function runStep(shop: Workshop, platform: Platform, claimed: Going, lease: Lease): Promise<void> {
  const account = { remoteId: claimed.account_id, handle: claimed.handle, service: claimed.service }
  const source = { pool: shop.pool, clock: shop.clock, keys: shop.keys, fetch: shop.fetch, signal: shop.signal, nodeId: shop.nodeId }
  const ready = await makeReady(shop, source, platform, claimed, account)
  if (!ready) return
  const { secret, post } = ready

  let first = claimed.step === 'send' && claimed.tries === 0 && claimed.state === 'PROCESSING'
  const reach = guardedReach({
    fetch: shop.fetch,
    signal: shop.signal,
    clock: shop.clock,
    lease,
    alive: shop.alive,
    guarded: claimed.step === 'send' && shop.options.guards.lease,
    onLeaving: () => {
      if (!first) return
      first = false
      const now = shop.clock.now()
      shop.onFirstCall(claimed.platform, now.getTime() - claimed.due_at.getTime(), now)
    },
  })
  const bench: Bench = { ...shop, source, claimed, platform, account, secret, post, reach }
  switch (claimed.step) {
    case 'prepare':
      return await prepare(bench)
    case 'send':
      return await send(bench)
    case 'poll':
      return await poll(bench)
    case 'readback':
      return await readBack(bench)
    case 'settle':
      return await settle(bench)
  }
}

/** The secret and the content, or undefined when the attempt ended for want of one. Nothing was asked of the platform yet. */
async function makeReady(shop: Workshop, source: SecretSource, platform: Platform, claimed: Going, account: AccountRef): Promise<{ secret: Secret; post: Outgoing } | undefined> {
  try {
    if (!isReading(claimed) && !(await isAsApproved(shop.pool, { orgId: claimed.org_id, postId: claimed.post_id }))) {
      await finish(shop, claimed, decide.rejected(claimed, unapproved, facts(shop)))
      return undefined
    }
    const fresh = await freshSecret(source, platform, claimed, account)
    // some platforms show a post to anybody: reading is tried with what there is
    const secret = fresh.kind === 'wait' || (fresh.kind === 'reconnect' && !isReading(claimed)) ? undefined : fresh.secret
    const post = secret && (await buildOutgoing(claimed, shop.media))
    if (secret && post) return { secret, post }
    if (secret) await finish(shop, claimed, decide.rejected(claimed, incomplete, facts(shop)))
    else if (fresh.kind === 'wait' && fresh.away && !isReading(claimed)) await finish(shop, claimed, decide.tryAgain(claimed, fresh.away, platform, facts(shop)))
    else if (fresh.kind === 'wait') await finish(shop, claimed, decide.gaveUp(claimed, facts(shop), fresh.milliseconds))
    else if (fresh.kind === 'reconnect') await signedOut(shop, claimed, fresh.reason)
  } catch (error) {
    shop.log.error({ err: error, postId: claimed.post_id, step: claimed.step }, 'a post could not be made ready')
    await finish(shop, claimed, isReading(claimed) ? decide.gaveUp(claimed, facts(shop), UNREADY) : decide.tryAgain(claimed, { kind: 'retry', reason: unready }, platform, facts(shop)))
  }
  return undefined
}

/** Milliseconds until a post is looked at again whose files or token could not be read. */
const UNREADY = 5000
const isReading = ({ step }: Going): boolean => step === 'readback' || step === 'settle' || step === 'poll'
const unready: Reason = { text: 'Rookery could not read the files or the sign-in of this post.', advice: 'Nothing to do: it is tried again by itself.' }
const unapproved: Reason = { text: 'This post is not what was approved.', advice: 'Open it and save it, so that it is sent for approval again.' }
const incomplete: Reason = { text: 'A file of this post is missing.', advice: 'Attach it again.' }
const facts = (shop: Workshop): decide.Facts => ({ now: shop.clock.now(), options: shop.options })

async function prepare(bench: Bench): Promise<void> {
  const { platform, claimed, reach, secret, account, post } = bench
  const renewal = keepLease(bench)
  const answer = await attempt(() => platform.publish.prepare(reach, secret, account, post), 'retry').finally(() => clearInterval(renewal))
  if (answer.kind === 'prepared') await finish(bench, claimed, decide.prepared(claimed, answer.progress), reach)
  else if (answer.kind === 'preparing') await finish(bench, claimed, decide.preparing(claimed, answer.progress, answer.checkAfterSeconds, facts(bench)), reach)
  else await refused(bench, answer)
}

const RENEW = 'update post set step_at = $3 where org_id = $1 and id = $2 and fence = $4'

/** A preparation may take long; its lease is the post's own step_at. */
function keepLease({ pool, clock, options, claimed, log }: Bench): NodeJS.Timeout {
  const renew = () => {
    const until = new Date(clock.now().getTime() + options.readLease)
    pool.query(RENEW, [claimed.org_id, claimed.post_id, until, claimed.fence]).catch((error: unknown) => log.warn({ err: error }, 'a lease could not be renewed'))
  }
  return setInterval(renew, options.readLease / 3)
}

async function send(bench: Bench): Promise<void> {
  const { platform, claimed, reach, secret, account, post, clock } = bench
  // one attempt: a late success would post twice
  const answer = await attempt(() => platform.publish.send(reach, secret, account, post), 'unknown')
  if (answer.kind === 'sent') return await acknowledged(bench, answer.remoteId, answer.progress, clock.now())
  if (answer.kind === 'processing') return await finish(bench, claimed, decide.processing(claimed, answer.progress, answer.checkAfterSeconds, facts(bench)), reach)
  if (answer.kind === 'retry' && reach.withheld) return await finish(bench, claimed, decide.gaveUp(claimed, facts(bench), 250), reach)
  await refused(bench, answer)
}

async function poll(bench: Bench): Promise<void> {
  const { platform, claimed, reach, secret, account, post, clock } = bench
  if (!platform.publish.poll) return await finish(bench, claimed, decide.toAPerson(claimed, facts(bench)))
  const look = platform.publish.poll
  const answer = await attempt(() => look(reach, secret, account, post), 'retry')
  if (answer.kind === 'sent') return await acknowledged(bench, answer.remoteId, answer.progress, claimed.sent_at ?? clock.now())
  if (answer.kind === 'processing') return await finish(bench, claimed, decide.processing(claimed, answer.progress, answer.checkAfterSeconds, facts(bench)), reach)
  if (answer.kind === 'rejected') return await refused(bench, answer)
  await couldNotRead(bench, answer, () => decide.unsettled(claimed, answer, facts(bench)))
}

async function settle(bench: Bench): Promise<void> {
  const { platform, claimed, reach, secret, account, post, clock } = bench
  const answer = await attempt(() => platform.publish.settle(reach, secret, account, post), 'retry')
  if (answer.kind === 'sent') return await acknowledged(bench, answer.remoteId, answer.progress, claimed.sent_at ?? clock.now())
  if (answer.kind === 'absent') return await finish(bench, claimed, decide.absent(claimed, platform.publish, facts(bench)), reach)
  await couldNotRead(bench, answer, () => decide.unsettled(claimed, answer, facts(bench)))
}

/** The acknowledgement is durable before the post is read back, in the same lease. */
async function acknowledged(bench: Bench, remoteId: string, progress: Record<string, unknown>, at: Date): Promise<void> {
  const written = await bench.writer.write(decide.sent(bench.claimed, remoteId, progress, at, facts(bench)))
  // refused: somebody else owns the post, and settles it
  if (!written) return
  // from here on this is a claim to read back: nothing that follows may lead to another send
  const claimed: Going = { ...bench.claimed, step: 'readback', state: 'PROCESSING', tries: 0, remote_id: remoteId, sent_at: bench.claimed.sent_at ?? at, absent_at: null, failure: null }
  await readBack({ ...bench, claimed, post: { ...bench.post, progress } })
}

async function readBack(bench: Bench): Promise<void> {
  const { platform, claimed, reach, secret, account, post, clock } = bench
  const remoteId = claimed.remote_id ?? ''
  const sentAt = claimed.sent_at ?? clock.now()
  const answer = await attempt(() => platform.publish.readBack(reach, secret, account, post, remoteId), 'retry')
  if (answer.kind === 'live') return await finish(bench, claimed, decide.published(claimed, sentAt, { permalink: answer.permalink }, facts(bench)), reach)
  if (answer.kind === 'missing') return await finish(bench, claimed, decide.unread(claimed, sentAt, null, undefined, facts(bench)), reach)
  const waitSeconds = answer.kind === 'retry' ? answer.afterSeconds : undefined
  await couldNotRead(bench, answer, () => decide.unread(claimed, sentAt, answer.reason, waitSeconds, facts(bench)))
}

/** Refusals of steps that change something. */
async function refused(bench: Bench, refusal: Refusal): Promise<void> {
  const { claimed, platform, reach } = bench
  switch (refusal.kind) {
    case 'retry':
      if (refusal.first === 'renew') return await renewOrSignOut(bench, refusal.reason)
      return await finish(bench, claimed, decide.tryAgain(claimed, refusal, platform, facts(bench)), reach)
    case 'rejected':
      return await finish(bench, claimed, decide.rejected(claimed, refusal.reason, facts(bench)), reach)
    case 'reconnect':
      return await renewOrSignOut(bench, refusal.reason)
    case 'unknown':
      // only a send is irreversible; an upload whose answer was lost is simply done again
      return await finish(bench, claimed, claimed.step === 'send' ? decide.lost(claimed, refusal.reason, platform.publish, facts(bench)) : decide.tryAgain(claimed, { kind: 'retry', reason: refusal.reason }, platform, facts(bench)), reach)
  }
}

/** Refusals of steps that only read: a dead sign-in is told, everything else is `otherwise`. */
async function couldNotRead(bench: Bench, refusal: Refusal, otherwise: () => Outcome): Promise<void> {
  const signIn = refusal.kind === 'reconnect' || (refusal.kind === 'retry' && refusal.first === 'renew')
  if (signIn) await renewOrSignOut(bench, refusal.reason)
  else await finish(bench, bench.claimed, otherwise(), bench.reach)
}

/** A refused token may only be old: it is renewed a few times before a person is asked. */
async function renewOrSignOut(bench: Bench, reason: Reason): Promise<void> {
  const { claimed } = bench
  const fresh = await renewed(bench)
  if (fresh === 'dead' || fresh.kind === 'reconnect') return await signedOut(bench, claimed, reason)
  if (fresh.kind === 'wait' && fresh.away && !isReading(claimed)) return await finish(bench, claimed, decide.tryAgain(claimed, fresh.away, bench.platform, facts(bench)), bench.reach)
  const again = decide.gaveUp(claimed, facts(bench), fresh.kind === 'wait' ? fresh.milliseconds : 0)
  await finish(bench, claimed, fresh.kind === 'fresh' ? { ...again, outcome: RENEWED } : again, bench.reach)
}

const RENEWED = 'renewed'
/** What became of the post's last attempts. Those that never began say nothing of its sign-in. */
const LATEST = "select outcome from attempt where org_id = $1 and post_id = $2 and finished_at is not null and outcome <> 'not begun' order by id desc limit $3"

/** Nothing may be thrown here: the platform's answer is known, and would be forgotten with it. */
async function renewed({ pool, source, platform, claimed, account, log }: Bench): Promise<Fresh | 'dead'> {
  try {
    const { rows } = await pool.query<{ outcome: string }>(LATEST, [claimed.org_id, claimed.post_id, decide.SIGN_IN_TRIES])
    if (rows.length === decide.SIGN_IN_TRIES && rows.every(({ outcome }) => outcome === RENEWED)) return 'dead'
    return await freshSecret(source, platform, claimed, account, true)
  } catch (error) {
    log.error({ err: error, postId: claimed.post_id, step: claimed.step }, 'a sign-in could not be renewed')
    return { kind: 'wait', milliseconds: UNREADY, reason: unready }
  }
}

async function signedOut(shop: Workshop, claimed: Going, reason: Reason): Promise<void> {
  const outcome = signedOutOf(shop, claimed, reason)
  const now = shop.clock.now()
  const [ofChannel, ofPost] = [tellOfChannel(shop.notify, claimed, reason, now), tellOfPost(shop.notify, claimed, outcome, now)]
  await shop.writer.write(outcome, async (tx) => {
    await ofChannel(tx)
    await ofPost?.(tx)
  })
}

function signedOutOf(shop: Workshop, claimed: Going, reason: Reason): Outcome {
  // nobody asks a platform for a post in work without a sign-in; a doubt is read again once there is one, unless it was wiped
  if (claimed.step === 'poll' || (claimed.step === 'settle' && claimed.key_id === null)) return decide.toAPerson(claimed, facts(shop))
  if (claimed.step === 'settle') return decide.unsettled(claimed, { kind: 'reconnect', reason }, facts(shop))
  if (claimed.step !== 'readback') return decide.signedOut(claimed, reason, facts(shop))
  return decide.published(claimed, claimed.sent_at ?? shop.clock.now(), { warning: unreadWarning(claimed.platform, reason.text) }, facts(shop))
}

async function finish(shop: Workshop, claimed: Claimed, outcome: Outcome, reach?: GuardedReach): Promise<void> {
  const written = await shop.writer.write({ ...outcome, exchange: reach?.exchange ?? [] }, tellOfPost(shop.notify, claimed, outcome, shop.clock.now()))
  if (!written) shop.log.info({ postId: claimed.post_id, step: claimed.step, outcome: outcome.outcome }, 'a late outcome was refused by the fence')
}

/** What an adapter answers, as our columns can keep it. One that throws has a bug: what it did is unknown after a send, and nothing after a read. */
async function attempt<T>(call: () => Promise<T>, kind: 'retry' | 'unknown'): Promise<T | Refusal> {
  try {
    return plain(await call())
  } catch (error) {
    const text = 'Something went wrong in Rookery while it spoke with the platform.'
    return { kind, reason: { text, advice: 'Nothing to do: it is looked into again by itself.', platformCode: error instanceof Error ? plain(error.message.slice(0, 200)) : 'unknown' } }
  }
}
