import type { Databases } from '../db/pools.ts'
import { lockSeats, mustHaveSeats } from '../members/seats.ts'
import type { RoleRecord } from '../roles/access.ts'
import { mustCover } from '../roles/grant.ts'
import { grantOf, loadInvite } from './find.ts'
import { endOfInvite, type InviteContext } from './invite.ts'
import { countMails } from './limits.ts'

/**
 * Resends an invitation, which is valid for 7 more days from now. An expired one needs a seat again (PLAN_LIMIT).
 * Throws NOT_FOUND, ROLE_EXCEEDS for one that grants more than the caller has, and RATE_LIMITED: once a minute, 5 times
 * a day.
 */
export async function resendInvite(
  c: InviteContext,
  databases: Pick<Databases, 'system'>,
  inviteId: string,
): Promise<{ email: string; role: RoleRecord }> {
  const { orgId } = c.org
  const seats = await lockSeats(c.tx, orgId, c.now)
  const invite = await loadInvite(c, inviteId)
  const grant = await grantOf(c, invite)
  mustCover(c, grant)
  await c.tx
    .updateTable('invite')
    .set({ sent_at: c.now, expires_at: endOfInvite(c.now) })
    .where('org_id', '=', orgId)
    .where('id', '=', inviteId)
    .execute()
  if (invite.expires_at <= c.now) await mustHaveSeats(c.tx, orgId, seats, c.now)
  await countMails(databases, {
    orgId,
    personId: c.caller.personId,
    emails: [invite.email],
    again: inviteId,
    now: c.now,
  })
  return { email: invite.email, role: grant.role }
}

/** Withdraws an invitation. Throws NOT_FOUND, and ROLE_EXCEEDS for one that grants more than the caller has. */
export async function revokeInvite(c: InviteContext, inviteId: string): Promise<void> {
  mustCover(c, await grantOf(c, await loadInvite(c, inviteId)))
  await c.tx
    .updateTable('invite')
    .set({ revoked_at: c.now })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', inviteId)
    .execute()
}
