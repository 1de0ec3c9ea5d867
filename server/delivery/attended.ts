import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { because, type Reason } from '#contract/failures/catalog.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { Apps } from '../apps/apps.ts'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import type { Tx } from '../db/kysely.ts'
import type { Log } from '../log.ts'
import type { Notify } from '../notifications/create.ts'
import type { Platform, Refusal } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { claimDelivery, type Wanted } from './claim.ts'
import type { Decision } from './decision.ts'
import { leaseFor } from './guard.ts'
import { wakeLanes } from './lane.ts'
import { defaultOptions } from './options.ts'
import { OutcomeWriter } from './outcomes.ts'
import { overrule, putDeliveries } from './overrule.ts'
import { runClaimed } from './run.ts'
import type { SecretKeys } from './secrets.ts'
import { subjectsByKind } from './stepContext.ts'
import type { OpenMedia, Subject } from './subject.ts'

/*
 * Deliveries that a person waits for, such as an edit of a published post. The request reserves the delivery in its
 * own transaction, then claims and sends it in this process, bypassing the lane, so that neither a slow upload nor a
 * paused channel keeps the person waiting. It's a delivery like any other: if this process dies, a publishing node
 * continues it. If the person was shown a failure, the delivery is withdrawn, so that nothing is sent behind their
 * back.
 */

/** A request that hasn't started sending after this long has died, and a node sends instead. */
const UNBEGUN_MS = 30_000
/** Claims per request: a sign-in may have to be renewed, or another worker's renewal waited for. */
const CLAIMS = 3
/** All requests of this process share one node ID. It has no heartbeat, so their leases simply run out. */
const requests = randomUUIDv7()

export type Reservation = {
  orgId: string
  channelId: string
  subject: Wanted['subject']
  subjectId: string
  /** The subject's own data, stored with the delivery. */
  details: Record<string, unknown>
  sendKey: string | null
  progress: Record<string, unknown>
}

/**
 * Reserves a delivery for this request, whose subject the transaction has locked. Undefined while another request or
 * a node is sending one of the same kind. Replaces whatever an earlier delivery left behind.
 */
export async function reserve(tx: Tx, wanted: Reservation, now: Date): Promise<Wanted | undefined> {
  const { orgId, channelId, subject, subjectId, details, sendKey, progress } = wanted
  const { rows } = await sql<{ fence: number }>`
    ${putDeliveries(
      sql`(org_id, channel_id, subject, subject_id, details, step, step_at, wanted_at, send_key, progress)
    values (${orgId}, ${channelId}, ${subject}, ${subjectId}, ${JSON.stringify(details)}, 'send', ${new Date(now.getTime() + UNBEGUN_MS)}, ${now}, ${sendKey}, ${JSON.stringify(progress)})`,
      sql`channel_id = excluded.channel_id, details = excluded.details, state = 'waiting', step = excluded.step, step_at = excluded.step_at,
      wanted_at = excluded.wanted_at, tries = 0, absent_at = null, doubted = false, send_key = excluded.send_key,
      progress = excluded.progress, remote_id = null, sent_at = null, failure = null
    where d.step is null or d.step_at <= ${now}
    returning fence`,
    )}`.execute(tx)
  const [row] = rows
  if (!row) return undefined
  await wakeLanes(tx, [channelId])
  return { org_id: orgId, subject, subject_id: subjectId, fence: row.fence }
}

/** Ends a delivery whose request showed a failure to the person; one that may have succeeded (unsure) stays on record. */
export async function withdraw(tx: Tx, { org_id, subject, subject_id, fence }: Wanted): Promise<void> {
  await overrule(
    sql`step = null, step_at = null, state = case when d.state = 'unsure' then d.state else 'waiting' end, failure = case when d.state = 'unsure' then d.failure end,
    details = case when d.state = 'unsure' then d.details else '{}' end`,
    sql`where d.org_id = ${org_id} and d.subject = ${subject} and d.subject_id = ${subject_id} and d.fence = ${fence}`,
  ).execute(tx)
}

