import type { PublishingChoice } from '#contract/permissions.ts'
import { fail } from '../errors.ts'
import { loadProjectMember } from './access.ts'
import { findRole, type Granter } from '../roles/access.ts'
import { accessFacts, replaceAccess, type AccessFacts } from '../roles/grant.ts'

export type Assignment = {
  userId: string
  roleId: string
  channelIds: string[] | null
  /** As it is now, when absent. */ publishing?: PublishingChoice | undefined
}
/**
 * Gives a member of the project another role, other channels or another publishing choice. Throws OWN_ACCESS; NOT_FOUND
 * for a role or a member whom the project lacks; ORG_ADMIN; ROLE_EXCEEDS where it gives or takes more than the caller
 * holds; BAD_INPUT for channels that the caller doesn't reach.
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
