import { adviceFor, because, sentenceOf, wordsOf } from '#contract/failures/catalog.ts'
import type { Occasion } from '#contract/failures/define.ts'
import { randomUUIDv7 } from 'node:crypto'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { NO_APP, type Apps } from '../apps/apps.ts'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import type { Env } from '../env.ts'
import { fail, type Failure } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import type { AccountRef, BudgetUse, Platform, Reach, Refusal, Secret } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { closeTokens, takeTokens, type CallerOf } from './budgets.ts'
import { storable } from './storable.ts'
import { freshSecret } from './refresh.ts'
import type { SecretKeys } from './secrets.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { seeChannel } from '../access/channels.ts'

/* Requests to a platform that a person waits for, made with the channel's own sign-in, which is renewed when its adapter asks for it. */

export type AskDeps = {
  env: Env
  fetch: SafeFetch
  platforms: (key: PlatformKey) => Platform | undefined
  apps: Apps
  secrets: SecretKeys
  clock: Clock
  databases: Pick<Databases, 'system'>
}
export type Asked = Awaited<ReturnType<typeof channelToAsk>>

/** The channel with its encrypted secret, if the caller's role includes it. Throws NOT_FOUND. */
export async function channelToAsk(c: ProjectContext, channelId: string) {
  const channel = await seeChannel(c, channelId)
  const kept = await c.tx
    .selectFrom('channel_secret')
    .select(['key_id', 'sealed', 'version', 'expires_at'])
    .where('org_id', '=', channel.org_id)
    .where('channel_id', '=', channel.id)
    .executeTakeFirst()
  const lane = await c.tx
    .selectFrom('lane')
    .select('credentials')
    .where('org_id', '=', channel.org_id)
    .where('channel_id', '=', channel.id)
    .executeTakeFirst()
  return { channel, platform: PlatformKey.parse(channel.platform), kept, credentials: lane?.credentials ?? NO_APP }
}

/**
 * Sends a request with a valid secret, which is renewed once if the platform refuses it, because tokens can expire
 * early. The call counts as `use` against the same rate limits as publishing and is refused once those are exhausted.
 * Outside of any transaction. Throws CHANNEL_REFUSED or CHANNEL_UNREACHABLE with a message.
 */
export async function ask<T extends { kind: string }>(
  deps: AskDeps,
  platform: Platform,
  { channel, kept, credentials }: Asked,
  milliseconds: number,
  question: (reach: Reach, secret: Secret, account: AccountRef) => Promise<T | Refusal>,
  use?: BudgetUse,
): Promise<T> {
  const caller = { channelId: channel.id, credentials, service: channel.service }
  if (use) await takeTurn(deps, platform, use, caller)
  const occasion = use === 'addition' ? 'addition' : 'lookup'
  const signal = AbortSignal.timeout(milliseconds)
  const account = { remoteId: channel.remote_id, handle: channel.handle, service: channel.service }
  const app = await deps.apps.ofChannel(channel.org_id, channel.id)
  const reach: Reach = { fetch: deps.fetch, signal, ...(app && app !== 'gone' && { app }) }
  const secretOf = async (force: boolean): Promise<Secret> => {
    const source = {
      pool: deps.databases.system,
      clock: deps.clock,
      keys: deps.secrets,
      apps: deps.apps,
      fetch: deps.fetch,
      signal,
      nodeId: 'request',
    }
    const row = {
      org_id: channel.org_id,
      channel_id: channel.id,
      key_id: kept?.key_id ?? null,
      sealed: kept?.sealed ?? null,
      secret_version: kept?.version ?? null,
      secret_expires_at: kept?.expires_at ?? null,
      attempt_id: randomUUIDv7(),
    }
    const fresh = await freshSecret(source, platform, row, account, force)
    if (fresh.kind === 'fresh') return fresh.secret
    throw refusedConnection({ kind: fresh.kind === 'wait' ? 'retry' : 'reconnect', reason: fresh.reason }, occasion)
  }
  const first = await question(reach, await secretOf(false), account)
  const isStale =
    isRefusal(first) && (first.kind === 'reconnect' || (first.kind === 'retry' && first.first === 'renew'))
  const answer = isStale ? await question(reach, await secretOf(true), account) : first
  if (isRefusal(answer)) {
    if (use && answer.kind === 'retry')
      await asSystem(deps.databases.system, (tx) => closeTokens(tx, platform, use, caller, answer, deps.clock.now()))
    throw refusedConnection(storable(answer), occasion)
  }
  return answer
}

async function takeTurn(deps: AskDeps, platform: Platform, use: BudgetUse, caller: CallerOf): Promise<void> {
  const now = deps.clock.now()
  const turn = await asSystem(deps.databases.system, (tx) => takeTokens(tx, platform, use, caller, now), {
    durable: false,
  })
  if (turn.kind === 'taken') return
  const afterSeconds = Math.ceil((turn.at.getTime() - now.getTime()) / 1000)
  throw refusedConnection({
    kind: 'retry',
    afterSeconds,
    reason: { ...because('budget-used-up', { platform: platformLabel(platform.key) }), platformCode: 'budget' },
  })
}

/** What adapters call an address that the safe fetch refused. */
const ADDRESS_REFUSED = 'address-refused'

/** A platform's refusal as the failure that the person reads. */
export function refusedConnection(refusal: Refusal, occasion: Occasion = 'connect'): Failure {
  const { reason } = refusal
  const { platformCode } = reason
  const isAway = refusal.kind === 'retry' || refusal.kind === 'unknown'
  const code = platformCode === ADDRESS_REFUSED ? 'ADDRESS_REFUSED' : isAway ? 'CHANNEL_UNREACHABLE' : 'CHANNEL_REFUSED'
  return fail(code, {
    detail: wordsOf(reason, occasion),
    meta: {
      reason: sentenceOf(reason),
      advice: adviceFor(reason, occasion),
      ...(platformCode && { platformCode }),
      ...(refusal.kind === 'retry' &&
        refusal.afterSeconds !== undefined && { retryAfterSeconds: refusal.afterSeconds }),
    },
  })
}

const refusals: readonly string[] = ['retry', 'reconnect', 'rejected', 'unknown'] satisfies Refusal['kind'][]
// adapters return other kinds: see platform.ts
const isRefusal = (answer: { kind: string }): answer is Refusal => refusals.includes(answer.kind)

/** The adapter of a platform that supports requests. */
export function askable(deps: Pick<AskDeps, 'platforms'>, key: PlatformKey): Platform {
  const platform = deps.platforms(key)
  if (!platform) throw fail('CHANNEL_REFUSED', { detail: "This platform isn't set up yet." })
  return platform
}
