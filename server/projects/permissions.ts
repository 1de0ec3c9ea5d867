import { onChannel, permissionLevels, systemRoles, type Permissions } from '#contract/permissions.ts'
import { reaches } from '../access/channels.ts'
import type { Tx } from '../db/kysely.ts'
import type { CallerOrg, CallerProject } from '../http/route.ts'

/** What members who aren't admins may do at the organization level: see who and what is there. */
const memberOfOrganization: Permissions = { project: ['view'], user: ['view'] }

/**
 * A role's permissions without those of organization admins: changing projects, organization settings and the audit
 * log. The role Admin includes them, but its holders are refused there.
 */
function withoutOrganization(held: Permissions): Permissions {
  const ofOrganization: readonly string[] = permissionLevels.organization
  return Object.fromEntries(
    Object.entries(held).map(([resource, actions]) => [
      resource,
      ofOrganization.includes(resource)
        ? actions.filter((action) => resource === 'project' && action === 'view')
        : actions,
    ]),
  )
}

/**
 * What the caller may do at each level. Channels outside of a role with specific channels are absent, as they are
 * everywhere. A member without a role gets the specification's default set, which is view-only on every resource.
 */
export async function effectivePermissions({
  tx,
  org,
  project,
}: {
  tx: Tx
  org: CallerOrg
  project: CallerProject
}): Promise<{ organization: Permissions; project: Permissions; channel: Record<string, Permissions> }> {
  const channels = await tx
    .selectFrom('channel')
    .select('id')
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('deleted_at', 'is', null)
    .execute()
  const visible = channels.filter(({ id }) => reaches(project, id))
  const unchanged = org.isAdmin || project.roleId === null
  const held = unchanged ? project.permissions : withoutOrganization(project.permissions)
  return {
    organization: org.isAdmin ? systemRoles.admin.permissions : memberOfOrganization,
    project: held,
    channel: Object.fromEntries(visible.map(({ id }) => [id, onChannel(held, project.channelIds, id)])),
  }
}
