import type { Selectable } from 'kysely'
import { Permissions } from '#contract/permissions.ts'
import { RoleKind } from '#contract/roles.ts'
import type { Database } from '../db/schema.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { Caller, CallerOrg, CallerProject } from '../http/route.ts'

export type RoleRecord = { id: string; name: string; kind: RoleKind; permissions: Permissions }
/** Who requests or assigns a role. */
export type Granter = {
  tx: Tx
  caller: Pick<Caller, 'personId'>
  org: Pick<CallerOrg, 'orgId' | 'isAdmin'>
  project: Pick<CallerProject, 'projectId' | 'roleId' | 'permissions' | 'channelIds'>
}
type Place = { tx: Tx; org: Pick<CallerOrg, 'orgId'>; project: Pick<CallerProject, 'projectId'> }

/** The project's role, locked for a change. NOT_FOUND if it doesn't exist or belongs to another project. */
export async function loadRole(c: Place, roleId: string): Promise<RoleRecord> {
  return present(await rolesOf(c).where('id', '=', roleId).forUpdate().executeTakeFirst())
}

/**
 * The project's role, to be assigned: it can't be deleted or changed before the transaction ends. Otherwise NOT_FOUND.
 */
export async function findRole(c: Place, roleId: string): Promise<RoleRecord> {
  return present(await rolesOf(c).where('id', '=', roleId).forKeyShare().executeTakeFirst())
}

/** The system role of the project. */
export async function findSystemRole(c: Place, kind: Exclude<RoleKind, 'custom'>): Promise<RoleRecord> {
  return present(await rolesOf(c).where('kind', '=', kind).executeTakeFirst())
}

const rolesOf = ({ tx, org, project }: Place) =>
  tx.selectFrom('role').selectAll().where('org_id', '=', org.orgId).where('project_id', '=', project.projectId)

function present(row: Selectable<Database['role']> | undefined): RoleRecord {
  if (!row) throw fail('NOT_FOUND')
  return { id: row.id, name: row.name, kind: RoleKind.parse(row.kind), permissions: Permissions.parse(row.permissions) }
}
