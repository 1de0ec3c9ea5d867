import { type Reason, because } from '#contract/failures/catalog.ts'
import { isAsApproved } from '../workflows/guard.ts'
import type { AccountRef, Outgoing, Platform, Secret } from '../platforms/platform.ts'
import {
  attempt,
  facts,
  finish,
  isIrreversible,
  isReading,
  unready,
  UNREADY,
  type StepContext,
  type PublishContext,
} from './stepContext.ts'
import type { Claimed, Going } from './claim.ts'
import * as decide from './decide.ts'
import type { Lease } from './guard.ts'
import { buildOutgoing } from './outgoing.ts'
import { partsOf, type NewPart } from './parts.ts'
import { guardedReach } from './reach.ts'
import { freshSecret, type SecretSource } from './refresh.ts'
import { couldNotRead, refused, rulesOf, signedOut } from './refused.ts'
import { sendPart, settlePart } from './runPart.ts'

/** Works on one claim to its end, and writes what came of it. Never throws; answers false when it broke and wrote nothing. */
export async function runClaimed(
  publishing: PublishContext,
  platform: Platform,
  claimed: Claimed,
  lease: Lease,
): Promise<boolean> {
  try {
    if (claimed.verdict === 'go') await runStep(publishing, platform, claimed, lease)
    else if (claimed.verdict === 'late')
      await finish(publishing, claimed, rulesOf(claimed).late(claimed, facts(publishing)))
    else await publishing.writer.write(decide.waitsFor(claimed, claimed.why ?? 'held', facts(publishing)))
    return true
  } catch (error) {
    // our own fault: the post's row says what happens when nobody comes back, and that is what happens now
    publishing.log.error({ err: error, postId: claimed.post_id, step: claimed.step }, 'a step of publishing broke')
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
  const { secret, post } = ready

  let first = claimed.step === 'send' && claimed.tries === 0 && claimed.state === 'PROCESSING'
  const reach = guardedReach({
    fetch: publishing.fetch,
    signal: publishing.signal,
    clock: publishing.clock,
    lease,
    alive: publishing.alive,
    guarded: isIrreversible(claimed) && publishing.options.guards.lease,
    onLeaving: () => {
      if (!first) return
      first = false
      const now = publishing.clock.now()
      publishing.onFirstCall(claimed.platform, now.getTime() - claimed.due_at.getTime(), now)
    },
  })
  const bench: StepContext = { ...publishing, source, claimed, platform, account, secret, post, reach }
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
    case 'part':
      return await sendPart(bench)
    case 'settlePart':
      return await settlePart(bench)
  }
}

/** The secret and the content, or undefined when the attempt ended for want of one. Nothing was asked of the platform yet. */
async function makeReady(
  publishing: PublishContext,
  source: SecretSource,
  platform: Platform,
  claimed: Going,
  account: AccountRef,
): Promise<{ secret: Secret; post: Outgoing } | undefined> {
  try {
    if (!isReading(claimed) && !isAsApproved(claimed)) {
      await finish(publishing, claimed, rulesOf(claimed).rejected(claimed, unapproved, facts(publishing)))
      return undefined
    }
    const fresh = await freshSecret(source, platform, claimed, account)
    // some platforms show a post to anybody: reading is tried with what there is
    const secret =
      fresh.kind === 'wait' || (fresh.kind === 'reconnect' && !isReading(claimed)) ? undefined : fresh.secret
    const post = secret && (await buildOutgoing(claimed, publishing.media))
    if (secret && post) return { secret, post }
    if (secret) await finish(publishing, claimed, rulesOf(claimed).rejected(claimed, incomplete, facts(publishing)))
    else if (fresh.kind === 'wait' && fresh.away && !isReading(claimed))
      await finish(publishing, claimed, rulesOf(claimed).tryAgain(claimed, fresh.away, platform, facts(publishing)))
    else if (fresh.kind === 'wait')
      await finish(publishing, claimed, decide.gaveUp(claimed, facts(publishing), fresh.milliseconds))
    else if (fresh.kind === 'reconnect') await signedOut(publishing, claimed, fresh.reason)
  } catch (error) {
    publishing.log.error({ err: error, postId: claimed.post_id, step: claimed.step }, 'a post could not be made ready')
    await finish(
      publishing,
      claimed,
      isReading(claimed)
        ? decide.gaveUp(claimed, facts(publishing), UNREADY)
        : rulesOf(claimed).tryAgain(claimed, { kind: 'retry', reason: unready }, platform, facts(publishing)),
    )
  }
  return undefined
}

const unapproved: Reason = because('not-what-was-approved')
const incomplete: Reason = because('file-missing')

async function prepare(bench: StepContext): Promise<void> {
  const { platform, claimed, reach, secret, account, post } = bench
  const renewal = keepLease(bench)
  const answer = await attempt(() => platform.publish.prepare(reach, secret, account, post), 'retry').finally(() =>
    clearInterval(renewal),
  )
  if (answer.kind === 'prepared') await finish(bench, claimed, decide.prepared(claimed, answer.progress), reach)
  else if (answer.kind === 'preparing')
    await finish(
      bench,
      claimed,
      decide.preparing(claimed, answer.progress, answer.checkAfterSeconds, facts(bench)),
      reach,
    )
  else await refused(bench, answer)
}

