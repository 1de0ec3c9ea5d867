import { sql, type RawBuilder } from 'kysely'
import { countedPlatforms, entitlements, type Entitlements, type Holdings } from '#contract/plans.ts'
import type { Subscription } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { notifyReaders } from '../members/readers.ts'
import { resumeLane } from '../publishing/lane.ts'

export const nothingHeld: Holdings = {
  channels: 0,
  projects: 0,
  users: 0,
  accounts: {},
  resting: { channels: {}, projects: 0, users: 0 },
}

/** What an organization has of what plans limit: what the plan pauses doesn't count as active. */
export async function holdingsOf(tx: Tx, orgId: string): Promise<Holdings> {
  const { rows } = await sql<Holdings>`
    with there as (select platform, plan_locked, count(*)::int as n from channel where org_id = ${orgId} and deleted_at is null and deleting_at is null group by 1, 2)
    select
      (select coalesce(sum(n), 0)::int from there where not plan_locked) as channels,
      (select coalesce(jsonb_object_agg(platform, n), '{}') from there where not plan_locked) as accounts,
      p.active as projects, m.active as users,
      jsonb_build_object('channels', (select coalesce(jsonb_object_agg(platform, n), '{}') from there where plan_locked), 'projects', p.resting, 'users', m.resting) as resting
    from
      (select count(*) filter (where not plan_locked)::int as active, count(*) filter (where plan_locked)::int as resting from project where org_id = ${orgId} and deleted_at is null) p,
      (select count(*) filter (where not plan_locked)::int as active, count(*) filter (where plan_locked)::int as resting from member where org_id = ${orgId} and removed_at is null) m`.execute(
    tx,
  )
  return rows[0] ?? nothingHeld
}

/** How many channels are paused, on all platforms. */
export const restingChannels = ({ resting }: Holdings): number =>
  Object.values(resting.channels).reduce((sum, n) => sum + n, 0)

/**
 * Reactivates what is paused, up to what a newly bought plan includes: what an admin's latest choice paused first, of
 * that the channels that worked before those that didn't, oldest first. `wakingOn` says beforehand how much it is.
 */
export async function wakeWhatFits(tx: Tx, orgId: string, state: Subscription, now: Date): Promise<void> {
  const rights = entitlements(state, now)
  if (!rights.valid) return
  const held = await holdingsOf(tx, orgId)
  const projects = await idsOf(
    tx,
    sql`select id from project where org_id = ${orgId} and deleted_at is null and plan_locked
      order by locked_at desc nulls last, created_at, id limit ${Math.max(0, rights.projects - held.projects)}`,
  )
  await unlockProjects(tx, orgId, projects)
  const { rows } = await sql<{ id: string; platform: string }>`
    select c.id, c.platform from channel c join project p on p.org_id = c.org_id and p.id = c.project_id and not p.plan_locked
    where c.org_id = ${orgId} and c.deleted_at is null and c.deleting_at is null and c.plan_locked
    order by c.locked_at desc nulls last, c.locked_enabled and c.status = 'CONNECTED' desc, c.connected_at, c.id`.execute(
    tx,
  )
  const taken = new Map(Object.entries(held.accounts))
  const fitting = rows.filter(({ platform }) => {
    const most = countedPlatforms.find((one) => one.platform === platform)?.most(rights) ?? Infinity
    const n = taken.get(platform) ?? 0
    if (n < most) taken.set(platform, n + 1)
    return n < most
  })
  await unlockChannels(
    tx,
    orgId,
    fitting.slice(0, Math.max(0, rights.channels - held.channels)).map(({ id }) => id),
  )
  const users = await idsOf(
    tx,
    sql`select person_id as id from member where org_id = ${orgId} and removed_at is null and plan_locked
      order by locked_at desc nulls last, locked_admin desc, added_at, person_id limit ${Math.max(0, rights.users - held.users)}`,
  )
  await unlockMembers(tx, orgId, users, now)
}

/**
 * Reactivates what was paused, kind by kind, once the plan includes all of that kind: otherwise an admin's choice
 * stays. Channels: all those on the plan's platforms. If a platform has more accounts than the plan allows, they stay
 * paused. Returns whether anything was reactivated.
 */
