import { sql } from 'kysely'
import { countedPlatforms, platformGate, type Gate } from '#contract/plans.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import type { CallerOrg } from '../http/route.ts'
import { assertWithinLimit, count, type Limit } from '../http/attempts.ts'

/**
 * The gate that keeps a project from getting another channel, or null. Disabled channels count, in all projects; those
 * being deleted don't. A project paused by the plan takes none. If `org` is the result of takeAllowance, this holds
 * until the end of the transaction.
 */
export async function closedGate(tx: Tx, org: CallerOrg, { projectId }: { projectId: string }): Promise<Gate | null> {
  if (!org.entitlements.valid) return 'plan_expired'
  if (await isLockedProject(tx, org, projectId)) return 'projects'
  return (await countAll(tx, org, false)) >= org.entitlements.channels ? 'channels' : null
}

async function isLockedProject(tx: Tx, org: CallerOrg, projectId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('project')
    .select('plan_locked')
    .where('org_id', '=', org.orgId)
    .where('id', '=', projectId)
    .executeTakeFirst()
  return row?.plan_locked ?? false
}

/**
 * Throws PLAN_LIMIT before anyone is sent to a platform for nothing: the plan has ended, or it's full and there's
 * nothing to reconnect.
 */
export async function mustHaveRoom(
  { tx, org, project }: { tx: Tx; org: CallerOrg; project: { projectId: string } },
  mayReconnect: boolean,
): Promise<void> {
  const gate = await closedGate(tx, org, project)
  if (gate === 'plan_expired' || (gate && !mayReconnect)) throw planLimit(gate)
}

/**
 * The gate that keeps a disabled channel disabled, or null: if there are more channels than the plan includes, only as
 * many as it includes can be enabled at a time, fewer on some platforms, and none in a project that the plan has
 * paused. If `org` is the result of takeAllowance, this holds until the end of the transaction.
 */
export async function closedToEnable(
  tx: Tx,
  org: CallerOrg,
  channel: { id: string; enabled: boolean; platform: string; project_id: string },
): Promise<Gate | null> {
  if (!org.entitlements.valid) return 'plan_expired'
  if (channel.enabled) return null
  if (await isLockedProject(tx, org, channel.project_id)) return 'projects'
  return (
    (await fullPlatform(tx, org, channel.platform, { except: channel.id, onlyEnabled: true })) ??
    ((await countAll(tx, org, true)) >= org.entitlements.channels ? 'channels' : null)
  )
}

/**
 * Throws PLAN_LIMIT if the plan allows no further account on the platform; `except` is a channel being reconnected.
 * Holds until the end of the transaction if `org` is the result of takeAllowance.
 */
export async function mustTakePlatform(tx: Tx, org: CallerOrg, platform: PlatformKey, except?: string): Promise<void> {
  const gate = await fullPlatform(tx, org, platform, { except, onlyEnabled: false })
  if (gate) throw planLimit(gate)
}

/** The gate if no further account on the platform may exist, or be enabled; otherwise null. */
async function fullPlatform(
  tx: Tx,
  org: CallerOrg,
  platform: string,
  { except = null, onlyEnabled }: { except?: string | null | undefined; onlyEnabled: boolean },
): Promise<Gate | null> {
  const rule = countedPlatforms.find((one) => one.platform === platform)
  if (!rule) return null
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from channel where org_id = ${org.orgId} and platform = ${platform} and deleted_at is null and deleting_at is null
      and id is distinct from ${except}::uuid and (enabled or not ${onlyEnabled}::boolean)`.execute(tx)
  return (rows[0]?.n ?? 0) >= rule.most(org.entitlements) ? platformGate(rule, org.entitlements) : null
}

async function countAll(tx: Tx, org: CallerOrg, onlyEnabled: boolean): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from channel where org_id = ${org.orgId} and deleted_at is null and deleting_at is null and (enabled or not ${onlyEnabled}::boolean)`.execute(
    tx,
  )
  return rows[0]?.n ?? 0
}

const words: Partial<Record<Gate, string>> = {
  plan_expired: 'Your plan has ended. Choose one to connect channels.',
  x: "Your plan doesn't include X. Upgrade to connect an account.",
  x_trial: 'One X account is allowed on the free trial. Choose a plan to connect another.',
  channels: "Your plan doesn't have room for another channel. Upgrade, or delete a channel.",
  projects:
    "Your plan doesn't have room for this project, so its channels are paused. Upgrade, or choose which projects stay active.",
}

/** PLAN_LIMIT with the gate that the web shows an upgrade screen for. */
export function planLimit(gate: Gate) {
  const detail = words[gate]
  return fail('PLAN_LIMIT', { meta: { gate }, ...(detail !== undefined && { detail }) })
}

/** On a trial, an account that another organization's trial had is refused; others are recorded. */
export async function claimOnTrial(
  tx: Tx,
  org: CallerOrg,
  account: { platform: string; remoteId: string },
): Promise<void> {
  if (org.plan.status !== 'TRIAL_ACTIVE') return
  const { rows } = await sql<{
    mine: boolean
  }>`select claim_trial_channel(${account.platform}, ${account.remoteId}) as mine`.execute(tx)
  if (!rows[0]?.mine)
    throw fail('PLAN_LIMIT', {
      meta: { gate: 'channels', usedOnTrial: true },
      detail: 'This account was already used in a free trial. Choose a plan to connect it.',
    })
}

/**
 * Sign-ins at platforms that a person starts: each is a request to a server of their choice, with a password of their
 * choice.
 */
const signIns = { name: 'channel-sign-ins', most: 60, seconds: 3600 } as const satisfies Limit

/**
 * Counts a new sign-in, even if it fails. Throws RATE_LIMITED, so that nobody guesses passwords elsewhere through us.
 */
export async function countSignIn({ system }: Pick<Databases, 'system'>, personId: string, now: Date): Promise<void> {
  assertWithinLimit(await asSystem(system, (tx) => count(tx, signIns, personId, now)))
}
