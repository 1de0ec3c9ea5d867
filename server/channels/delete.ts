import { because } from '#contract/failures/catalog.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { stopBoostsOf, notifyOfUnstopped } from '../boosts/onChannelRemoved.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { asTenant } from '../db/tenant.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { defineJob, type Job, type JobContext } from '../jobs/job.ts'
import { emit } from '../live/emit.ts'
import type { Apps } from '../apps/apps.ts'
import type { Platform } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { channelToDrafts } from '../posts/toDrafts.ts'
import { pauseLane } from '../delivery/lane.ts'
import type { ChannelRow } from '../access/channels.ts'
import { dropPicture } from './pictures.ts'
import { loadSecret, type SecretKeys } from '../delivery/secrets.ts'

/*
 * Deleting a channel: accepted in one transaction, carried out by a job. Its row says that it's being deleted from the
 * start, so that nothing is published and nothing new arrives. Each part of the job checks what is still left to do, so
 * that it can be killed at any point and run twice.
 */

const Deletion = z.object({
  orgId: z.string(),
  channelId: z.string(),
  /** How often it had to wait for a platform or a send. */ waits: z.int().default(0),
  /** How often it had to wait for promotions to end. */ stops: z.int().default(0),
})
type Deletion = z.output<typeof Deletion>
const DELETE_CHANNEL = 'channels.delete'

/** How often the platform is asked to revoke the sign-in; then the channel is deleted anyway. */
const TRIES = 3
const WAIT_MS = 20_000
/**
 * Promotions end first, which takes two reads a minute apart if a response was lost. After four minutes, people are
 * notified about what may continue.
 */
const STOPS = 12
const REVOKE_MS = 30_000
const FORGOTTEN_MS = 60 * 60_000

/**
 * Accepts the deletion: pauses the lane, requests the end of promotions, and enqueues a job. Repeating it changes
 * nothing. For verbs of a tenant.
 */
export async function acceptDeletion(tx: Tx, channel: ChannelRow, personId: string, now: Date): Promise<void> {
  const { org_id: orgId, id: channelId } = channel
  await tx
    .updateTable('channel')
    .set({ deleting_at: channel.deleting_at ?? now, deleting_by: channel.deleting_by ?? personId })
    .where('org_id', '=', orgId)
    .where('id', '=', channelId)
    .execute()
  await pauseLane(tx, orgId, channelId)
  await stopBoostsOf(tx, { orgId, channelId }, now)
  await askFor(tx, { orgId, channelId })
}

/** Accepts the deletion of every channel of a project or the organization. Returns how many. For verbs of a tenant. */
export async function deleteChannelsOf(
  tx: Tx,
  { orgId, projectId }: { orgId: string; projectId?: string },
  personId: string,
  now: Date,
): Promise<number> {
  let query = tx
    .selectFrom('channel')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
  if (projectId !== undefined) query = query.where('project_id', '=', projectId)
  const channels = await query.execute()
  for (const channel of channels) await acceptDeletion(tx, channel, personId, now)
  return channels.length
}

/**
 * Restarts all deletions that nobody carried out, across tenants, as the system role: such as after a restore. Of a fixed
 * number, those that never succeed could take every place.
 */
export async function remindOfDeletions(tx: Tx, now: Date): Promise<number> {
  const since = new Date(now.getTime() - FORGOTTEN_MS)
  const left = await tx
    .selectFrom('channel')
    .select(['org_id', 'id'])
    .where('deleting_at', '<', since)
    .where('deleted_at', 'is', null)
    .execute()
  for (const { org_id: orgId, id: channelId } of left) await askFor(tx, { orgId, channelId })
  return left.length
}

const askFor = (tx: Tx, deletion: z.input<typeof Deletion>, runAt?: Date) =>
  enqueue(tx, { name: DELETE_CHANNEL }, deletion, { key: deletion.channelId, ...(runAt && { runAt }) })

export type DeletionDeps = {
  platforms: (key: PlatformKey) => Platform | undefined
  apps: Apps
  fetch: SafeFetch
  secrets: SecretKeys
}

/**
 * Ends promotions, revokes the sign-in at the platform if possible, then disconnects the channel. Waits for a send in
 * progress. The job's own retries repeat what fails.
 */
export function deleteChannelJob(deps: DeletionDeps): Job<Deletion> {
  return defineJob({
    name: DELETE_CHANNEL,
    payload: Deletion,
    run: async (context, deletion) => {
      const { databases, clock, log } = context
      const channel = await asTenant(databases.background, deletion.orgId, (tx) => findDeleting(tx, deletion))
      if (!channel) return
      const again = (change: Partial<Deletion>) =>
        asTenant(databases.background, deletion.orgId, (tx) =>
          askFor(tx, { ...deletion, ...change }, new Date(clock.now().getTime() + WAIT_MS)),
        )
      // the platform can only be asked to stop them while the sign-in exists
      const isPromoted = await asTenant(databases.background, deletion.orgId, (tx) =>
        stopBoostsOf(tx, deletion, clock.now()),
      )
      if (isPromoted && deletion.stops < STOPS) return await again({ stops: deletion.stops + 1 })
      const later = (await isSending(context, channel)) || (await revoke(deps, context, channel)) === 'later'
      if (later && deletion.waits < TRIES - 1) return await again({ waits: deletion.waits + 1 })
      if (later)
        log.warn({ channelId: channel.id }, "a channel was deleted although its platform didn't revoke the sign-in")
      await asTenant(databases.background, deletion.orgId, (tx) => carryOut(tx, deletion, clock.now()))
    },
  })
}

