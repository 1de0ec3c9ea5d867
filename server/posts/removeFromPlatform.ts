import { randomUUIDv7 } from 'node:crypto'
import { fail } from '../errors.ts'
import type { DetachedContext } from '../http/route.ts'
import type { Apps } from '../apps/apps.ts'
import { refusedConnection } from '../channels/connect.ts'
import type { SecretKeys } from '../delivery/secrets.ts'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import type { Env } from '../env.ts'
import type { AccountRef, Platform, Reach, Refusal, Secret } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { freshSecret } from '../delivery/refresh.ts'
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
  const remove = platform?.publish.remove
  const remoteId = post.remote_id
  if (!platform || !remove || remoteId === null)
    throw fail('CHANNEL_REFUSED', { detail: 'This platform does not let posts be deleted from here. Delete it there.' })
  const answer = await withToken(deps, platform, channel, REMOVAL_MS, (reach, secret, account) =>
    remove(reach, secret, account, remoteId),
  )
  if (answer.kind !== 'removed') throw refusedConnection(answer, 'remove')
}

/** Asks the platform with the channel's token. One may be dead before its time: it is renewed once, then believed. */
export async function withToken<A extends { kind: string }>(
  deps: RemovalDeps,
  platform: Platform,
  channel: Channel,
  timeoutMs: number,
  ask: (reach: Reach, secret: Secret, account: AccountRef) => Promise<A | Refusal>,
): Promise<A | Refusal> {
  const account = { remoteId: channel.remote_id, handle: channel.handle, service: channel.service }
  const app = await deps.apps.ofChannel(channel.org_id, channel.id)
  const reach = { fetch: deps.fetch, signal: AbortSignal.timeout(timeoutMs), ...(app && app !== 'gone' && { app }) }
  const once = async (renew: boolean) =>
    await ask(reach, await tokenOf(deps, platform, channel, account, renew), account)
  const first = await once(false)
  const isDead = first.kind === 'reconnect' || (first.kind === 'retry' && 'first' in first && first.first === 'renew')
  return isDead ? await once(true) : first
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
async function tokenOf(deps: RemovalDeps, platform: Platform, channel: Channel, account: AccountRef, force: boolean) {
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
