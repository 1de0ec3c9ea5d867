import { randomUUIDv7 } from 'node:crypto'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Apps } from '../apps/apps.ts'
import type { CallerOf } from '../delivery/budgets.ts'
import { freshSecret, sourceFor, type SecretHolder } from '../delivery/refresh.ts'
import type { SecretKeys } from '../delivery/secrets.ts'
import type { JobContext } from '../jobs/job.ts'
import type { AccountRef, Platform, Reach, Secret } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'

/** A server that never responds is given up after so long. */
export const READ_MS = 30_000

export type ChannelDeps = { secrets: SecretKeys; fetch: SafeFetch; apps: Pick<Apps, 'ofChannel'> }

/** A channel as it is read: whose it is, and its sealed sign-in. */
export type ReadChannel = Omit<SecretHolder, 'attempt_id'> & {
  platform: PlatformKey
  remote_id: string
  handle: string
  service: string | null
  credentials: string
}

/** What an adapter needs to read the channel. Undefined for an expired sign-in, which publishing and the daily check report. */
export async function openChannel(
  deps: ChannelDeps,
  { databases, clock, signal }: JobContext,
  platform: Platform,
  channel: ReadChannel,
): Promise<{ reach: Reach; secret: Secret; account: AccountRef; caller: CallerOf } | undefined> {
  const account = { remoteId: channel.remote_id, handle: channel.handle, service: channel.service }
  const reach = { fetch: deps.fetch, signal: AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]) }
  const source = sourceFor(deps, { databases, clock, signal: reach.signal }, 'insights')
  const fresh = await freshSecret(source, platform, { ...channel, attempt_id: randomUUIDv7() }, account)
  if (fresh.kind !== 'fresh') return undefined
  const app = await deps.apps.ofChannel(channel.org_id, channel.channel_id)
  return {
    reach: { ...reach, ...(app && app !== 'gone' && { app }) },
    secret: fresh.secret,
    account,
    caller: { channelId: channel.channel_id, credentials: channel.credentials, service: channel.service },
  }
}
