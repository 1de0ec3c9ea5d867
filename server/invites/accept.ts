import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import { lockSeats, noSeat } from '../members/seats.ts'
import { inviteById, type InviteFacts } from './access.ts'
import { countGuess } from './limits.ts'

export type Guest = { personId: string; email: string }
export type Accepted = {
  orgId: string
  projectId: string
  /** Accepted before; nothing changed. */ again: boolean
  invite: InviteFacts
}

/**
 * Finds the invitation for its recipient. An unknown id counts as the client's guess: INVITE_NOT_FOUND, then
 * RATE_LIMITED.
 */
export async function inviteForGuest(
  { system }: Pick<Databases, 'system'>,
  inviteId: string,
  personId: string,
  address: string,
  now: Date,
): Promise<{ invite: InviteFacts; guest: Guest }> {
  const { invite, person } = await asSystem(system, async (tx) => ({
    invite: await inviteById(tx, inviteId, now),
    person: await tx.selectFrom('person').select('email').where('id', '=', personId).executeTakeFirstOrThrow(),
  }))
  if (!invite) {
    await countGuess({ system }, address, now)
    throw fail('INVITE_NOT_FOUND')
  }
  return { invite, guest: { personId, email: person.email } }
}

/**
 * Adds the guest to the project, in the invitation's tenant, where the transaction stays. This uses up the invitation,
 * but a person who accepted it and is still there may repeat it. Removed members come back; people who are already in
 * the project keep their role. The role is the current one, and it doesn't matter if the sender has left or could no
 * longer grant it. Throws INVITE_NOT_FOUND, INVITE_WRONG_ADDRESS, INVITE_REVOKED, INVITE_EXPIRED, and PLAN_LIMIT if
 * there's no seat.
 */
export async function acceptInvite(tx: Tx, found: InviteFacts, guest: Guest, now: Date): Promise<Accepted> {
  const { orgId, inviteId } = found
  await sql`select set_config('app.org_id', ${orgId}, true)`.execute(tx)
  const seats = await lockSeats(tx, orgId, now)
  await tx
    .selectFrom('invite')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', inviteId)
    .forUpdate()
    .execute()
  const invite = await inviteById(tx, inviteId, now)
  if (!invite) throw fail('INVITE_NOT_FOUND')
  const accepted = { orgId, projectId: invite.projectId, invite }
  if (invite.state === 'accepted') {
    if (invite.acceptedBy !== guest.personId || !(await isInProject(tx, invite, guest))) throw fail('INVITE_NOT_FOUND')
    return { ...accepted, again: true }
  }
  mustBeOpenFor(invite, guest)
  await becomeMember(tx, orgId, guest, seats.allowed, now)
  await tx
    .insertInto('project_member')
    .values({
      org_id: orgId,
      project_id: invite.projectId,
      person_id: guest.personId,
      role_id: invite.roleId,
      channel_ids: invite.channelIds,
      publishing: invite.publishing,
      added_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .updateTable('invite')
    .set({ accepted_at: now, accepted_by: guest.personId })
    .where('org_id', '=', orgId)
    .where('id', '=', inviteId)
    .execute()
  return { ...accepted, again: false }
}

/**
 * Declines the invitation, which withdraws it. In its tenant, as acceptInvite. Throws INVITE_NOT_FOUND for one that was
 * answered, INVITE_WRONG_ADDRESS.
 */
export async function declineInvite(tx: Tx, found: InviteFacts, guest: Guest, now: Date): Promise<void> {
  const { orgId, inviteId } = found
  await sql`select set_config('app.org_id', ${orgId}, true)`.execute(tx)
  if (found.email !== guest.email) throw fail('INVITE_WRONG_ADDRESS')
  const declined = await tx
    .updateTable('invite')
    .set({ revoked_at: now })
    .where('org_id', '=', orgId)
    .where('id', '=', inviteId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!declined) throw fail('INVITE_NOT_FOUND')
}

function mustBeOpenFor(invite: InviteFacts, guest: Guest): void {
  if (invite.email !== guest.email) throw fail('INVITE_WRONG_ADDRESS')
  if (invite.state === 'revoked') throw fail('INVITE_REVOKED')
  if (invite.state === 'expired') throw fail('INVITE_EXPIRED')
}

/**
 * A seat for someone who has none yet. Others' open invitations don't count here: a free seat goes to the first person
 * to accept.
 */
async function becomeMember(tx: Tx, orgId: string, { personId }: Guest, seats: number, now: Date): Promise<void> {
  const members = await tx
    .selectFrom('member')
    .select('person_id')
    .where('org_id', '=', orgId)
    .where('removed_at', 'is', null)
    .execute()
  if (members.some((member) => member.person_id === personId)) return
  if (members.length >= seats) throw noSeat(seats)
  // otherwise someone added to a project at the moment of their removal could come back this way
  await tx.deleteFrom('project_member').where('org_id', '=', orgId).where('person_id', '=', personId).execute()
  // an admin who was removed comes back as a member
  await tx
    .insertInto('member')
    .values({ org_id: orgId, person_id: personId, is_admin: false, added_at: now, removed_at: null })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'person_id']).doUpdateSet({ is_admin: false, added_at: now, removed_at: null }),
    )
    .execute()
}

async function isInProject(tx: Tx, { orgId, projectId }: InviteFacts, { personId }: Guest): Promise<boolean> {
  const { rows } = await sql`
    select from member m where m.org_id = ${orgId} and m.person_id = ${personId} and m.removed_at is null
      and (m.is_admin or exists (select from project_member pm where pm.org_id = m.org_id and pm.project_id = ${projectId} and pm.person_id = m.person_id))`.execute(
    tx,
  )
  return rows.length > 0
}
