import { randomUUIDv7 } from 'node:crypto'
import { fail } from '../errors.ts'
import type { DetachedContext } from '../http/route.ts'
import type { Apps } from '../apps/apps.ts'
import { refusedConnection } from '../channels/connect.ts'
import type { SecretKeys } from '../channels/secrets.ts'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import type { Env } from '../env.ts'
import type { AccountRef, Platform } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { freshSecret } from '../publishing/refresh.ts'
import type { PostRecord } from './access.ts'
import { platformOf } from './checks.ts'
import type { PostDeps } from './schedule.ts'

export type RemovalDeps = PostDeps & {
  env: Env
  clock: Clock
  databases: Databases
  secrets: SecretKeys
  apps: Apps
  fetch: SafeFetch
}

const REMOVAL_MS = 30_000
type Channel = Awaited<ReturnType<typeof channelOf>>

/**
 * Deletes a published post on its platform; deleting it twice is the platform's to accept. Outside of any transaction.
 * Throws CHANNEL_REFUSED or CHANNEL_UNREACHABLE with the platform's reason: the post is then still there.
 */
export async function removeFromPlatform(c: DetachedContext, deps: RemovalDeps, post: PostRecord): Promise<void> {
  const channel = await channelOf(c, post, 'be deleted')
  const platform = deps.platforms(platformOf(channel))
  if (!platform?.publish.remove || post.remote_id === null)
    throw fail('CHANNEL_REFUSED', { detail: 'This platform does not let posts be deleted from here. Delete it there.' })
  const account = { remoteId: channel.remote_id, handle: channel.handle, service: channel.service }
  const reach = { fetch: deps.fetch, signal: AbortSignal.timeout(REMOVAL_MS) }
  const first = await platform.publish.remove(
    reach,
    await tokenOf(deps, platform, channel, account, false),
    account,
    post.remote_id,
  )
  if (first.kind === 'removed') return
  if (first.kind !== 'reconnect' && !(first.kind === 'retry' && first.first === 'renew'))
    throw refusedConnection(first, 'remove')
  // a token may be dead before its time: renewed once, then believed
  const second = await platform.publish.remove(
    reach,
    await tokenOf(deps, platform, channel, account, true),
    account,
    post.remote_id,
  )
  if (second.kind !== 'removed') throw refusedConnection(second, 'remove')
}

/** The channel of a live post with its sealed secret; CHANNEL_REFUSED, saying what it can no longer be, when it was disconnected. */
export async function channelOf(
  c: Pick<DetachedContext, 'inTenant'>,
  post: PostRecord,
  done: 'be deleted' | 'be changed',
) {
  const channel = await c.inTenant(({ tx, org }) =>
    tx
      .selectFrom('channel')
      .innerJoin('channel_secret', (join) =>
        join
          .onRef('channel_secret.org_id', '=', 'channel.org_id')
          .onRef('channel_secret.channel_id', '=', 'channel.id'),
      )
      .select([
        'channel.org_id',
        'channel.id',
        'platform',
        'remote_id',
        'handle',
        'service',
        'key_id',
        'sealed',
        'expires_at',
        'version',
      ])
      .where('channel.org_id', '=', org.orgId)
      .where('channel.id', '=', post.channel_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  )
  if (!channel)
    throw fail('CHANNEL_REFUSED', {
      detail: `The channel of this post was disconnected, so it can only ${done} on the platform itself.`,
    })
  return channel
}

/** The channel's token, renewed under the machine's own lease when its adapter asks for it. */
export async function tokenOf(
  deps: RemovalDeps,
  platform: Platform,
  channel: Channel,
  account: AccountRef,
  force: boolean,
) {
  const source = {
    pool: deps.databases.system,
    clock: deps.clock,
    keys: deps.secrets,
    fetch: deps.fetch,
    signal: AbortSignal.timeout(REMOVAL_MS),
    nodeId: 'request',
    apps: deps.apps,
  }
  const row = {
    org_id: channel.org_id,
    channel_id: channel.id,
    key_id: channel.key_id,
    sealed: channel.sealed,
    secret_version: channel.version,
    secret_expires_at: channel.expires_at,
    attempt_id: randomUUIDv7(),
  }
  const fresh = await freshSecret(source, platform, row, account, force)
  if (fresh.kind === 'fresh') return fresh.secret
  throw refusedConnection({ kind: fresh.kind === 'reconnect' ? 'reconnect' : 'retry', reason: fresh.reason }, 'remove')
}
