import { onChannel, systemRoles, type Permissions } from '#contract/permissions.ts'
import { reaches } from '../channels/access.ts'
import type { Tx } from '../db/kysely.ts'
import type { CallerOrg, CallerProject } from '../http/route.ts'

/** What a member who is no admin may do in the organisation as such: know who and what is there. */
const memberOfOrganisation: Permissions = { project: ['view'], user: ['view'] }

/** What the caller may do at each level. Channels outside a role that names channels are absent, as they are everywhere. */
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
  return {
    organization: org.isAdmin ? systemRoles.admin.permissions : memberOfOrganisation,
    project: project.permissions,
    channel: Object.fromEntries(visible.map(({ id }) => [id, onChannel(project.permissions, project.channelIds, id)])),
  }
}
