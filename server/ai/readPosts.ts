import { randomUUIDv7 } from 'node:crypto'
import type { Apps } from '../apps/apps.ts'
import type { SecretKeys } from '../delivery/secrets.ts'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import type { Platform, RecentPost, Refusal } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { freshSecret } from '../delivery/refresh.ts'

/** As many as are useful. */
const MOST = 50
const PATIENCE = 60_000

export type ReadDeps = {
  databases: Databases
  clock: Clock
  secrets: SecretKeys
  apps?: Pick<Apps, 'ofChannel'>
  fetch: SafeFetch
}
/** A channel with its encrypted token, as the run read it. */
export type ReadChannel = {
  orgId: string
  channelId: string
  remoteId: string
  handle: string
  service: string | null
  keyId: string
  sealed: Buffer
  expiresAt: Date | null
  version: number
}

/**
 * The account's recent posts through its adapter, renewing the token if needed. Outside of any transaction. A platform
 * that shows nothing has no posts.
 */
export async function readPosts(
  deps: ReadDeps,
  platform: Platform,
  channel: ReadChannel,
  stop: AbortSignal,
): Promise<{ kind: 'posts'; posts: RecentPost[] } | Refusal> {
  if (!platform.read) return { kind: 'posts', posts: [] }
  const account = { remoteId: channel.remoteId, handle: channel.handle, service: channel.service }
  const signal = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE)])
  const token = (force: boolean) => {
    const source = {
      pool: deps.databases.system,
      clock: deps.clock,
      keys: deps.secrets,
      fetch: deps.fetch,
      signal,
      nodeId: 'ai',
      ...(deps.apps && { apps: deps.apps }),
    }
    const row = {
      org_id: channel.orgId,
      channel_id: channel.channelId,
      key_id: channel.keyId,
      sealed: channel.sealed,
      secret_version: channel.version,
      secret_expires_at: channel.expiresAt,
      attempt_id: randomUUIDv7(),
    }
    return freshSecret(source, platform, row, account, force)
  }
  let fresh = await token(false)
  for (let renewed = false; ; renewed = true) {
    if (fresh.kind !== 'fresh') return { kind: fresh.kind === 'wait' ? 'retry' : 'reconnect', reason: fresh.reason }
    const read = await platform.read.recentPosts({ fetch: deps.fetch, signal }, fresh.secret, account, MOST)
    // a token may expire early: it's renewed once
    const isStale = read.kind === 'reconnect' || (read.kind === 'retry' && read.first === 'renew')
    if (!isStale || renewed) return read
    fresh = await token(true)
  }
}