/** The channel while it's being deleted, locked on request; undefined once it's gone. */
function findDeleting(tx: Tx, { orgId, channelId }: Deletion, lock = false): Promise<ChannelRow | undefined> {
  const query = tx
    .selectFrom('channel')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', channelId)
    .where('deleting_at', 'is not', null)
    .where('deleted_at', 'is', null)
  return (lock ? query.forUpdate() : query).executeTakeFirst()
}

/** Whether something of the channel is being sent right now: that send finishes first. */
async function isSending({ databases, clock }: JobContext, channel: ChannelRow): Promise<boolean> {
  const sending = await asTenant(databases.background, channel.org_id, (tx) =>
    tx
      .selectFrom('delivery')
      .select('lease_until')
      .where('org_id', '=', channel.org_id)
      .where('channel_id', '=', channel.id)
      .where('lease_id', 'is not', null)
      .where('lease_until', '>', clock.now())
      .executeTakeFirst(),
  )
  return sending !== undefined
}

async function revoke(
  deps: DeletionDeps,
  { databases, log, signal }: JobContext,
  channel: ChannelRow,
): Promise<'done' | 'later'> {
  const platform = deps.platforms(PlatformKey.parse(channel.platform))
  const row = { orgId: channel.org_id, channelId: channel.id }
  const kept = await asTenant(databases.background, channel.org_id, (tx) => loadSecret(tx, deps.secrets, row)).catch(
    (error: unknown) => {
      log.warn({ err: error, channelId: channel.id }, "the sign-in of a channel being deleted couldn't be read")
      return undefined
    },
  )
  const ending = platform?.push?.unsubscribe ?? platform?.webPush?.unsubscribe
  const unsubscribe = ending && (await isLastOfAccount(databases, channel)) ? ending : undefined
  const revoking = platform?.connect.revoke
  if (!kept || (!revoking && !unsubscribe)) return 'done'
  try {
    const app = await deps.apps.ofChannel(channel.org_id, channel.id)
    // without the app that created it, it can't be revoked
    if (app === 'gone') return 'done'
    const reach = {
      fetch: deps.fetch,
      signal: AbortSignal.any([signal, AbortSignal.timeout(REVOKE_MS)]),
      ...(app && { app }),
    }
    const account = { remoteId: channel.remote_id, handle: channel.handle, service: channel.service }
    for (const end of [unsubscribe, revoking]) {
      const answer = await end?.(reach, kept.secret, account)
      // an expired sign-in doesn't need to be revoked, and a platform that refuses will refuse again
      if (answer?.kind === 'retry' || answer?.kind === 'unknown') return 'later'
    }
    return 'done'
  } catch (error) {
    log.error({ err: error, channelId: channel.id }, "revoking a channel's sign-in failed")
    return 'later'
  }
}

/** Whether no other channel, of any organization, is this account by the same app: a subscription is for all of them. */
async function isLastOfAccount({ system }: JobContext['databases'], channel: ChannelRow): Promise<boolean> {
  const { rows } = await asSystem(system, (tx) =>
    sql`
      select from channel c join lane l on l.org_id = c.org_id and l.channel_id = c.id
      where c.platform = ${channel.platform} and c.remote_id = ${channel.remote_id} and c.id <> ${channel.id} and c.deleted_at is null
        and l.credentials = (select credentials from lane where org_id = ${channel.org_id} and channel_id = ${channel.id}) limit 1`.execute(
      tx,
    ),
  )
  return rows.length === 0
}

async function carryOut(tx: Tx, deletion: Deletion, now: Date): Promise<void> {
  const channel = await findDeleting(tx, deletion, true)
  if (!channel) return
  await notifyOfUnstopped(tx, { ...deletion, platform: PlatformKey.parse(channel.platform) }, now)
  const drafted = await disconnect(tx, channel, channel.deleting_by ?? channel.connected_by, now)
  const events = [
    { kind: 'channel' as const, ref: channel.id },
    ...drafted.map((ref) => ({ kind: 'post' as const, ref })),
  ]
  for (const event of events) await emit(tx, { orgId: channel.org_id, projectId: channel.project_id, ...event }, now)
}

/**
 * Disconnects a channel: deletes its token and picture, turns scheduled posts into drafts, and keeps published ones; a
 * post that was accepted and not read back yet counts as published with a warning. The same account can be reconnected
 * and finds its history. Returns the posts that became drafts.
 */
export async function disconnect(tx: Tx, channel: ChannelRow, personId: string, now: Date): Promise<string[]> {
  const { org_id: orgId, id: channelId, project_id: projectId } = channel
  const drafted = await channelToDrafts(
    tx,
    {
      orgId,
      projectId,
      channelId,
      platform: PlatformKey.parse(channel.platform),
      personId,
      reason: because('channel-disconnected', { handle: channel.handle }),
    },
    now,
  )
  await tx
    .updateTable('channel')
    .set({ deleted_at: now, deleting_at: null, deleting_by: null, status: 'DISCONNECTED', enabled: false })
    .where('org_id', '=', orgId)
    .where('id', '=', channelId)
    .execute()
  await dropPicture(tx, { orgId, channelId })
  await tx.deleteFrom('channel_secret').where('org_id', '=', orgId).where('channel_id', '=', channelId).execute()
  await pauseLane(tx, orgId, channelId)
  return drafted
}
