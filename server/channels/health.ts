import type { Reason } from '#contract/failures/catalog.ts'
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { ChannelLimits } from '#contract/platforms/limits.ts'
import { PlatformKey, platformKeys } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import type { JobContext } from '../jobs/job.ts'
import { emit } from '../live/emit.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import type { Notify } from '../notifications/create.ts'
import type { AccountRef, Platform } from '../platforms/platform.ts'
import { storable } from '../delivery/storable.ts'
import { freshSecret, sourceFor, type SecretHolder } from '../delivery/refresh.ts'
import { notifyOfChannel } from '../delivery/notifyOfChannel.ts'
import { CHECK_EVERY_MS, type ConnectDeps } from './connect.ts'
import { pictureSource, renewPicture } from './pictures.ts'

/*
 * Whether channels' sign-ins still work: each is checked once a day, so that a dead one is noticed before its next
 * post. Checks renew tokens as publishing does, under the same lease. An unavailable platform says nothing about a
 * sign-in.
 */

const HOUR = 3_600_000
/** After a check without a result, and after one that a killed worker never finished. */
const LOOK_AGAIN_MS = HOUR
/** How long ahead people are notified of an expiry. */
const WARN_AHEAD_MS = 7 * 24 * HOUR
const CHECK_MS = 60_000
/** Checks in one run, and at a time. With a run every five minutes, about 14,000 channels are checked in a day. */
const BATCH = 50
const AT_ONCE = 5

export type HealthDeps = Omit<ConnectDeps, 'env' | 'log'> & { notify: Notify }

type Due = Omit<SecretHolder, 'attempt_id'> & {
  project_id: string
  platform: PlatformKey
  remote_id: string
  handle: string
  service: string | null
  lateness_minutes: number
  sign_in_ends_at: Date | null
  warned_at: Date | null
  zone: string
}
type Found =
  | {
      kind: 'works'
      endsAt: Date | null
      limits?: ChannelLimits
      pictureUrl?: string | null
      /** Whether the platform itself was asked. */ seen: boolean
    }
  /** `version` is that of the refused secret; with `renewable` it may just be outdated. */
  | { kind: 'dead'; reason: Reason; version: number | null; renewable: boolean }
  | { kind: 'unknown' }

/** Checks the channels whose time has come, in all organizations. Returns how many. */
export async function checkDueChannels(deps: HealthDeps, context: JobContext): Promise<number> {
  const { databases, clock, log } = context
  const due = await asSystem(databases.system, (tx) => takeDue(tx, clock.now()))
  for (let from = 0; from < due.length && !context.signal.aborted; from += AT_ONCE) {
    const looks = due
      .slice(from, from + AT_ONCE)
      .map(async (channel) => await keep(deps, context, channel, await look(deps, context, channel)))
    for (const outcome of await Promise.allSettled(looks))
      if (outcome.status === 'rejected') log.error({ err: outcome.reason }, "checking a channel's sign-in failed")
  }
  return due.length
}

/** Takes them for an hour: if this worker dies, they're checked again then. */
async function takeDue(tx: Tx, now: Date): Promise<Due[]> {
  const again = new Date(now.getTime() + LOOK_AGAIN_MS)
  const { rows } = await sql<Due>`
    with due as (
      select org_id, id from channel
      where status = 'CONNECTED' and platform = any(${[...platformKeys]}::text[]) and deleted_at is null and deleting_at is null and (check_at is null or check_at <= ${now})
      order by check_at nulls first limit ${BATCH} for update skip locked
    ), taken as (
      update channel c set check_at = ${again} from due where c.org_id = due.org_id and c.id = due.id returning c.*
    )
    select t.org_id, t.id as channel_id, t.project_id, t.platform, t.remote_id, t.handle, t.service, t.lateness_minutes, t.sign_in_ends_at, t.warned_at,
      coalesce(t.zone, p.zone) as zone, s.key_id, s.sealed, s.version as secret_version, s.expires_at as secret_expires_at
    from taken t join project p on p.org_id = t.org_id and p.id = t.project_id
    left join channel_secret s on s.org_id = t.org_id and s.channel_id = t.id`.execute(tx)
  return rows.map((row) => ({ ...row, platform: PlatformKey.parse(row.platform) }))
}

async function look(
  deps: HealthDeps,
  { databases, clock, signal }: Pick<JobContext, 'databases' | 'clock' | 'signal'>,
  channel: Due,
): Promise<Found> {
  const platform = deps.platforms(channel.platform)
  if (!platform) return { kind: 'unknown' }
  const account = { remoteId: channel.remote_id, handle: channel.handle, service: channel.service }
  const source = { databases, clock, signal: AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]) }
  const first = await lookWith(deps, source, platform, channel, account, false)
  if (first.kind !== 'dead' || !first.renewable) return first
  // a token may be refused early: it's renewed once
  const again = await asSystem(databases.system, (tx) => reread(tx, channel))
  // a new one by now: nothing is known about that
  return again?.secret_version === first.version
    ? await lookWith(deps, source, platform, again, account, true)
    : { kind: 'unknown' }
}

type Source = { databases: Pick<Databases, 'system'>; clock: JobContext['clock']; signal: AbortSignal }