export async function openWhereAllFits(tx: Tx, orgId: string, state: Subscription, now: Date): Promise<boolean> {
  const rights = entitlements(state, now)
  if (!rights.valid) return false
  const { rows } = await sql<{ projects: number; users: number; locked: boolean }>`
    select
      (select count(*) from project where org_id = ${orgId} and deleted_at is null) as projects,
      (select count(*) from member where org_id = ${orgId} and removed_at is null) as users,
      exists (select from channel where org_id = ${orgId} and plan_locked) or exists (select from member where org_id = ${orgId} and plan_locked) or exists (select from project where org_id = ${orgId} and plan_locked) as locked`.execute(
    tx,
  )
  const [have] = rows
  if (!have?.locked) return false
  let opened = 0
  if (have.projects <= rights.projects) {
    const locked = await idsOf(
      tx,
      sql`select id from project where org_id = ${orgId} and plan_locked and deleted_at is null`,
    )
    await unlockProjects(tx, orgId, locked)
    opened += locked.length
  }
  const { channels, tooMany } = await countByPlatform(tx, orgId, rights)
  if (channels <= rights.channels && have.projects <= rights.projects) {
    const locked = await idsOf(
      tx,
      sql`select id from channel where org_id = ${orgId} and plan_locked and deleted_at is null and deleting_at is null and not platform = any(${tooMany}::text[])`,
    )
    await unlockChannels(tx, orgId, locked)
    opened += locked.length
  }
  if (have.users <= rights.users) {
    const locked = await idsOf(tx, sql`select person_id as id from member where org_id = ${orgId} and plan_locked`)
    await unlockMembers(tx, orgId, locked, now)
    opened += locked.length
  }
  return opened > 0
}

/** How many of the channels are on the plan's platforms, and the platforms with more accounts than it allows. */
async function countByPlatform(
  tx: Tx,
  orgId: string,
  rights: Entitlements,
): Promise<{ channels: number; tooMany: string[] }> {
  const { rows } = await sql<{
    platform: string
    n: number
  }>`select platform, count(*) as n from channel where org_id = ${orgId} and deleted_at is null and deleting_at is null group by platform`.execute(
    tx,
  )
  const mostOf = (platform: string) =>
    countedPlatforms.find((one) => one.platform === platform)?.most(rights) ?? Infinity
  return {
    channels: rows.reduce((sum, { platform, n }) => sum + Math.min(n, mostOf(platform)), 0),
    tooMany: rows.flatMap(({ platform, n }) => (n > mostOf(platform) ? [platform] : [])),
  }
}

/**
 * Pauses what a smaller plan doesn't include, so that no more is active than is paid for. Until an admin chooses
 * otherwise, the oldest stay: of channels, working ones before others; of people, admins, first `chooser`, who chose
 * the plan, then the person who paid last. Returns how much was paused; what the plan includes isn't touched.
 */
