import { randomUUID } from 'node:crypto'
import type { NewInvite } from '#contract/invites.ts'
import type { Databases } from '../db/pools.ts'
import { fail, Failure } from '../errors.ts'
import type { CallerOrg } from '../http/route.ts'
import { memberByEmail } from '../members/access.ts'
import { lockSeats, mustHaveSeats } from '../members/seats.ts'
import { findRole, findSystemRole, type Granter, type RoleRecord } from '../roles/access.ts'
import { checkGrant, mustCover, type Grant } from '../roles/grant.ts'
import { findUnanswered, grantOf } from './find.ts'
import { countMails } from './limits.ts'
import { INVITE_DAYS } from './mails.ts'

export type InviteContext = Granter & { org: Pick<CallerOrg, 'orgId' | 'isAdmin'>; now: Date }
export type Invited = {
  inviteId: string
  email: string
  role: RoleRecord
  grant: Grant
  /** The invitation it replaces. */ replaces: string | null
}

/** When an invitation sent now expires. */
export const endOfInvite = (now: Date): Date => new Date(now.getTime() + INVITE_DAYS * 86_400_000)

/**
 * Invites people to the project, all or none. An unanswered invitation of the same address is replaced. Problems are
 * reported at their row's field, as `invites.0.email`: BAD_INPUT (a duplicate, an inaccessible channel),
 * ALREADY_MEMBER, NOT_FOUND (a role), ROLE_EXCEEDS. Throws PLAN_LIMIT if there aren't enough seats, and RATE_LIMITED.
 */
export async function inviteUsers(
  c: InviteContext,
  databases: Pick<Databases, 'system'>,
  invites: readonly NewInvite[],
): Promise<Invited[]> {
  const { orgId } = c.org
  const seats = await lockSeats(c.tx, orgId, c.now)
  const checked = await checkRows(c, invites)
  for (const { replaces } of checked)
    if (replaces !== null)
      await c.tx
        .updateTable('invite')
        .set({ revoked_at: c.now })
        .where('org_id', '=', orgId)
        .where('id', '=', replaces)
        .execute()
  await c.tx
    .insertInto('invite')
    .values(
      checked.map(({ inviteId, email, grant }) => ({
        org_id: orgId,
        id: inviteId,
        project_id: c.project.projectId,
        email,
        role_id: grant.role.id,
        channel_ids: grant.channelIds,
        publishing: grant.publishing,
        invited_by: c.caller.personId,
        created_at: c.now,
        sent_at: c.now,
        expires_at: endOfInvite(c.now),
        accepted_at: null,
        accepted_by: null,
        revoked_at: null,
      })),
    )
    .execute()
  await mustHaveSeats(c.tx, orgId, seats, c.now)
  await countMails(databases, {
    orgId,
    personId: c.caller.personId,
    emails: checked.map(({ email }) => email),
    now: c.now,
  })
  return checked
}

/** Checks every row and reports all problems at once, under the first one's code. */
async function checkRows(c: InviteContext, invites: readonly NewInvite[]): Promise<Invited[]> {
  const rows: Invited[] = []
  const faults: { code: Failure['code']; detail: string }[] = []
  const errors: Record<string, string[]> = {}
  for (const [index, invite] of invites.entries()) {
    try {
      if (invites.slice(0, index).some(({ email }) => email === invite.email))
        throw fail('BAD_INPUT', { errors: { email: ['This address is listed more than once.'] } })
      rows.push(await checkRow(c, invite))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      faults.push({ code: error.code, detail: error.message })
      for (const [field, messages] of Object.entries(error.facts.errors ?? { role: [error.message] }))
        errors[`invites.${index}.${field}`] = messages
    }
  }
  const [first] = faults
  if (first) throw fail(first.code, { detail: first.detail, errors })
  return rows
}

async function checkRow(c: InviteContext, invite: NewInvite): Promise<Invited> {
  const role = invite.roleId === undefined ? await findSystemRole(c, invite.role) : await findRole(c, invite.roleId)
  const grant = await checkGrant(c, { role, channelIds: invite.channelIds ?? null, publishing: invite.publishing })
  const member = await memberByEmail(c, invite.email)
  if (member?.isInProject)
    throw fail('ALREADY_MEMBER', { errors: { email: ['This person is already in the project.'] } })
  const replaced = await findUnanswered(c, { email: invite.email })
  if (replaced) mustCover(c, await grantOf(c, replaced))
  return { inviteId: randomUUID(), email: invite.email, role, grant, replaces: replaced?.id ?? null }
}
