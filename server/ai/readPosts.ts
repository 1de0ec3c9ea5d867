import { randomUUIDv7 } from 'node:crypto'
import type { Apps } from '../apps/apps.ts'
import type { SecretKeys } from '../delivery/secrets.ts'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import { because } from '#contract/failures/catalog.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { AccountRef, Platform, Reach, Refusal, Secret } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { freshSecret } from '../delivery/refresh.ts'

/** As many as are useful. */
const MOST = 50
/** How far to look for them in an account that publishes pictures without words. */
const PAGES = 4
const PATIENCE = 60_000

/** A post to learn from. */
export type RecentPost = { text: string; createdAt: Date }

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
    const read = await latestWithText(platform, { fetch: deps.fetch, signal }, fresh.secret, account)
    // a token may expire early: it's renewed once
    const isStale = read.kind === 'reconnect' || (read.kind === 'retry' && read.first === 'renew')
    if (!isStale || renewed) return read
    fresh = await token(true)
  }
}

/** The latest own posts with text, newest first. */
async function latestWithText(
  { key, ownPosts }: Platform,
  reach: Reach,
  secret: Secret,
  account: AccountRef,
): Promise<{ kind: 'posts'; posts: RecentPost[] } | Refusal> {
  const posts: RecentPost[] = []
  if (!ownPosts) return { kind: 'posts', posts }
  let cursor: string | null = null
  for (let pages = 0; pages < PAGES && posts.length < MOST; pages++) {
    const page: Awaited<ReturnType<typeof ownPosts.list>> = await ownPosts.list(reach, secret, account, {
      cursor,
      atMost: MOST,
    })
    if (page.kind === 'rights')
      return { kind: 'reconnect', reason: because('permission-missing', { platform: platformRules[key].label }) }
    if (page.kind !== 'posts') return page
    for (const { text, publishedAt } of page.posts) if (text !== '') posts.push({ text, createdAt: publishedAt })
    cursor = page.next
    if (cursor === null) break
  }
  return { kind: 'posts', posts: posts.slice(0, MOST) }
}
