import { fail } from '../errors.ts'
import type { Caller, CallerOrg } from '../http/route.ts'
import { unassignMember } from '../inbox/unassign.ts'
import { withdrawInvites } from './withdrawInvites.ts'
import type { Granter } from '../roles/access.ts'
import { accessFacts, type AccessFacts, mustCover } from '../roles/grant.ts'
import type { Tx } from '../db/kysely.ts'
import { loadProjectMember, lockAdmins } from './access.ts'

/**
 * Removes a member from the project. Their work stays, and scheduled posts are still published. Throws OWN_ACCESS,
 * NOT_FOUND, ORG_ADMIN, and ROLE_EXCEEDS for people who may do more than the caller.
 */
export async function removeFromProject(c: Granter, userId: string, now: Date): Promise<AccessFacts> {
  if (userId === c.caller.personId) throw fail('OWN_ACCESS')
  const member = await loadProjectMember(c, userId)
  if (member.isOrgAdmin) throw fail('ORG_ADMIN')
  mustCover(c, member.access)
  await c.tx
    .deleteFrom('project_member')
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where('person_id', '=', userId)
    .execute()
  await withdrawInvites(c.tx, { orgId: c.org.orgId, projectId: c.project.projectId, personId: userId, sent: true }, now)
  await unassignMember(c.tx, { orgId: c.org.orgId, projectId: c.project.projectId, personId: userId }, now)
  return accessFacts(member.access)
}

type MemberContext = { tx: Tx; caller: Pick<Caller, 'personId'>; org: Pick<CallerOrg, 'orgId' | 'isAdmin'> }
/** A person's access to the organization, for the audit log. */
export type Left = { isOrgAdmin: boolean; projectIds: string[] }

/** Removes a colleague from the organization and all its projects. Throws OWN_ACCESS (see leave), NOT_FOUND, LAST_ADMIN. */
export async function removeFromOrganization(c: MemberContext, userId: string, now: Date): Promise<Left> {
  if (userId === c.caller.personId) throw fail('OWN_ACCESS')
  return await takeOut(c, userId, true, now)
}

/** Leaves the organization. Throws LAST_ADMIN. */
export async function leaveOrganization(c: MemberContext, now: Date): Promise<Left> {
  return await takeOut(c, c.caller.personId, false, now)
}

/** The membership ends; its row stays, so that the person's work keeps its author. Their sessions are their own. */
async function takeOut(c: MemberContext, userId: string, byOthers: boolean, now: Date): Promise<Left> {
  const { tx, org } = c
  const admins = await lockAdmins(c)
  const isOrgAdmin = admins.includes(userId)
  if (isOrgAdmin && admins.length === 1) throw fail('LAST_ADMIN')
  const removed = await tx
    .updateTable('member')
    .set({ removed_at: now, is_admin: false })
    .where('org_id', '=', org.orgId)
    .where('person_id', '=', userId)
    .where('removed_at', 'is', null)
    .returning('person_id')
    .executeTakeFirst()
  if (!removed) throw fail('NOT_FOUND')
  const projects = await tx
    .deleteFrom('project_member')
    .where('org_id', '=', org.orgId)
    .where('person_id', '=', userId)
    .returning('project_id')
    .execute()
  await withdrawInvites(tx, { orgId: org.orgId, personId: userId, sent: byOthers }, now)
  await unassignMember(tx, { orgId: org.orgId, personId: userId }, now)
  return { isOrgAdmin, projectIds: projects.map((row) => row.project_id) }
}

/**
 * Makes a member an organization admin or ends that, also for people paused by the plan; their project assignments keep
 * their roles. Returns the previous state. Throws NOT_FOUND and LAST_ADMIN.
 */
export async function appointAdmin(c: MemberContext, userId: string, isOrgAdmin: boolean): Promise<boolean> {
  const admins = await lockAdmins(c)
  if (!isOrgAdmin && admins.length === 1 && admins.includes(userId)) throw fail('LAST_ADMIN')
  const appointed = await c.tx
    .updateTable('member')
    .set({ is_admin: isOrgAdmin, ...(!isOrgAdmin && { locked_admin: false }) })
    .where('org_id', '=', c.org.orgId)
    .where('person_id', '=', userId)
    .where('removed_at', 'is', null)
    .returning('person_id')
    .executeTakeFirst()
  if (!appointed) throw fail('NOT_FOUND')
  return admins.includes(userId)
}
