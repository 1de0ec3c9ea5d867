import { randomUUIDv7 } from 'node:crypto'
import { systemRoles, type SystemRole } from '#contract/permissions.ts'
import type { Tx } from '../db/kysely.ts'

export type NewProject = { orgId: string; personId: string; name: string; description?: string | undefined; zone: string }
export type MadeProject = { projectId: string; roles: Record<SystemRole, string> }

/** Sets a project up with its three system roles and its creator as Admin. The name must be free, see NAME_TAKEN in the route. */
export async function createProject(tx: Tx, { orgId, personId, name, description = '', zone }: NewProject, now: Date): Promise<MadeProject> {
  const projectId = randomUUIDv7()
  const roles = { admin: randomUUIDv7(), editor: randomUUIDv7(), user: randomUUIDv7() }
  await tx.insertInto('project').values({ org_id: orgId, id: projectId, name, description, zone, created_at: now, created_by: personId }).execute()
  await tx
    .insertInto('role')
    .values((['admin', 'editor', 'user'] as const).map((kind) => ({ org_id: orgId, id: roles[kind], project_id: projectId, kind, name: systemRoles[kind].name, permissions: JSON.stringify(systemRoles[kind].permissions) })))
    .execute()
  await tx.insertInto('project_member').values({ org_id: orgId, project_id: projectId, person_id: personId, role_id: roles.admin, channel_ids: null, added_at: now }).execute()
  return { projectId, roles }
}
