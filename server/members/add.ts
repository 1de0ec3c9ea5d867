import type { PublishingChoice } from '#contract/permissions.ts'
import { fail } from '../errors.ts'
import { withdrawInvites } from './withdrawInvites.ts'
import { findRole, type Granter } from '../roles/access.ts'
import { checkGrant, type Grant } from '../roles/grant.ts'
import { memberByEmail } from './access.ts'

export type NewUser = { email: string; roleId: string; channelIds: string[] | null; publishing: PublishingChoice }

/**
 * Adds a member of the organization to the project, which uses no seat and closes their open invitation to it. Throws
 * NOT_FOUND for an address that isn't a member's and a role that the project lacks, ALREADY_MEMBER, ROLE_EXCEEDS, and
 * BAD_INPUT for channels the caller can't access.
 */
export async function addUser(
  c: Granter,
  { email, roleId, channelIds, publishing }: NewUser,
  now: Date,
): Promise<{ userId: string; granted: Grant }> {
  const member = await memberByEmail(c, email)
  if (!member)
    throw fail('NOT_FOUND', {
      detail: 'Nobody in your organization uses this address. Invite them instead.',
      errors: { email: ['Nobody in your organization uses this address. Invite them instead.'] },
    })
  const role = await findRole(c, roleId)
  const granted = await checkGrant(c, { role, channelIds, publishing })
  if (member.isInProject) throw alreadyMember('email')
  const row = {
    org_id: c.org.orgId,
    project_id: c.project.projectId,
    person_id: member.userId,
    role_id: role.id,
    channel_ids: granted.channelIds,
    publishing: granted.publishing,
    added_at: now,
  }
  const added = await c.tx
    .insertInto('project_member')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('person_id')
    .executeTakeFirst()
  if (!added) throw alreadyMember('email')
  await withdrawInvites(
    c.tx,
    { orgId: c.org.orgId, projectId: c.project.projectId, personId: member.userId, sent: false },
    now,
  )
  return { userId: member.userId, granted }
}

const alreadyMember = (field: string) =>
  fail('ALREADY_MEMBER', { errors: { [field]: ['This person is already in the project.'] } })
