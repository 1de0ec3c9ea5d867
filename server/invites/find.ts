import type { Selectable } from 'kysely'
import type { Database } from '../db/schema.ts'
import { fail } from '../errors.ts'
import { findRole, type Granter, type RoleRecord } from '../roles/access.ts'
import type { Grant } from '../roles/grant.ts'

export type InviteRow = Selectable<Database['invite']>
type Place = Pick<Granter, 'tx' | 'org' | 'project'>

const unanswered = ({ tx, org, project }: Place) =>
  tx
    .selectFrom('invite')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)

/** The project's unanswered invitation of this address, locked; it may have expired. */
export async function findUnanswered(c: Place, { email }: { email: string }): Promise<InviteRow | undefined> {
  return await unanswered(c).where('email', '=', email).forUpdate().executeTakeFirst()
}

/**
 * The project's invitation, locked. NOT_FOUND if it was accepted or withdrawn, doesn't exist, or belongs to another
 * project.
 */
export async function loadInvite(c: Place, inviteId: string): Promise<InviteRow> {
  const invite = await unanswered(c).where('id', '=', inviteId).forUpdate().executeTakeFirst()
  if (!invite) throw fail('NOT_FOUND')
  return invite
}

/** What an unanswered invitation grants. */
export async function grantOf(c: Place, invite: InviteRow): Promise<Grant & { role: RoleRecord }> {
  // a constraint: only an answered one may have lost its role
  const role = await findRole(c, invite.role_id ?? '')
  return { role, channelIds: invite.channel_ids, publishing: invite.publishing === 'none' ? 'none' : 'full' }
}