async function lookWith(
  deps: HealthDeps,
  { databases, clock, signal }: Source,
  platform: Platform,
  channel: Due,
  account: AccountRef,
  renew: boolean,
): Promise<Found> {
  const source = sourceFor(deps, { databases, clock, signal }, 'health')
  const fresh = await freshSecret(source, platform, { ...channel, attempt_id: randomUUIDv7() }, account, renew)
  if (fresh.kind === 'wait') return { kind: 'unknown' }
  if (fresh.kind === 'reconnect')
    return {
      kind: 'dead',
      reason: fresh.reason,
      version: channel.secret_version,
      renewable: false,
    }
  if (!platform.connect.check)
    return { kind: 'works', endsAt: channel.sign_in_ends_at, seen: fresh.version !== channel.secret_version }
  const app = await deps.apps.ofChannel(channel.org_id, channel.channel_id)
  const answer = storable(
    await platform.connect.check(
      { fetch: deps.fetch, signal, ...(app && app !== 'gone' && { app }) },
      fresh.secret,
      account,
    ),
  )
  // it works, and ends with its token: nobody can renew it
  if (answer.kind === 'works')
    return { ...answer, ...(fresh.ending && { endsAt: channel.secret_expires_at }), seen: true }
  const isRefused = answer.kind === 'reconnect' || (answer.kind === 'retry' && answer.first === 'renew')
  return isRefused
    ? { kind: 'dead', reason: answer.reason, version: fresh.version, renewable: true }
    : { kind: 'unknown' }
}

/** The channel's current secret. */
async function reread(tx: Tx, channel: Due): Promise<Due | undefined> {
  const now = await tx
    .selectFrom('channel_secret')
    .select(['key_id', 'sealed', 'version', 'expires_at'])
    .where('org_id', '=', channel.org_id)
    .where('channel_id', '=', channel.channel_id)
    .executeTakeFirst()
  return (
    now && {
      ...channel,
      key_id: now.key_id,
      sealed: now.sealed,
      secret_version: now.version,
      secret_expires_at: now.expires_at,
    }
  )
}

/**
 * Stores the result, in one transaction with its notifications. A channel that was reconnected in the meantime is left
 * alone.
 */
async function keep(deps: HealthDeps, { databases, clock }: JobContext, channel: Due, found: Found): Promise<void> {
  if (found.kind === 'unknown') return
  await asSystem(databases.system, async (tx) => {
    const now = clock.now()
    if (found.kind === 'works') return await keepWorking(tx, deps.notify, channel, found, now)
    const secret = await reread(tx, channel)
    // reconnected or renewed during the check: the result is about an older token
    if ((secret?.secret_version ?? null) === found.version)
      await notifyOfChannel(deps.notify, { ...channel, secret_version: found.version }, found.reason, now)(tx)
  })
}

async function keepWorking(
  tx: Tx,
  notify: Notify,
  channel: Due,
  { endsAt, limits, pictureUrl, seen }: Extract<Found, { kind: 'works' }>,
  now: Date,
): Promise<void> {
  const isNear = endsAt !== null && endsAt.getTime() - now.getTime() <= WARN_AHEAD_MS
  const warns = isNear && channel.warned_at === null
  const warnedAt = warns ? now : isNear ? channel.warned_at : null
  const kept = await tx
    .updateTable('channel')
    .set({
      check_at: new Date(now.getTime() + CHECK_EVERY_MS),
      sign_in_ends_at: endsAt,
      warned_at: warnedAt,
      ...(seen && { checked_at: now }),
      ...(limits && { limits: JSON.stringify(limits) }),
      ...(pictureUrl !== undefined && { picture_url: pictureSource(pictureUrl) }),
    })
    .where('org_id', '=', channel.org_id)
    .where('id', '=', channel.channel_id)
    .where('status', '=', 'CONNECTED')
    .where('deleted_at', 'is', null)
    .returning('id')
    .execute()
  if (kept.length === 0) return
  await renewPicture(tx, { orgId: channel.org_id, channelId: channel.channel_id })
  if (warns) await warn(tx, notify, channel, endsAt, now)
  // the day of the last check is displayed, but nobody waits for it, so open screens needn't reload
  if (warns || (channel.sign_in_ends_at?.getTime() ?? null) !== (endsAt?.getTime() ?? null))
    await emit(
      tx,
      { orgId: channel.org_id, projectId: channel.project_id, kind: 'channel', ref: channel.channel_id },
      now,
    )
}

/** One announcement ahead of the expiry, naming what is at risk. */
async function warn(tx: Tx, notify: Notify, channel: Due, endsAt: Date, now: Date): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from post
    where org_id = ${channel.org_id} and channel_id = ${channel.channel_id} and state in ('SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL') and due_at >= ${endsAt}`.execute(
    tx,
  )
  await notify(
    tx,
    {
      orgId: channel.org_id,
      projectId: channel.project_id,
      dedupeKey: dedupeKeys.signInEnds(channel.channel_id),
      kind: 'channel-sign-in-ends',
      params: {
        handle: channel.handle,
        platform: channel.platform,
        endsAt: endsAt.toISOString(),
        zone: channel.zone,
        posts: rows[0]?.n ?? 0,
      },
      people: 'project-editors',
      channelIds: [channel.channel_id],
    },
    now,
  )
}
