import type { ProjectContext } from '../http/route.ts'

/**
 * Whether the caller administers the project and can delete what others wrote: its role Admin, which organization
 * admins have everywhere.
 */
export async function isProjectAdmin({
  tx,
  org,
  project,
}: Pick<ProjectContext, 'tx' | 'org' | 'project'>): Promise<boolean> {
  if (org.isAdmin) return true
  if (project.roleId === null) return false
  const role = await tx
    .selectFrom('role')
    .select('kind')
    .where('org_id', '=', org.orgId)
    .where('id', '=', project.roleId)
    .executeTakeFirst()
  return role?.kind === 'admin'
}
