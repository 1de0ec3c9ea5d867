import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { beginDrafts } from './requestDrafts.ts'
import type { Apps } from '../apps/apps.ts'
import type { Tx } from '../db/kysely.ts'
import type { Env } from '../env.ts'
import { fail } from '../errors.ts'
import type { CallerOrg, CallerProject } from '../http/route.ts'
import { emit } from '../live/emit.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { dismissNotifications } from '../notifications/dismiss.ts'
import type { Log } from '../log.ts'
import type { Account, Platform, SignedIn } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { isPretended } from '../platforms/simulated.ts'
import { openLane } from '../delivery/lane.ts'
import { resumeLane } from '../publishing/lane.ts'
import { refusedConnection } from '../delivery/ask.ts'
import { storable } from '../delivery/storable.ts'
import { reaches, type ChannelRow } from '../access/channels.ts'
import { claimOnTrial, closedGate, closedToEnable, mustTakePlatform, planLimit } from './limits.ts'
import { pictureSource, renewPicture } from './pictures.ts'
import { storeSecret, type SecretKeys } from '../delivery/secrets.ts'

/** What connecting needs. */
export type ConnectDeps = {
  env: Env
  fetch: SafeFetch
  platforms: (key: PlatformKey) => Platform | undefined
  apps: Apps
  secrets: SecretKeys
  log: Log
}

/** How long signing in at a platform may take before we suggest trying again. */
export const CONNECT_MS = 30_000
/** How often a channel's sign-in is checked. */
export const CHECK_EVERY_MS = 24 * 3_600_000

/**
 * Signs in at the platform with what the person typed. Outside of any transaction. Throws CHANNEL_REFUSED with the
 * platform's reason, CHANNEL_UNREACHABLE if it didn't respond, ADDRESS_REFUSED if its address isn't allowed.
 */
export async function signIn(platform: Platform, fetch: SafeFetch, fields: Record<string, string>): Promise<SignedIn> {
  if (!platform.connect.withCredentials)
    throw fail('CHANNEL_REFUSED', { detail: "You can't connect this platform with a password." })
  const outcome = await platform.connect.withCredentials({ fetch, signal: AbortSignal.timeout(CONNECT_MS) }, fields)
  if (outcome.kind !== 'connected') throw refusedConnection(storable(outcome))
  // its `kind` is the outcome's, not the account's
  const { kind: _, ...signedIn } = outcome
  // the secret stays as it came: it's encrypted, not shown
  return { ...signedIn, account: presentable(outcome.account) }
}

/** Longer than any platform's names; longer ones are cut. */
const [NAME_MOST, HANDLE_MOST, KIND_MOST, RIGHTS_MOST] = [200, 300, 40, 50]

/**
 * An account as it's stored and shown: names are one line without control characters and direction marks, because they
 * appear in emails and notifications; a picture's URL must be https. The operator of a federated server can send
 * anything.
 */
export function presentable(account: Account): Account {
  const { name, handle, pictureUrl, ...rest } = storable(account)
  return {
    ...rest,
    name: line(name, NAME_MOST) || line(handle, HANDLE_MOST),
    handle: line(handle, HANDLE_MOST),
    pictureUrl: pictureSource(pictureUrl),
  }
}

/** One line without control characters and direction marks. */
const line = (text: string, most: number): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed()

export type StoreChannel = {
  tx: Tx
  now: Date
  personId: string
  /** The result of takeAllowance, so that two simultaneous connections can't both take the last place. */
  org: CallerOrg
  project: Pick<CallerProject, 'projectId' | 'channelIds'>
  platform: PlatformKey
  keys: SecretKeys
  /** Marked on every screen; the caller has checked that the environment allows it. */
  simulated: boolean
  /** The app it signed in with, and the chosen way. */
  clientId?: string | null
  variant?: string | null
  /** An AI endpoint is set up: a new channel's first drafts are written while the wizard continues. */
  ai?: boolean
}

/**
 * Stores a signed-in account as a channel of the project. The account's earlier channel continues with its posts and
 * history: it's enabled, its problem is cleared, and waiting posts continue. Throws PLAN_LIMIT, or CHANNEL_TAKEN if the
 * account's channel is outside of the caller's role.
 */