export async function lockBeyond(
  tx: Tx,
  orgId: string,
  allowed: Entitlements,
  chooser: string | null,
  now: Date,
): Promise<{ channels: number; users: number; projects: number }> {
  const projects = await idsOf(
    tx,
    sql`
    select id from project where org_id = ${orgId} and deleted_at is null and not plan_locked order by created_at, id offset ${allowed.projects}`,
  )
  if (projects.length > 0)
    await sql`update project set plan_locked = true, locked_at = ${now}::timestamptz where org_id = ${orgId} and id = any(${projects}::uuid[])`.execute(
      tx,
    )
  const resting = await idsOf(
    tx,
    sql`
    select c.id from channel c join project p on p.org_id = c.org_id and p.id = c.project_id
    where c.org_id = ${orgId} and c.deleted_at is null and c.deleting_at is null and not c.plan_locked and p.plan_locked`,
  )
  await lockChannels(tx, orgId, resting, now)
  const lockFrom = async (which: RawBuilder<unknown>, most: number) => {
    const ids = await idsOf(
      tx,
      sql`
      select id from channel where org_id = ${orgId} and deleted_at is null and deleting_at is null and not plan_locked and ${which}
      order by enabled and status = 'CONNECTED' desc, connected_at, id offset ${most}`,
    )
    await lockChannels(tx, orgId, ids, now)
    resting.push(...ids)
  }
  // platforms first: what they pause frees places for others
  for (const { platform, most } of countedPlatforms) await lockFrom(sql`platform = ${platform}`, most(allowed))
  await lockFrom(sql`true`, allowed.channels)
  const users = await idsOf(
    tx,
    sql`
    select m.person_id as id from member m where m.org_id = ${orgId} and m.removed_at is null and not m.plan_locked
    order by m.is_admin desc, m.person_id is not distinct from ${chooser}::uuid desc,
      m.person_id is not distinct from (select t.person_id from billing_transaction t where t.org_id = ${orgId} and t.person_id is not null and t.status = 'paid' order by t.occurred_at desc limit 1) desc, m.added_at, m.person_id
    offset ${allowed.users}`,
  )
  await lockMembers(tx, orgId, users, now)
  return { channels: resting.length, users: users.length, projects: projects.length }
}

const idsOf = async (tx: Tx, query: RawBuilder<unknown>): Promise<string[]> =>
  (await sql<{ id: string }>`${query}`.execute(tx)).rows.map(({ id }) => id)

async function unlockProjects(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`update project set plan_locked = false, locked_at = null where org_id = ${orgId} and id = any(${[...ids]}::uuid[])`.execute(
    tx,
  )
}

/** Pauses channels: they publish nothing until they're chosen, or the plan includes all. */
export async function lockChannels(tx: Tx, orgId: string, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`update channel set plan_locked = true, locked_at = ${now}::timestamptz, locked_enabled = enabled, enabled = false, away_since = coalesce(away_since, ${now}::timestamptz) where org_id = ${orgId} and id = any(${[...ids]}::uuid[]) and not plan_locked`.execute(
    tx,
  )
  await sql`update lane set paused = true where org_id = ${orgId} and channel_id = any(${[...ids]}::uuid[])`.execute(tx)
}

/** Channels work again as before the pause: enabled if they were, with their lanes. */
export async function unlockChannels(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{
    id: string
    status: string
    enabled: boolean
  }>`update channel set plan_locked = false, locked_at = null, enabled = locked_enabled, locked_enabled = false where org_id = ${orgId} and id = any(${[...ids]}::uuid[]) and plan_locked returning id, status, enabled`.execute(
    tx,
  )
  for (const { id, status, enabled } of rows) if (enabled && status === 'CONNECTED') await resumeLane(tx, orgId, id)
}

/** Members beyond the plan become view-only and are notified; their roles are stored separately. */
export async function lockMembers(tx: Tx, orgId: string, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{
    id: string
  }>`update member set plan_locked = true, locked_at = ${now}::timestamptz where org_id = ${orgId} and person_id = any(${[...ids]}::uuid[]) and not plan_locked returning person_id as id`.execute(
    tx,
  )
  await sql`update project_member set locked_role_id = role_id, role_id = null where org_id = ${orgId} and person_id = any(${[...ids]}::uuid[]) and role_id is not null`.execute(
    tx,
  )
  await notifyReaders(
    tx,
    orgId,
    rows.map(({ id }) => id),
    'locked',
    now,
  )
}

/** Members get their access back: their roles, and admin rights. They're notified. */
export async function unlockMembers(tx: Tx, orgId: string, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{
    id: string
  }>`update member set plan_locked = false, locked_at = null, is_admin = is_admin or locked_admin, locked_admin = false where org_id = ${orgId} and person_id = any(${[...ids]}::uuid[]) and plan_locked returning person_id as id`.execute(
    tx,
  )
  await sql`update project_member set role_id = locked_role_id, locked_role_id = null where org_id = ${orgId} and person_id = any(${[...ids]}::uuid[]) and locked_role_id is not null`.execute(
    tx,
  )
  await notifyReaders(
    tx,
    orgId,
    rows.map(({ id }) => id),
    'unlocked',
    now,
  )
}
