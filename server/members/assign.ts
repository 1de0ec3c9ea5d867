import type { PublishingChoice } from '#contract/permissions.ts'
import { fail } from '../errors.ts'
import { loadProjectMember } from './access.ts'
import { findRole, type Granter } from '../roles/access.ts'
import { accessFacts, replaceAccess, type AccessFacts } from '../roles/grant.ts'

export type Assignment = {
  userId: string
  roleId: string
  channelIds: string[] | null
  /** Unchanged if absent. */ publishing?: PublishingChoice | undefined
}
/**
 * Changes a member's role, channels or publishing choice. Throws OWN_ACCESS; NOT_FOUND for a role or member that isn't
 * in the project; ORG_ADMIN; ROLE_EXCEEDS if it gives or takes more than the caller has; BAD_INPUT for channels the
 * caller can't access.
 */
export async function assignRole(
  c: Granter,
  { userId, roleId, channelIds, publishing }: Assignment,
): Promise<{ before: AccessFacts; after: AccessFacts }> {
  if (userId === c.caller.personId) throw fail('OWN_ACCESS')
  const member = await loadProjectMember(c, userId)
  if (member.isOrgAdmin) throw fail('ORG_ADMIN')
  const role = await findRole(c, roleId)
  const granted = await replaceAccess(c, member.access, {
    role,
    channelIds,
    publishing: publishing ?? member.access.publishing,
  })
  await c.tx
    .updateTable('project_member')
    .set({ role_id: role.id, channel_ids: granted.channelIds, publishing: granted.publishing })
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where('person_id', '=', userId)
    .execute()
  return { before: accessFacts(member.access), after: accessFacts(granted) }
}
