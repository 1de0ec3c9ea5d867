import * as contract from '#contract/invites.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import { handle, type Route } from '../http/route.ts'
import { finishSetupFeature, rememberProject } from '../people/person.ts'
import { emitOrganizationMember } from '../members/emitMember.ts'
import type { Dependencies } from '../dependencies.ts'
import { accessFacts } from '../roles/grant.ts'
import { inviteById } from './access.ts'
import { acceptInvite, declineInvite, inviteForGuest } from './accept.ts'
import { inviteUsers } from './invite.ts'
import { invitesChanged } from './events.ts'
import { countGuess } from './limits.ts'
import { inviteMail, type Letter } from './mails.ts'
import { findInvites, letterHead } from './queries.ts'
import { resendInvite, revokeInvite } from './resend.ts'

export function inviteRoutes(deps: Dependencies): Route[] {
  const { databases, mailer, env } = deps
  const post = (letter: Letter): void => mailer.post(inviteMail(letter, env.publicUrl))
  return [
    handle(contract.inviteUsers, async (c) => {
      const invited = await inviteUsers(c, databases, c.body.invites)
      const head = await letterHead(c)
      for (const { inviteId, email, role, grant, replaces } of invited) {
        await c.audit({
          entityId: inviteId,
          detail: { after: accessFacts(grant), ...(replaces !== null && { replaces }) },
        })
        c.afterCommit(() => post({ ...head, inviteId, email, roleName: role.name }))
      }
      await c.emit(invitesChanged(c.project))
      await asSystem(databases.system, (tx) => finishSetupFeature(tx, c.caller.personId, 'ADD_NEW_MEMBER'))
      return { inviteIds: invited.map(({ inviteId }) => inviteId), message: 'Users Invited Successfully' }
    }),
    handle(contract.listInvites, async (c) => ({ invites: await findInvites(c, c.now, env.publicUrl) })),
    handle(contract.resendInvite, async (c) => {
      const { inviteId } = c.params
      const { email, role } = await resendInvite(c, databases, inviteId)
      const head = await letterHead(c)
      await c.audit({ entityId: inviteId })
      await c.emit(invitesChanged(c.project))
      c.afterCommit(() => post({ ...head, inviteId, email, roleName: role.name }))
      return { message: 'Invitation resent' }
    }),
    handle(contract.revokeInvite, async (c) => {
      const { inviteId } = c.params
      await revokeInvite(c, inviteId)
      await c.audit({ entityId: inviteId })
      await c.emit(invitesChanged(c.project))
      return { message: 'Invitation revoked' }
    }),

    handle(contract.readInvite, async (c) => {
      const invite = await asSystem(databases.system, (tx) => inviteById(tx, c.params.inviteId, c.now))
      if (!invite) {
        await countGuess(databases, c.address, c.now)
        throw fail('INVITE_NOT_FOUND')
      }
      const { email, orgName, projectName, roleName, invitedBy, state } = invite
      return { email, orgName, projectName, roleName, invitedBy, state }
    }),
    handle(contract.acceptInvite, async (c) => {
      const { personId } = c.caller
      const { invite, guest } = await inviteForGuest(databases, c.params.inviteId, personId, c.address, c.now)
      const { orgId, projectId, again, invite: accepted } = await acceptInvite(c.tx, invite, guest, c.now)
      const { roleId, channelIds, publishing, inviteId } = accepted
      await c.audit({
        orgId,
        projectId,
        entityId: inviteId,
        detail: { after: { roleId, channelIds, publishing }, ...(again && { again }) },
      })
      // /onboarding, the next page, leads to the last project
      await asSystem(databases.system, (tx) => rememberProject(tx, personId, orgId, projectId))
      if (!again) await emitOrganizationMember(c, personId, orgId)
      return { orgId, projectId, message: 'Invitation accepted' }
    }),
    handle(contract.declineInvite, async (c) => {
      const { invite, guest } = await inviteForGuest(databases, c.params.inviteId, c.caller.personId, c.address, c.now)
      await declineInvite(c.tx, invite, guest, c.now)
      const { orgId, projectId, inviteId } = invite
      await c.audit({ orgId, projectId, entityId: inviteId })
      await c.emit({ orgId, ...invitesChanged({ projectId }) })
      return { message: 'Invitation declined' }
    }),
  ]
}
