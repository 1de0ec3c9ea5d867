import { paginationOf } from '#contract/common.ts'
import * as contract from '#contract/members.ts'
import { assignRole as assignRoleEndpoint } from '#contract/roles.ts'
import { asSystem } from '../db/system.ts'
import { handle, type Route } from '../http/route.ts'
import { limitOffset } from '../http/limitOffset.ts'
import { loggedOutByAdminMail } from './mails.ts'
import { withSecondFactor } from '../people/person.ts'
import { endSessions } from '../people/sessions.ts'
import type { Dependencies } from '../dependencies.ts'
import { accessFacts } from '../roles/grant.ts'
import { loadColleague, removalMail } from './access.ts'
import { addUser } from './add.ts'
import { assignRole } from './assign.ts'
import {
  countOrgUsers,
  countProjectUsers,
  findAddable,
  findOrgUsers,
  findProjectUsers,
  namesOfProjectUsers,
} from './queries.ts'
import { appointAdmin, leaveOrganization, removeFromOrganization, removeFromProject } from './remove.ts'
import { emitMember, emitOrganizationMember } from './emitMember.ts'

export function memberRoutes(deps: Pick<Dependencies, 'databases' | 'mailer' | 'env'>): Route[] {
  return [
    handle(contract.listUsers, async (c) => {
      const [users, total] = await Promise.all([findProjectUsers(c, limitOffset(c.query)), countProjectUsers(c)])
      return { users, pagination: paginationOf(c.query, total) }
    }),
    handle(contract.allUsers, async (c) => ({ users: await namesOfProjectUsers(c) })),
    handle(contract.addableUsers, async (c) => ({ users: await findAddable(c) })),

    handle(contract.addUser, async (c) => {
      const { userId, granted } = await addUser(c, c.body, c.now)
      await c.audit({ entityId: userId, detail: { after: accessFacts(granted) } })
      await emitMember(c, userId)
      return { userId, message: 'User added successfully' }
    }),
    handle(contract.removeFromProject, async (c) => {
      const { userId } = c.params
      const before = await removeFromProject(c, userId, c.now)
      await c.audit({ entityId: userId, detail: { before } })
      await emitMember(c, userId)
      const mail = await removalMail(c, userId, c.project.projectId)
      c.afterCommit(() => deps.mailer.post(mail))
      return { message: 'User deleted from project successfully' }
    }),

    handle(assignRoleEndpoint, async (c) => {
      const { before, after } = await assignRole(c, c.body)
      await c.audit({ entityId: c.body.roleId, detail: { userId: c.body.userId, before, after } })
      await emitMember(c, c.body.userId)
      return { message: 'Role assigned successfully' }
    }),

    handle(contract.listOrgUsers, async (c) => {
      const [found, total] = await Promise.all([findOrgUsers(c, limitOffset(c.query)), countOrgUsers(c)])
      const ids = found.map(({ userId }) => userId)
      const protectedIds = await asSystem(deps.databases.system, (tx) => withSecondFactor(tx, ids))
      const users = found.map((user) => ({ ...user, secondFactor: protectedIds.has(user.userId) }))
      return { users, pagination: paginationOf(c.query, total) }
    }),
    handle(contract.removeFromOrganization, async (c) => {
      const { userId } = c.params
      const left = await removeFromOrganization(c, userId, c.now)
      await c.audit({ entityId: userId, detail: { before: left } })
      await emitOrganizationMember(c, userId)
      const mail = await removalMail(c, userId)
      c.afterCommit(() => deps.mailer.post(mail))
      return { message: 'User deleted from org successfully' }
    }),
    handle(contract.appointAdmin, async (c) => {
      const { userId } = c.params
      const before = await appointAdmin(c, userId, c.body.isOrgAdmin)
      await c.audit({
        entityId: userId,
        detail: { before: { isOrgAdmin: before }, after: { isOrgAdmin: c.body.isOrgAdmin } },
      })
      await emitOrganizationMember(c, userId)
      return { message: c.body.isOrgAdmin ? 'Admin added' : 'No longer an organization admin' }
    }),
    handle(contract.endMemberSessions, async (c) => {
      const { userId } = c.params
      const { email, firstName, orgName } = await loadColleague(c, userId)
      await asSystem(deps.databases.system, (tx) => endSessions(tx, userId, {}, c.now))
      await c.audit({ entityId: userId })
      c.afterCommit(() => deps.mailer.post(loggedOutByAdminMail(email, firstName, orgName, deps.env.publicUrl)))
      return { message: 'Logged out on all devices' }
    }),
    handle(contract.leaveOrganization, async (c) => {
      const left = await leaveOrganization(c, c.now)
      await c.audit({ entityId: c.caller.personId, detail: { before: left } })
      await emitOrganizationMember(c, c.caller.personId)
      return { message: 'You left the organization' }
    }),
  ]
}
