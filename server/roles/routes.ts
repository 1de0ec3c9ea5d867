import { paginationOf } from '#contract/common.ts'
import { publishingLevel } from '#contract/permissions.ts'
import * as contract from '#contract/roles.ts'
import { handle, type Route } from '../http/route.ts'
import { limitOffset } from '../http/limitOffset.ts'
import { createRole, deleteRole, difference, editRole, mustHaveCustomRoles } from './change.ts'
import { countRoles, findRoles } from './queries.ts'

export function roleRoutes(): Route[] {
  return [
    handle(contract.listRoles, async (c) => ({
      roles: (await findRoles(c)).map(({ roleId, name, kind, assignable, permissions }) => ({
        roleId,
        name,
        kind,
        assignable,
        publishes: publishingLevel(permissions),
      })),
    })),
    handle(contract.pageOfRoles, async (c) => {
      const [roles, total] = await Promise.all([findRoles(c, limitOffset(c.query)), countRoles(c)])
      return { roles, pagination: paginationOf(c.query, total) }
    }),

    handle(contract.createRole, async (c) => {
      mustHaveCustomRoles(c.org)
      const roleId = await createRole(c, c.body, c.now)
      await c.audit({ entityId: roleId, detail: difference({}, c.body.permissions) })
      await c.emit({ kind: 'member', ref: roleId })
      return { roleId, message: 'Role created successfully' }
    }),
    handle(contract.editRole, async (c) => {
      mustHaveCustomRoles(c.org)
      const { roleId } = c.params
      const changed = await editRole(c, roleId, c.body)
      await c.audit({ entityId: roleId, detail: changed })
      // without a person: every open screen of the project checks again
      await c.emit({ kind: 'member', ref: roleId })
      return { message: 'Role updated successfully' }
    }),
    handle(contract.deleteRole, async (c) => {
      const { roleId } = c.params
      await deleteRole(c, roleId, c.now)
      await c.audit({ entityId: roleId })
      await c.emit({ kind: 'member', ref: roleId })
      return { message: 'Role deleted successfully' }
    }),
  ]
}
