import { sql } from 'kysely'
import type { Excess } from '#contract/billing.ts'
import { countedPlatforms, entitlements, platformGate, type Entitlements, type Gate } from '#contract/plans.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { lockSubscription, readSubscription } from './subscriptionRecord.ts'
import { lockChannels, lockMembers, unlockChannels, unlockMembers } from './locks.ts'

/** What may stay active: what the plan allows, or what Free would once it has ended, so that Free can be chosen. */
async function allowedNow(tx: Tx, orgId: string, now: Date): Promise<Entitlements> {
  const { state } = await readSubscription(tx, orgId)
  const rights = entitlements(state, now)
  return rights.valid
    ? rights
    : entitlements({ planId: 'free', status: 'ACTIVE', addonQuantity: 0, trialEndsAt: null }, now)
}

/** What the organization has of what plans limit, and what of it is paused. */
export async function readExcess(tx: Tx, orgId: string, now: Date): Promise<Excess> {
  const allowed = await allowedNow(tx, orgId, now)
  const channels = await sql<Excess['channels']['items'][number]>`
    select c.id as "channelId", c.name, c.platform, p.id as "projectId", p.name as "projectName", c.plan_locked as locked from channel c join project p on p.org_id = c.org_id and p.id = c.project_id
    where c.org_id = ${orgId} and c.deleted_at is null and c.deleting_at is null order by p.created_at, c.connected_at, c.id`.execute(
    tx,
  )
  const users = await sql<Excess['users']['items'][number]>`
    select m.person_id as "userId", trim(p.first_name || ' ' || p.last_name) as name, m.is_admin or m.locked_admin as "isOrgAdmin", m.plan_locked as locked from member m join person p on p.id = m.person_id
    where m.org_id = ${orgId} and m.removed_at is null order by m.added_at, m.person_id`.execute(tx)
  const projects = await sql<Excess['projects']['items'][number]>`
    select id as "projectId", name, plan_locked as locked from project where org_id = ${orgId} and deleted_at is null order by created_at, id`.execute(
    tx,
  )
  return {
    channels: {
      allowed: allowed.channels,
      platforms: countedPlatforms.map(({ platform, most }) => ({ platform, allowed: most(allowed) })),
      items: channels.rows,
    },
    users: { allowed: allowed.users, items: users.rows },
    projects: { allowed: allowed.projects, items: projects.rows },
  }
}

export type Choice = { channelIds: readonly string[]; userIds: readonly string[]; projectIds: readonly string[] }

/**
 * Keeps the choice active and pauses the rest: channels, including those of a paused project; members become view-only;
 * nothing is deleted. Throws PLAN_LIMIT if the choice exceeds the plan, BAD_INPUT for anything that isn't the
 * organization's and if the caller isn't among those who stay: someone has to be able to undo it.
 */
export async function keepChosen(
  tx: Tx,
  { orgId, personId, choice }: { orgId: string; personId: string; choice: Choice },
  now: Date,
): Promise<{ channels: number; users: number; projects: number }> {
  await lockSubscription(tx, orgId)
  const { channels, users, projects } = await readExcess(tx, orgId, now)
  const kept = {
    channels: new Set(choice.channelIds),
    users: new Set(choice.userIds),
    projects: new Set(choice.projectIds),
  }
  mustBe(
    kept.channels,
    channels.items.map((one) => one.channelId),
    channels.allowed,
    'channelIds',
    'channels',
  )
  const allowed = await allowedNow(tx, orgId, now)
  for (const rule of countedPlatforms)
    mustFit(
      channels.items.filter((one) => one.platform === rule.platform && kept.channels.has(one.channelId)).length,
      rule.most(allowed),
      platformGate(rule, allowed),
    )
  mustBe(
    kept.projects,
    projects.items.map((one) => one.projectId),
    projects.allowed,
    'projectIds',
    'projects',
  )
  mustBe(
    kept.users,
    users.items.map((one) => one.userId),
    users.allowed,
    'userIds',
    'users',
  )
  if (!kept.users.has(personId))
    throw fail('BAD_INPUT', {
      errors: { userIds: ['You have to stay active yourself, so that you can change this again.'] },
    })
  const { rows } = await sql<{
    id: string
    project_id: string
  }>`select id, project_id from channel where org_id = ${orgId} and deleted_at is null and deleting_at is null`.execute(
    tx,
  )
  const isKept = (row: { id: string; project_id: string }) =>
    kept.channels.has(row.id) && kept.projects.has(row.project_id)
  const rest = rows.filter((row) => !isKept(row)).map(({ id }) => id)
  const readers = users.items.filter(({ userId }) => !kept.users.has(userId)).map(({ userId }) => userId)
  await sql`update project set plan_locked = not (id = any(${[...kept.projects]}::uuid[])), locked_at = case when id = any(${[...kept.projects]}::uuid[]) then null when plan_locked then locked_at else ${now}::timestamptz end where org_id = ${orgId} and deleted_at is null`.execute(
    tx,
  )
  await lockChannels(tx, orgId, rest, now)
  await unlockChannels(
    tx,
    orgId,
    rows.filter(isKept).map(({ id }) => id),
  )
  await unlockMembers(tx, orgId, [...kept.users], now)
  await lockMembers(tx, orgId, readers, now)
  return { channels: rest.length, users: readers.length, projects: projects.items.length - kept.projects.size }
}

function mustBe(
  chosen: ReadonlySet<string>,
  there: readonly string[],
  allowed: number,
  field: string,
  gate: Gate,
): void {
  if ([...chosen].some((id) => !there.includes(id)))
    throw fail('BAD_INPUT', { errors: { [field]: ["One of these doesn't exist, or you don't have access to it."] } })
  mustFit(chosen.size, allowed, gate)
}

function mustFit(chosen: number, allowed: number, gate: Gate): void {
  if (chosen > allowed)
    throw fail('PLAN_LIMIT', {
      detail:
        allowed === 0 ? "Your plan doesn't include accounts on this platform." : `At most ${allowed} can stay active.`,
      meta: { gate },
    })
}
