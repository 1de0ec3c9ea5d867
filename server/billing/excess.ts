import { sql, type RawBuilder } from 'kysely'
import type { Excess } from '#contract/billing.ts'
import { entitlements } from '#contract/plans.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { lockSubscription, readSubscription } from './held.ts'
import { lockChannels, lockMembers, unlockChannels, unlockMembers } from './locks.ts'

type Allowed = { channels: number; users: number; projects: number }

/** What may stay active: what the plan allows, and once it has ended what Free would, so that Free can be chosen. */
async function allowedNow(tx: Tx, orgId: string, now: Date): Promise<Allowed> {
  const { state } = await readSubscription(tx, orgId)
  const rights = entitlements(state, now)
  return rights.valid ? rights : entitlements({ planId: 'free', status: 'ACTIVE', addonQuantity: 0, trialEndsAt: null }, now)
}

/** What the organisation has of what plans count, and what of it is locked. */
export async function readExcess(tx: Tx, orgId: string, now: Date): Promise<Excess> {
  const allowed = await allowedNow(tx, orgId, now)
  const channels = await sql<Excess['channels']['items'][number]>`
    select c.id as "channelId", c.name, c.platform, p.id as "projectId", p.name as "projectName", c.plan_locked as locked from channel c join project p on p.org_id = c.org_id and p.id = c.project_id
    where c.org_id = ${orgId} and c.deleted_at is null and c.deleting_at is null order by p.created_at, c.connected_at, c.id`.execute(tx)
  const users = await sql<Excess['users']['items'][number]>`
    select m.person_id as "userId", trim(p.first_name || ' ' || p.last_name) as name, m.is_admin or m.locked_admin as "isOrgAdmin", m.plan_locked as locked from member m join person p on p.id = m.person_id
    where m.org_id = ${orgId} and m.removed_at is null order by m.added_at, m.person_id`.execute(tx)
  const projects = await sql<Excess['projects']['items'][number]>`
    select id as "projectId", name, plan_locked as locked from project where org_id = ${orgId} and deleted_at is null order by created_at, id`.execute(tx)
  return {
    channels: { allowed: allowed.channels, items: channels.rows },
    users: { allowed: allowed.users, items: users.rows },
    projects: { allowed: allowed.projects, items: projects.rows },
  }
}

export type Choice = { channelIds: readonly string[]; userIds: readonly string[]; projectIds: readonly string[] }

/**
 * Keeps active what was chosen and locks the rest: channels rest, those of a locked project as well; members become
 * readers; nothing is deleted. Throws PLAN_LIMIT when more is chosen than the plan allows, BAD_INPUT for what is not the
 * organisation's and when the caller is not among those who stay: somebody has to be able to take it back.
 */
export async function keepChosen(tx: Tx, { orgId, personId, choice }: { orgId: string; personId: string; choice: Choice }, now: Date): Promise<{ channels: number; users: number; projects: number }> {
  await lockSubscription(tx, orgId)
  const { channels, users, projects } = await readExcess(tx, orgId, now)
  const kept = { channels: new Set(choice.channelIds), users: new Set(choice.userIds), projects: new Set(choice.projectIds) }
  mustBe(kept.channels, channels.items.map((one) => one.channelId), channels.allowed, 'channelIds', 'channels')
  mustBe(kept.projects, projects.items.map((one) => one.projectId), projects.allowed, 'projectIds', 'projects')
  mustBe(kept.users, users.items.map((one) => one.userId), users.allowed, 'userIds', 'users')
  if (!kept.users.has(personId)) throw fail('BAD_INPUT', { errors: { userIds: ['You stay active yourself: somebody has to be able to change this again.'] } })
  const { rows } = await sql<{ id: string; project_id: string }>`select id, project_id from channel where org_id = ${orgId} and deleted_at is null and deleting_at is null`.execute(tx)
  const isKept = (row: { id: string; project_id: string }) => kept.channels.has(row.id) && kept.projects.has(row.project_id)
  const rest = rows.filter((row) => !isKept(row)).map(({ id }) => id)
  const readers = users.items.filter(({ userId }) => !kept.users.has(userId)).map(({ userId }) => userId)
  await sql`update project set plan_locked = not (id = any(${[...kept.projects]}::uuid[])) where org_id = ${orgId} and deleted_at is null`.execute(tx)
  await lockChannels(tx, orgId, rest, now)
  await unlockChannels(tx, orgId, rows.filter(isKept).map(({ id }) => id))
  await unlockMembers(tx, orgId, [...kept.users])
  await lockMembers(tx, orgId, readers)
  return { channels: rest.length, users: readers.length, projects: projects.items.length - kept.projects.size }
}

/**
 * Locks what a plan that shrank without anybody's choice has no room for, so that no more is active than is paid for: until
 * an admin chooses otherwise the oldest stay, of channels those that work before those that do not, of people the admins,
 * whoever paid last first among them. Answers how much was locked; nothing of what fits is touched.
 */
export async function lockBeyond(tx: Tx, orgId: string, allowed: Allowed, now: Date): Promise<Allowed> {
  const projects = await idsOf(tx, sql`
    select id from project where org_id = ${orgId} and deleted_at is null and not plan_locked order by created_at, id offset ${allowed.projects}`)
  if (projects.length > 0) await sql`update project set plan_locked = true where org_id = ${orgId} and id = any(${projects}::uuid[])`.execute(tx)
  const inLocked = await idsOf(tx, sql`
    select c.id from channel c join project p on p.org_id = c.org_id and p.id = c.project_id
    where c.org_id = ${orgId} and c.deleted_at is null and c.deleting_at is null and not c.plan_locked and p.plan_locked`)
  await lockChannels(tx, orgId, inLocked, now)
  const channels = await idsOf(tx, sql`
    select id from channel where org_id = ${orgId} and deleted_at is null and deleting_at is null and not plan_locked
    order by enabled and status = 'CONNECTED' desc, connected_at, id offset ${allowed.channels}`)
  await lockChannels(tx, orgId, channels, now)
  const users = await idsOf(tx, sql`
    select m.person_id as id from member m where m.org_id = ${orgId} and m.removed_at is null and not m.plan_locked
    order by m.is_admin desc, m.person_id is not distinct from (select t.person_id from billing_transaction t where t.org_id = ${orgId} and t.person_id is not null and t.status = 'paid' order by t.occurred_at desc limit 1) desc, m.added_at, m.person_id
    offset ${allowed.users}`)
  await lockMembers(tx, orgId, users)
  return { channels: inLocked.length + channels.length, users: users.length, projects: projects.length }
}

const idsOf = async (tx: Tx, query: RawBuilder<unknown>): Promise<string[]> => (await sql<{ id: string }>`${query}`.execute(tx)).rows.map(({ id }) => id)

function mustBe(chosen: ReadonlySet<string>, there: readonly string[], allowed: number, field: string, gate: 'channels' | 'projects' | 'users'): void {
  if ([...chosen].some((id) => !there.includes(id))) throw fail('BAD_INPUT', { errors: { [field]: ['One of these does not exist, or you cannot see it.'] } })
  if (chosen.size > allowed) throw fail('PLAN_LIMIT', { detail: `At most ${allowed} can stay active.`, meta: { gate } })
}
