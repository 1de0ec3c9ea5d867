import { sql } from 'kysely'
import { Permissions } from '#contract/permissions.ts'
import { RoleKind, type Role } from '#contract/roles.ts'
import type { Granter } from './access.ts'
import { mayGrant } from './grant.ts'

type Row = { id: string; name: string; kind: string; permissions: unknown; members: number; invites: number }
type Asker = Pick<Granter, 'tx' | 'org' | 'project'>

/** Roles of the project: Admin, Editor, User, then the custom ones by name. */
export async function findRoles(c: Asker, page?: { limit: number; offset: number }): Promise<Role[]> {
  const { rows } = await sql<Row>`
    select r.id, r.name, r.kind, r.permissions,
      (select count(*) from project_member pm where pm.org_id = r.org_id and pm.role_id = r.id) as members,
      (select count(*) from invite i where i.org_id = r.org_id and i.role_id = r.id and i.accepted_at is null and i.revoked_at is null) as invites
    from role r where r.org_id = ${c.org.orgId} and r.project_id = ${c.project.projectId}
    order by array_position(array['admin', 'editor', 'user', 'custom'], r.kind), lower(r.name), r.id
    limit ${page?.limit ?? null} offset ${page?.offset ?? 0}`.execute(c.tx)
  return rows.map((row) => {
    const role = { kind: RoleKind.parse(row.kind), permissions: Permissions.parse(row.permissions) }
    return {
      roleId: row.id,
      name: row.name,
      ...role,
      members: row.members,
      invites: row.invites,
      assignable: mayGrant(c, role),
    }
  })
}

export async function countRoles({ tx, org, project }: Asker): Promise<number> {
  const { roles } = await tx
    .selectFrom('role')
    .select((e) => e.fn.countAll<number>().as('roles'))
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .executeTakeFirstOrThrow()
  return roles
}