export async function storeChannel(
  store: StoreChannel,
  { account, secret, expiresAt, endsAt = null, kind, missing = [], limits }: SignedIn,
): Promise<{ channelId: string; reconnected: boolean }> {
  const { tx, now, org, project, platform } = store
  const gate = await closedGate(tx, org, project)
  if (gate === 'plan_expired') throw planLimit(gate)
  const known = await earlierChannel(store, account)
  if (known && known.deleted_at === null && !reaches(project, known.id)) throw fail('CHANNEL_TAKEN')
  if (known && known.deleted_at === null && known.deleting_at !== null) throw fail('CHANNEL_DELETING')
  const reconnected = known !== undefined && known.deleted_at === null
  if (!reconnected && gate) throw planLimit(gate)
  // reconnecting enables it as well
  const closed = reconnected ? await closedToEnable(tx, org, known) : null
  if (closed) throw planLimit(closed)
  await mustTakePlatform(tx, org, platform, known?.id)
  await claimOnTrial(tx, org, { platform, remoteId: account.remoteId })

  const channelId = known?.id ?? randomUUIDv7()
  const facts = {
    handle: account.handle,
    picture_url: account.pictureUrl,
    service: account.service,
    status: 'CONNECTED',
    enabled: true,
    simulated: store.simulated,
    problem: null,
    deleted_at: null,
    checked_at: now,
    check_at: new Date(now.getTime() + CHECK_EVERY_MS),
    sign_in_ends_at: endsAt,
    warned_at: null,
    kind: kind === undefined ? null : line(kind, KIND_MOST),
    variant: store.variant ?? null,
    missing_rights: missing.slice(0, RIGHTS_MOST).map((right) => line(right, NAME_MOST)),
    limits: limits ? JSON.stringify(limits) : null,
  }
  if (known) {
    const again = reconnected
      ? {}
      : { away_since: null, name: account.name, connected_at: now, connected_by: store.personId }
    await tx
      .updateTable('channel')
      .set({ ...facts, ...again })
      .where('org_id', '=', org.orgId)
      .where('id', '=', channelId)
      .execute()
  } else {
    await tx
      .insertInto('channel')
      .values({
        org_id: org.orgId,
        id: channelId,
        project_id: project.projectId,
        platform,
        remote_id: account.remoteId,
        name: account.name,
        zone: null,
        connected_at: now,
        connected_by: store.personId,
        ...facts,
      })
      .execute()
  }
  await storeSecret(tx, store.keys, { orgId: org.orgId, channelId }, secret, expiresAt)
  await renewPicture(tx, { orgId: org.orgId, channelId })
  // posts before lanes, as everywhere: resuming changes both
  if (known) await resumeLane(tx, org.orgId, channelId)
  // this sign-in may allow notifications that the one before didn't
  if (known) await subscribeAgain(tx, { orgId: org.orgId, channelId })
  if (known)
    await dismissNotifications(
      tx,
      { orgId: org.orgId, dedupeKeys: [dedupeKeys.reconnect(channelId), dedupeKeys.signInEnds(channelId)] },
      now,
    )
  await openLane(tx, { orgId: org.orgId, channelId, platform, ...(store.clientId && { credentials: store.clientId }) })
  if (!reaches(project, channelId)) await reachFor(store, channelId)
  if (store.ai && !reconnected)
    await beginDrafts(tx, { orgId: org.orgId, projectId: project.projectId, channelId }, now)
  return { channelId, reconnected }
}

/** With the next reading. The cursors are locked in the order of all who lock several (inbox/lockCursors.ts). */
async function subscribeAgain(tx: Tx, { orgId, channelId }: { orgId: string; channelId: string }): Promise<void> {
  await tx
    .selectFrom('inbox_cursor')
    .select('kind')
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .orderBy('kind')
    .forUpdate()
    .execute()
  await tx
    .updateTable('inbox_cursor')
    .set({ subscribed_at: null })
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .execute()
}

/** The account's channel in this project: the connected one, otherwise the one deleted last. */
async function earlierChannel(
  { tx, org, project, platform }: StoreChannel,
  account: Account,
): Promise<ChannelRow | undefined> {
  return await tx
    .selectFrom('channel')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('platform', '=', platform)
    .where('remote_id', '=', account.remoteId)
    .orderBy('deleted_at', (by) => by.desc().nullsFirst())
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * A role with specific channels wouldn't include what its member just connected: the channel is added to it, and open
 * screens are notified.
 */
async function reachFor(
  { tx, now, org: { orgId }, project: { projectId }, personId }: StoreChannel,
  channelId: string,
): Promise<void> {
  await sql`
    update project_member set channel_ids = array_append(channel_ids, ${channelId}::uuid)
    where org_id = ${orgId} and project_id = ${projectId} and person_id = ${personId} and channel_ids is not null`.execute(
    tx,
  )
  await emit(tx, { orgId, projectId, kind: 'member', ref: personId }, now)
}

/**
 * In development, an account on a simulated platform, or on a server reached through OUTGOING_ALLOW, belongs to no real
 * platform: its channel is marked as simulated. Without the flag there are no simulated channels.
 */
export function isSimulated(env: Env, { hosts }: Pick<Platform, 'hosts'>, service: string | null): boolean {
  if (!env.SIMULATED_CHANNELS) return false
  if (env.SIMULATED_PLATFORMS !== undefined && hosts.length > 0) return true
  if (service === null) return false
  const { host, port, hostname, protocol } = new URL(service)
  if (isPretended(host)) return true
  return env.OUTGOING_ALLOW.includes(port ? host : `${hostname}:${protocol === 'https:' ? 443 : 80}`)
}
