import { randomUUIDv7 } from 'node:crypto'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import { fail } from '../errors.ts'
import type { InTenant } from '../http/route.ts'
import type { AccountRef, Platform, Reach, Refusal, Secret } from '../platforms/platform.ts'
import { plain } from '../publishing/plain.ts'
import { freshSecret } from '../publishing/refresh.ts'
import { seeChannel } from './access.ts'
import { refusedConnection, type ConnectParts } from './connect.ts'

/* Asking a platform something in a person's name, with the channel's own sign-in, renewed when its adapter says so. */

export type AskParts = Pick<ConnectParts, 'fetch' | 'platforms' | 'apps' | 'secrets'> & { clock: Clock; databases: Pick<Databases, 'system'> }
export type Asked = Awaited<ReturnType<typeof channelToAsk>>

/** The channel with its sealed secret, as far as the caller's role reaches it. Throws NOT_FOUND. */
export async function channelToAsk(c: InTenant, channelId: string) {
  const channel = await seeChannel(c, channelId)
  const kept = await c.tx.selectFrom('channel_secret').select(['key_id', 'sealed', 'version', 'expires_at']).where('org_id', '=', channel.org_id).where('channel_id', '=', channel.id).executeTakeFirst()
  return { channel, platform: PlatformKey.parse(channel.platform), kept }
}

/**
 * Asks with a fresh secret. A token may be dead before its time: a refusal is believed after it was renewed once, at
 * which nothing was done there. Outside of any transaction. Throws CHANNEL_REFUSED or CHANNEL_UNREACHABLE in words.
 */
export async function ask<T extends { kind: string }>(parts: AskParts, platform: Platform, { channel, kept }: Asked, milliseconds: number, question: (reach: Reach, secret: Secret, account: AccountRef) => Promise<T | Refusal>): Promise<T> {
  const signal = AbortSignal.timeout(milliseconds)
  const account = { remoteId: channel.remote_id, handle: channel.handle, service: channel.service }
  const app = await parts.apps.ofChannel(channel.org_id, channel.id)
  const reach: Reach = { fetch: parts.fetch, signal, ...(app && app !== 'gone' && { app }) }
  const secretOf = async (force: boolean): Promise<Secret> => {
    const source = { pool: parts.databases.system, clock: parts.clock, keys: parts.secrets, apps: parts.apps, fetch: parts.fetch, signal, nodeId: 'request' }
    const row = { org_id: channel.org_id, channel_id: channel.id, key_id: kept?.key_id ?? null, sealed: kept?.sealed ?? null, secret_version: kept?.version ?? null, secret_expires_at: kept?.expires_at ?? null, attempt_id: randomUUIDv7() }
    const fresh = await freshSecret(source, platform, row, account, force)
    if (fresh.kind === 'fresh') return fresh.secret
    throw refusedConnection({ kind: fresh.kind === 'wait' ? 'retry' : 'reconnect', reason: fresh.reason })
  }
  const first = await question(reach, await secretOf(false), account)
  const isStale = isRefusal(first) && (first.kind === 'reconnect' || (first.kind === 'retry' && first.first === 'renew'))
  const answer = isStale ? await question(reach, await secretOf(true), account) : first
  if (isRefusal(answer)) throw refusedConnection(plain(answer))
  return answer
}

const refusals: readonly string[] = ['retry', 'reconnect', 'rejected', 'unknown'] satisfies Refusal['kind'][]
// the answers of adapters carry other kinds: see platform.ts
const isRefusal = (answer: { kind: string }): answer is Refusal => refusals.includes(answer.kind)

/** The adapter of a platform that can be asked. */
export function askable(parts: Pick<AskParts, 'platforms'>, key: PlatformKey): Platform {
  const platform = parts.platforms(key)
  if (!platform) throw fail('CHANNEL_REFUSED', { detail: 'This platform is not set up here.' })
  return platform
}
