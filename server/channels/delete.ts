import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { stopBoostsOf, notifyOfUnstopped } from '../boosts/onChannelRemoved.ts'
import type { Tx } from '../db/kysely.ts'
import { asTenant } from '../db/tenant.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { defineJob, type Job, type JobContext } from '../jobs/job.ts'
import { emit } from '../live/emit.ts'
import type { Apps } from '../apps/apps.ts'
import type { Platform } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { channelToDrafts } from '../posts/toDrafts.ts'
import { pauseLane } from '../delivery/lane.ts'
import type { ChannelRow } from './access.ts'
import { dropPicture } from './pictures.ts'
import { loadSecret, type SecretKeys } from '../delivery/secrets.ts'

/*
 * Deleting a channel: accepted in one transaction, carried out by a job. The row says that it is being deleted from the
 * first moment on, so that nothing is sent and nothing new arrives; each part of the job looks again at what is still to
 * be done, so that it can be killed at any line and run twice.
 */

const Deletion = z.object({
  orgId: z.string(),
  channelId: z.string(),
  /** Times that it had to wait for a platform or a send. */ waits: z.int().default(0),
  /** Times that it had to wait for promotions to end. */ stops: z.int().default(0),
})
type Deletion = z.output<typeof Deletion>
const DELETE_CHANNEL = 'channels.delete'

/** The platform is asked this often to end the sign-in; then the channel goes without. */
const TRIES = 3
const WAIT_MS = 20_000
/** Promotions are ended first, which takes two readings a minute apart where an answer was lost. After four minutes people are told of what may go on. */
const STOPS = 12
const REVOKE_MS = 30_000
const FORGOTTEN_MS = 60 * 60_000

/** Accepts the deletion: the lane is paused, the end of promotions asked for, and a job enqueued. Accepting it again changes nothing. For verbs of a tenant. */
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

/**
 * Accepts the deletion of every channel of a project, or of the organization. Returns how many. For verbs of a tenant.
 */
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

/** Asks again for deletions that nobody carried out, across tenants, as the system role: such as after a restore. */
export async function remindOfDeletions(tx: Tx, now: Date): Promise<number> {
  const since = new Date(now.getTime() - FORGOTTEN_MS)
  const left = await tx
    .selectFrom('channel')
    .select(['org_id', 'id'])
    .where('deleting_at', '<', since)
    .where('deleted_at', 'is', null)
    .limit(100)
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
 * Has promotions ended, ends the sign-in at the platform as well as it can be ended, then disconnects the channel. A send that is under way is
 * waited for. What fails is done again by the job's own retries.
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
      // the platform can be asked to stop them only while the sign-in is here
      const isPromoted = await asTenant(databases.background, deletion.orgId, (tx) =>
        stopBoostsOf(tx, deletion, clock.now()),
      )
      if (isPromoted && deletion.stops < STOPS) return await again({ stops: deletion.stops + 1 })
      const later = (await isSending(context, channel)) || (await revoke(deps, context, channel)) === 'later'
      if (later && deletion.waits < TRIES - 1) return await again({ waits: deletion.waits + 1 })
      if (later)
        log.warn({ channelId: channel.id }, 'a channel is deleted although its platform did not end the sign-in')
      await asTenant(databases.background, deletion.orgId, (tx) => carryOut(tx, deletion, clock.now()))
    },
  })
}

/** The channel while it is being deleted, locked on demand; undefined once it is gone. */
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

/** Whether the machine holds the channel's lane at this moment: what it sends goes to its end first. */
async function isSending({ databases, clock }: JobContext, channel: ChannelRow): Promise<boolean> {
  const held = await asTenant(databases.background, channel.org_id, (tx) =>
    tx
      .selectFrom('lane')
      .select('lease_until')
      .where('org_id', '=', channel.org_id)
      .where('channel_id', '=', channel.id)
      .where('lease_id', 'is not', null)
      .where('lease_until', '>', clock.now())
      .executeTakeFirst(),
  )
  return held !== undefined
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
      log.warn({ err: error, channelId: channel.id }, 'the sign-in of a channel that is deleted could not be read')
      return undefined
    },
  )
  if (!platform?.connect.revoke || !kept) return 'done'
  try {
    const app = await deps.apps.ofChannel(channel.org_id, channel.id)
    // without the app that made it, nobody is heard there
    if (app === 'gone') return 'done'
    const reach = {
      fetch: deps.fetch,
      signal: AbortSignal.any([signal, AbortSignal.timeout(REVOKE_MS)]),
      ...(app && { app }),
    }
    const answer = await platform.connect.revoke(reach, kept.secret, {
      remoteId: channel.remote_id,
      handle: channel.handle,
      service: channel.service,
    })
    // a sign-in that is dead needs no end, and what the platform refuses to end it will refuse again
    return answer.kind === 'retry' || answer.kind === 'unknown' ? 'later' : 'done'
  } catch (error) {
    log.error({ err: error, channelId: channel.id }, 'ending the sign-in of a channel broke')
    return 'later'
  }
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
 * Disconnects a channel: its token and picture are wiped, what was scheduled becomes drafts, what was published stays;
 * what was taken and not yet read back is published with a warning. The same account can be connected again and finds
 * its history. Returns the posts that became drafts.
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
