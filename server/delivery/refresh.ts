import { because, type Reason } from '#contract/failures/catalog.ts'
import type pg from 'pg'
import type { Apps } from '../apps/apps.ts'
import { openSecret, sealSecret, type SecretKeys } from './secrets.ts'
import type { Clock } from '../clock.ts'
import { statementName } from '../db/statements.ts'
import type { AccountRef, Platform, Reach, Refusal, Secret } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import type { Going } from './claim.ts'
import { leaseFor } from './guard.ts'
import { storable } from './storable.ts'
import { guardedFetch } from './guardedFetch.ts'

/*
 * Renews a channel's token. A rotating token is spent by the call, so exactly one caller may make it: it leases the
 * row and counts the start (the journal) in one commit before the call, and stores the new token in another before
 * anyone uses it. A start without an end means that a token may have been spent and its successor lost. The old one
 * is then tried once more, because most platforms accept it for a while; a refusal means that a person has to
 * reconnect.
 *
 * Tokens are renewed minutes or days before they expire. A failure then blocks nothing: the old token is used while
 * it's valid, and the renewal is retried after a pause, or at once if the platform rejects the token.
 */

const LEASE = 90_000
/** After this many necessary renewals that started and never ended, a person has to sign in. */
const INTERRUPTED = 3
/** A token that is valid for longer than this is used even if it couldn't be renewed. */
const GOOD_FOR = 5 * 60_000
/** The pause between two attempts to renew a token that is still valid: each may take a minute, for which a post would wait. */
const REST = 10 * 60_000

export type Fresh =
  /** `ending`: the platform refused to renew it, and it works until it expires. */
  | { kind: 'fresh'; secret: Secret; version: number; ending?: Reason }
  /** Another worker is renewing it, or the platform is unavailable, as described by `away`. */
  | { kind: 'wait'; milliseconds: number; reason: Reason; away?: Extract<Refusal, { kind: 'retry' }> }
  /** `secret` is the old one, with which some platforms still let us read. */
  | { kind: 'reconnect'; reason: Reason; secret?: Secret }

/** Whose secret it is, as the claim (or a direct request to the platform) read it; `attempt_id` names the holder of the lease. */
export type SecretHolder = Pick<
  Going,
  'org_id' | 'channel_id' | 'key_id' | 'sealed' | 'secret_version' | 'secret_expires_at' | 'attempt_id'
>

export type SecretSource = {
  pool: pg.Pool
  clock: Clock
  keys: SecretKeys
  fetch: SafeFetch
  signal: AbortSignal
  nodeId: string
  /** Which app a sign-in is renewed with; absent where no platform at hand needs one. */ apps?: Pick<Apps, 'ofChannel'>
}

/** Renewals in a job or another part of the work: with what the product is given, where and until when it runs, and its name. */
export const sourceFor = (
  { secrets: keys, fetch, apps }: { secrets: SecretKeys; fetch: SafeFetch; apps: Pick<Apps, 'ofChannel'> },
  { databases, clock, signal }: { databases: { system: pg.Pool }; clock: Clock; signal: AbortSignal },
  nodeId: string,
): SecretSource => ({ pool: databases.system, clock, keys, fetch, apps, signal, nodeId })

const signInAgain = (reason: Reason): { kind: 'reconnect'; reason: Reason } => ({ kind: 'reconnect', reason })
const soon: Fresh = { kind: 'wait', milliseconds: 1000, reason: because('renewal-in-progress') }

/**
 * The channel's secret, renewed first if its adapter asks for it, or with `force` because the platform rejected it.
 * Without `force`, one that is valid for a while is returned even if it couldn't be renewed.
 */
export async function freshSecret(
  source: SecretSource,
  platform: Platform,
  claimed: SecretHolder,
  account: AccountRef,
  force = false,
): Promise<Fresh> {
  if (claimed.key_id === null || claimed.sealed === null || claimed.secret_version === null)
    return signInAgain(because('sign-in-missing'))
  const secret = opened(source, claimed, claimed.key_id, claimed.sealed)
  if (!secret) return signInAgain(because('sign-in-key-lost'))
  if (!force && !platform.connect.needsRefresh(secret, claimed.secret_expires_at, source.clock.now()))
    return { kind: 'fresh', secret, version: claimed.secret_version }
  const isGood = !force && (claimed.secret_expires_at?.getTime() ?? 0) - source.clock.now().getTime() > GOOD_FOR
  const renewed = await renew(source, platform, claimed, account, { secret, version: claimed.secret_version, isGood })
  if (renewed.kind === 'fresh') return renewed
  if (isGood)
    return {
      kind: 'fresh',
      secret,
      version: claimed.secret_version,
      ...(renewed.kind === 'reconnect' && { ending: renewed.reason }),
    }
  return renewed.kind === 'reconnect' ? { ...renewed, secret } : renewed
}

/** Waiting wouldn't help: without its key the token is lost, and a person signs in again. */
function opened(source: SecretSource, claimed: SecretHolder, keyId: string, sealed: Buffer): Secret | undefined {
  try {
    return openSecret(source.keys, rowOf(claimed), { keyId, sealed })
  } catch {
    return undefined
  }
}