export type AttendedDeps = {
  databases: Pick<Databases, 'system'>
  clock: Clock
  platforms: (key: PlatformKey) => Platform | undefined
  secrets: SecretKeys
  apps: Apps
  fetch: SafeFetch
  log: Log
}

/** The result of an attended delivery: sent, or not sent (or possibly sent) and why. `left` is to be withdrawn. */
export type Attended = { kind: 'sent' } | { kind: 'not-sent'; refusal: Refusal; left: Wanted }

/**
 * Sends what this request has reserved, within the given number of milliseconds. Outside of any transaction.
 * `crashed` is the failure to report when the outcome is unknown.
 */
export async function deliverNow(
  deps: AttendedDeps & { media: OpenMedia; notify: Notify },
  subject: Subject,
  reserved: Wanted,
  { timeoutMs, crashed }: { timeoutMs: number; crashed: Reason },
): Promise<Attended> {
  const { clock, log, platforms } = deps
  const pool = deps.databases.system
  const now = () => clock.now()
  const writer = new OutcomeWriter(pool, defaultOptions, now, (error) =>
    log.warn({ err: error }, 'an outcome could not be written yet'),
  )
  const length = timeoutMs + defaultOptions.leaseSlack
  const deadline = AbortSignal.timeout(timeoutMs)
  const decisions: Decision[] = []
  let wanted = reserved
  for (let claims = 0; claims < CLAIMS && (decisions.at(-1)?.kind ?? 'not-begun') === 'not-begun'; claims++) {
    const lease = leaseFor(clock, length)
    const how = { milliseconds: length, margin: defaultOptions.reconcileMargin }
    const claimed = await claimDelivery(pool, { now: now(), nodeId: requests }, wanted, how)
    const platform = claimed && platforms(PlatformKey.parse(claimed.platform))
    if (!claimed || !platform) break
    wanted = { ...wanted, fence: claimed.fence + 1 }
    const context = {
      pool,
      clock,
      keys: deps.secrets,
      apps: deps.apps,
      media: deps.media,
      subjects: subjectsByKind([subject]),
      fetch: deps.fetch,
      notify: deps.notify,
      log,
      options: defaultOptions,
      writer,
      signal: deadline,
      nodeId: requests,
      alive: () => lease,
      onFirstCall: () => {},
      onWritten: (_: unknown, decision: Decision) => void decisions.push(decision),
    }
    await runClaimed(context, platform, claimed, lease)
    // nothing was written: another worker continues it, or a node does once the lease is over
    if (decisions.length <= claims)
      return { kind: 'not-sent', refusal: { kind: 'unknown', reason: crashed }, left: wanted }
  }
  const last = decisions.at(-1)
  if (last?.kind === 'delivered') return { kind: 'sent' }
  return { kind: 'not-sent', refusal: refusalIn(last, crashed, now()), left: wanted }
}

/** A decision as the message for the person who waits. */
function refusalIn(decision: Decision | undefined, crashed: Reason, now: Date): Refusal {
  const reason = !decision?.reason || decision.reason.code === 'adapter-crashed' ? crashed : decision.reason
  if (decision?.kind === 'rejected') return { kind: 'rejected', reason }
  if (decision?.kind === 'signed-out') return { kind: 'reconnect', reason }
  if (decision?.kind === 'not-begun') return { kind: 'retry', reason: because('renewal-in-progress') }
  if (decision?.kind !== 'retry') return { kind: 'unknown', reason }
  const wait = decision.step_at ? decision.step_at.getTime() - now.getTime() : 0
  // a shorter wait is our own; no platform asks for one
  return { kind: 'retry', reason, ...(wait > 2 * defaultOptions.backoff && { afterSeconds: Math.ceil(wait / 1000) }) }
}
