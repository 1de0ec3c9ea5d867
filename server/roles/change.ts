import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { covers, permissionTable, resources, type Permissions } from '#contract/permissions.ts'
import { fail } from '../errors.ts'
import type { CallerOrg } from '../http/route.ts'
import { loadRole, type Granter, type RoleRecord } from './access.ts'

export type NewRole = { name: string; permissions: Permissions }
/** The permissions a change added and removed, as `post.publish`. */
export type Difference = { given: string[]; taken: string[] }
/** A change of a role, for the audit log. */
type RoleChange = Difference & { before: { name: string }; after: { name: string } }

/** Creating and editing custom roles needs the Team plan; existing ones keep working without it. Throws PLAN_LIMIT. */
export function mustHaveCustomRoles({ entitlements }: Pick<CallerOrg, 'entitlements'>): void {
  if (entitlements.closed.includes('custom_roles'))
    throw fail('PLAN_LIMIT', {
      detail: 'Custom roles are only available on the Team plan.',
      meta: { gate: 'custom_roles' },
    })
}

/**
 * Creates a custom role. Returns its id. Throws ROLE_EXCEEDS beyond the caller's own permissions, and NAME_TAKEN,
 * ignoring case.
 */
export async function createRole(c: Granter, { name, permissions }: NewRole, now: Date): Promise<string> {
  if (!covers(c.project.permissions, permissions)) throw fail('ROLE_EXCEEDS')
  await mustBeFree(c, name)
  const id = randomUUIDv7()
  await c.tx
    .insertInto('role')
    .values({
      org_id: c.org.orgId,
      id,
      project_id: c.project.projectId,
      name,
      kind: 'custom',
      permissions: JSON.stringify(permissions),
      created_at: now,
    })
    .execute()
  return id
}

/**
 * Changes a custom role, for its members from their next request. Throws SYSTEM_ROLE; OWN_ACCESS for the caller's own
 * role; ROLE_EXCEEDS if it allows, or would allow, more than the caller has, or if someone has it on channels the
 * caller can't access; NAME_TAKEN.
 */
export async function editRole(c: Granter, roleId: string, { name, permissions }: NewRole): Promise<RoleChange> {
  const role = await loadRole(c, roleId)
  mustBeCustom(role)
  if (!c.org.isAdmin && c.project.roleId === roleId) throw fail('OWN_ACCESS')
  if (!covers(c.project.permissions, role.permissions) || !covers(c.project.permissions, permissions))
    throw fail('ROLE_EXCEEDS')
  if (await isHeldBeyond(c, roleId))
    throw fail('ROLE_EXCEEDS', { detail: "This role is used on channels you can't access. Ask an admin." })
  await mustBeFree(c, name, roleId)
  await c.tx
    .updateTable('role')
    .set({ name, permissions: JSON.stringify(permissions) })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', roleId)
    .execute()
  return { before: { name: role.name }, after: { name }, ...difference(role.permissions, permissions) }
}

/**
 * Deletes a custom role that isn't used by members or invitations: ROLE_IN_USE with `meta` {members, invites}
 * otherwise. Expired invitations with it are withdrawn. Throws SYSTEM_ROLE.
 */
export async function deleteRole(c: Granter, roleId: string, now: Date): Promise<void> {
  const { orgId } = c.org
  mustBeCustom(await loadRole(c, roleId))
  const { rows } = await sql<{ members: number; invites: number }>`
    select (select count(*) from project_member where org_id = ${orgId} and coalesce(role_id, locked_role_id) = ${roleId}) as members,
      (select count(*) from invite where org_id = ${orgId} and role_id = ${roleId} and accepted_at is null and revoked_at is null and expires_at > ${now}) as invites`.execute(
    c.tx,
  )
  const { members, invites } = rows[0] ?? { members: 0, invites: 0 }
  if (members > 0 || invites > 0)
    throw fail('ROLE_IN_USE', { detail: inUse(members, invites), meta: { members, invites } })
  await c.tx
    .updateTable('invite')
    .set({ revoked_at: now })
    .where('org_id', '=', orgId)
    .where('role_id', '=', roleId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
  await c.tx.deleteFrom('role').where('org_id', '=', orgId).where('id', '=', roleId).execute()
}

function inUse(members: number, invites: number): string {
  const holders = members === 1 ? '1 member' : `${members} members`
  const invited = invites === 1 ? '1 open invitation' : `${invites} open invitations`
  const who =
    members > 0 && invites > 0
      ? `${holders} and ${invited} have`
      : members > 0
        ? `${holders} ${members === 1 ? 'has' : 'have'}`
        : `${invited} ${invites === 1 ? 'has' : 'have'}`
  return `${who} this role. Give them another one first.`
}

function mustBeCustom({ kind }: RoleRecord): void {
  if (kind !== 'custom') throw fail('SYSTEM_ROLE')
}

/** Names are unique in a project, ignoring case. One change at a time, so that two can't take the same name. */
async function mustBeFree({ tx, org, project }: Granter, name: string, except?: string): Promise<void> {
  await tx
    .selectFrom('project')
    .select('id')
    .where('org_id', '=', org.orgId)
    .where('id', '=', project.projectId)
    .forNoKeyUpdate()
    .execute()
  const taken = await tx
    .selectFrom('role')
    .select('id')
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('id', 'is distinct from', except ?? null)
    .executeTakeFirst()
  if (taken)
    throw fail('NAME_TAKEN', {
      detail: 'A role with this name already exists.',
      errors: { name: ['A role with this name already exists.'] },
    })
}

/** Whether members or open invitations have the role on channels outside the caller's. */
async function isHeldBeyond({ tx, org, project }: Granter, roleId: string): Promise<boolean> {
  if (project.channelIds === null) return false
  const own = [...project.channelIds]
  const { rows } = await sql`
    select from project_member where org_id = ${org.orgId} and coalesce(role_id, locked_role_id) = ${roleId} and (channel_ids is null or not channel_ids <@ ${own}::uuid[])
    union all
    select from invite where org_id = ${org.orgId} and role_id = ${roleId} and accepted_at is null and revoked_at is null and (channel_ids is null or not channel_ids <@ ${own}::uuid[])
    limit 1`.execute(tx)
  return rows.length > 0
}

/** What the first allows and the second doesn't. */
export function difference(before: Permissions, after: Permissions): Difference {
  const actionsOf = (permissions: Permissions) =>
    resources.flatMap((resource) =>
      permissionTable[resource]
        .filter((action) => permissions[resource]?.includes(action))
        .map((action) => `${resource}.${action}`),
    )
  const [old, now] = [actionsOf(before), actionsOf(after)]
  return { given: now.filter((action) => !old.includes(action)), taken: old.filter((action) => !now.includes(action)) }
}