async function renew(
  source: SecretSource,
  platform: Platform,
  claimed: SecretHolder,
  account: AccountRef,
  { secret, version, isGood }: { secret: Secret; version: number; isGood: boolean },
): Promise<Fresh> {
  const { clock } = source
  // before the journal: nothing is started that can't be finished
  const app = await source.apps?.ofChannel(claimed.org_id, claimed.channel_id)
  if (app === 'gone') return signInAgain(because('app-not-set-up'))
  const lease = leaseFor(clock, LEASE)
  const tries = await begin(source, claimed, version, isGood)
  if (tries === undefined) return soon
  if (tries > INTERRUPTED && !isGood) {
    await release(source, claimed, version, { hasEnd: false, rests: false })
    return signInAgain(because('renewal-interrupted'))
  }
  const { fetch, signal } = source
  const guarded = guardedFetch({ fetch, signal, clock, lease, alive: () => lease, guarded: true })
  const reach: Reach = { ...guarded, ...(app && { app }) }
  const answer = plainRefusal(await platform.connect.refresh(reach, secret, account))
  if (answer.kind === 'refreshed') {
    // durable before it is used: a crash from here on finds the new token
    if (await store(source, claimed, version, answer.secret, answer.expiresAt))
      return { kind: 'fresh', secret: answer.secret, version: version + 1 }
    return soon
  }
  // whatever the platform answered, the call ended: only a lost answer may have spent the token
  await release(source, claimed, version, { hasEnd: answer.kind !== 'unknown', rests: isGood })
  if (answer.kind === 'retry')
    return { kind: 'wait', milliseconds: (answer.afterSeconds ?? 5) * 1000, reason: answer.reason, away: answer }
  if (answer.kind === 'unknown')
    return { kind: 'wait', milliseconds: 5000, reason: answer.reason, away: { kind: 'retry', reason: answer.reason } }
  return { kind: 'reconnect', reason: answer.reason }
}

/** The secret is stored unchanged; the other fields are for screens and columns. */
function plainRefusal<T extends { kind: string }>(answer: T): T {
  return answer.kind === 'refreshed' ? answer : storable(answer)
}

const BEGIN = `
  update channel_secret set refresh_lease_until = $4::timestamptz + interval '${LEASE} milliseconds', refresh_lease_by = $5, refresh_started_at = $4,
    -- ahead of time it is tried for days and each is followed by a rest: only those that are needed count
    refresh_tries = refresh_tries + 1 - $6::boolean::int
  where org_id = $1 and channel_id = $2 and version = $3
    -- a lease that nobody holds is a rest, which a token that is needed now does not keep
    and (refresh_lease_until is null or refresh_lease_until <= $4 or (refresh_lease_by is null and not $6::boolean))
  returning refresh_tries as tries`
const STORE = `
  update channel_secret set key_id = $5, sealed = $6, expires_at = $7, version = version + 1,
    refresh_lease_until = null, refresh_lease_by = null, refresh_started_at = null, refresh_tries = 0
  where org_id = $1 and channel_id = $2 and version = $3 and refresh_lease_by = $4`
const RELEASE = `
  update channel_secret set refresh_lease_until = $6::timestamptz, refresh_lease_by = null,
    refresh_started_at = case when $5 then null else refresh_started_at end, refresh_tries = refresh_tries - $7::int
  where org_id = $1 and channel_id = $2 and version = $3 and refresh_lease_by = $4`

async function begin(
  source: SecretSource,
  claimed: SecretHolder,
  version: number,
  isGood: boolean,
): Promise<number | undefined> {
  const { rows } = await source.pool.query<{ tries: number }>({
    name: statementName(BEGIN),
    text: BEGIN,
    values: [claimed.org_id, claimed.channel_id, version, source.clock.now(), holder(source, claimed), isGood],
  })
  return rows[0]?.tries
}

async function store(
  source: SecretSource,
  claimed: SecretHolder,
  version: number,
  secret: Secret,
  expiresAt: Date | null,
): Promise<boolean> {
  const { keyId, sealed } = sealSecret(source.keys, rowOf(claimed), secret)
  const { rowCount } = await source.pool.query({
    name: statementName(STORE),
    text: STORE,
    values: [claimed.org_id, claimed.channel_id, version, holder(source, claimed), keyId, sealed, expiresAt],
  })
  return rowCount === 1
}

/**
 * `hasEnd`: the platform responded, so the start doesn't count. `rests`: the old token is used in the meantime, and
 * nothing was counted.
 */
async function release(
  source: SecretSource,
  claimed: SecretHolder,
  version: number,
  { hasEnd, rests }: { hasEnd: boolean; rests: boolean },
): Promise<void> {
  const until = rests ? new Date(source.clock.now().getTime() + REST) : null
  await source.pool.query({
    name: statementName(RELEASE),
    text: RELEASE,
    values: [
      claimed.org_id,
      claimed.channel_id,
      version,
      holder(source, claimed),
      hasEnd,
      until,
      hasEnd && !rests ? 1 : 0,
    ],
  })
}

function holder(source: SecretSource, claimed: SecretHolder): string {
  return `${source.nodeId}/${claimed.attempt_id}`
}

function rowOf(claimed: SecretHolder): { orgId: string; channelId: string } {
  return { orgId: claimed.org_id, channelId: claimed.channel_id }
}