const RENEW = 'update post set step_at = $3 where org_id = $1 and id = $2 and fence = $4'

/** A preparation may take long; its lease is the post's own step_at. */
function keepLease({ pool, clock, options, claimed, log }: StepContext): NodeJS.Timeout {
  const renew = () => {
    const until = new Date(clock.now().getTime() + options.readLease)
    pool
      .query(RENEW, [claimed.org_id, claimed.post_id, until, claimed.fence])
      .catch((error: unknown) => log.warn({ err: error }, 'a lease could not be renewed'))
  }
  return setInterval(renew, options.readLease / 3)
}

async function send(bench: StepContext): Promise<void> {
  const { platform, claimed, reach, secret, account, post, clock } = bench
  // one attempt: a late success would post twice
  const answer = await attempt(() => platform.publish.send(reach, secret, account, post), 'unknown')
  if (answer.kind === 'sent') return await acknowledged(bench, answer.remoteId, answer.progress, clock.now())
  if (answer.kind === 'processing')
    return await finish(
      bench,
      claimed,
      decide.processing(claimed, answer.progress, answer.checkAfterSeconds, facts(bench)),
      reach,
    )
  if (answer.kind === 'retry' && reach.withheld)
    return await finish(bench, claimed, decide.gaveUp(claimed, facts(bench), 250), reach)
  await refused(bench, answer)
}

async function poll(bench: StepContext): Promise<void> {
  const { platform, claimed, reach, secret, account, post, clock } = bench
  if (!platform.publish.poll) return await finish(bench, claimed, decide.escalateToUser(claimed, facts(bench)))
  const look = platform.publish.poll
  const answer = await attempt(() => look(reach, secret, account, post), 'retry')
  if (answer.kind === 'sent')
    return await acknowledged(bench, answer.remoteId, answer.progress, claimed.sent_at ?? clock.now())
  if (answer.kind === 'processing')
    return await finish(
      bench,
      claimed,
      decide.processing(claimed, answer.progress, answer.checkAfterSeconds, facts(bench)),
      reach,
    )
  if (answer.kind === 'rejected') return await refused(bench, answer)
  await couldNotRead(bench, answer, () => decide.unsettled(claimed, answer, facts(bench)))
}

async function settle(bench: StepContext): Promise<void> {
  const { platform, claimed, reach, secret, account, post, clock } = bench
  const answer = await attempt(() => platform.publish.settle(reach, secret, account, post), 'retry')
  if (answer.kind === 'sent')
    return await acknowledged(bench, answer.remoteId, answer.progress, claimed.sent_at ?? clock.now())
  if (answer.kind === 'absent')
    return await finish(bench, claimed, decide.absent(claimed, platform.publish, facts(bench)), reach)
  // it will never be shown to us: every further look would only keep a person waiting
  if (answer.kind === 'rejected')
    return await finish(bench, claimed, decide.escalateToUser(claimed, facts(bench), answer.reason), reach)
  await couldNotRead(bench, answer, () => decide.unsettled(claimed, answer, facts(bench)))
}

/** The acknowledgement is durable before the post is read back, in the same lease. */
async function acknowledged(
  bench: StepContext,
  remoteId: string,
  progress: Record<string, unknown>,
  at: Date,
): Promise<void> {
  const parts = followingParts(bench)
  const written = await bench.writer.write(decide.sent(bench.claimed, remoteId, progress, parts, at, facts(bench)))
  // refused: somebody else owns the post, and settles it
  if (!written) return
  // from here on this is a claim to read back: nothing that follows may lead to another send
  const claimed: Going = {
    ...bench.claimed,
    step: 'readback',
    state: 'PROCESSING',
    tries: 0,
    remote_id: remoteId,
    sent_at: bench.claimed.sent_at ?? at,
    absent_at: null,
    failure: null,
    part: parts[0]?.key ?? null,
  }
  await readBack({ ...bench, claimed, post: { ...bench.post, progress } })
}

/** The platform has the post by now: an adapter with a bug must not make anybody forget that. */
function followingParts({ platform, post, log }: StepContext): NewPart[] {
  try {
    return partsOf(platform, post)
  } catch (error) {
    log.error({ err: error, postId: post.postId }, 'what follows a post could not be told')
    return []
  }
}

async function readBack(bench: StepContext): Promise<void> {
  const { platform, claimed, reach, secret, account, post, clock } = bench
  const remoteId = claimed.remote_id ?? ''
  const sentAt = claimed.sent_at ?? clock.now()
  const answer = await attempt(() => platform.publish.readBack(reach, secret, account, post, remoteId), 'retry')
  if (answer.kind === 'live')
    return await finish(
      bench,
      claimed,
      decide.published(claimed, sentAt, { permalink: answer.permalink }, facts(bench)),
      reach,
    )
  if (answer.kind === 'missing')
    return await finish(bench, claimed, decide.unread(claimed, sentAt, null, undefined, facts(bench)), reach)
  const waitSeconds = answer.kind === 'retry' ? answer.afterSeconds : undefined
  await couldNotRead(bench, answer, () => decide.unread(claimed, sentAt, answer.reason, waitSeconds, facts(bench)))
}
