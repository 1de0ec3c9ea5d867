import { z } from 'zod'
import { Done, Id, PageQuery, Pagination, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import {
  customRole,
  grantableResources,
  Permissions,
  permissionTable,
  PublishingChoice,
  PublishingLevel,
  resources,
} from './permissions.ts'

export const roleKinds = ['admin', 'editor', 'user', 'custom'] as const
export const RoleKind = z.enum(roleKinds)
export type RoleKind = z.infer<typeof RoleKind>

export const RoleName = z
  .string()
  .trim()
  .min(1, 'Role name is required')
  .max(50, 'Role name is too long')
  .regex(/^[\p{L}\p{M}\d '’&_-]+$/u, 'Invalid role name')
/**
 * Refuses an action that the resource doesn't have, and any that only admins of the organization may have, with the
 * error at its resource.
 */
function mustBeGrantable(permissions: Permissions, context: z.RefinementCtx): void {
  for (const resource of resources) {
    const known: readonly string[] = permissionTable[resource]
    const asked = permissions[resource] ?? []
    const report = (message: string) => context.addIssue({ code: 'custom', path: [resource], message })
    if (asked.length > 0 && !grantableResources.includes(resource))
      report(`A custom role can't have rights on "${resource}".`)
    else if (asked.some((action) => !known.includes(action)))
      report(`Unknown action. The actions of "${resource}" are: ${known.join(', ')}.`)
  }
}

/**
 * A custom role as the editor sends it. Unknown actions, and those that no custom role may have, are refused; any other
 * action includes `view`, and channels can always be seen.
 */
export const NewRole = z.object({
  name: RoleName,
  permissions: Permissions.superRefine(mustBeGrantable).transform(customRole),
})

export const RoleEntry = z.object({ roleId: Id, name: z.string(), kind: RoleKind })
export type RoleEntry = z.infer<typeof RoleEntry>
export const Role = RoleEntry.extend({
  permissions: Permissions,
  /** Members of the project with this role, and open invitations to it. */
  members: z.int(),
  invites: z.int(),
  /** Whether the caller may assign it: it allows nothing that the caller may not do. */
  assignable: z.boolean(),
})
export type Role = z.infer<typeof Role>

/** A role as dialogs offer it: whether the caller may assign it, and how far posts get with it and Full Publishing. */
export const AssignableRole = RoleEntry.extend({ assignable: z.boolean(), publishes: PublishingLevel })
export type AssignableRole = z.infer<typeof AssignableRole>

const RoleParams = ProjectParams.extend({ roleId: Id })

export const listRoles = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/roles/list',
  summary: "List the names of all the project's roles, system roles first",
  access: can('role', 'view'),
  cost: 'light',
  reads: ['member'],
  params: ProjectParams,
  reply: z.object({ roles: z.array(AssignableRole) }),
  audit: null,
})
export const pageOfRoles = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/roles',
  summary: "List the project's roles and their permissions (paginated)",
  access: can('role', 'view'),
  cost: 'light',
  reads: ['member'],
  params: ProjectParams,
  query: PageQuery,
  reply: z.object({ roles: z.array(Role), pagination: Pagination }),
  audit: null,
})
export const createRole = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/roles',
  summary: 'Create a custom role (Team plan)',
  access: can('role', 'create'),
  cost: 'light',
  changes: ['member'],
  params: ProjectParams,
  body: NewRole,
  reply: Done.extend({ roleId: Id }),
  errors: ['PLAN_LIMIT', 'NAME_TAKEN', 'ROLE_EXCEEDS'],
  audit: { action: 'created', entity: 'role' },
})
export const editRole = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/roles/:roleId',
  summary: 'Update a custom role. Takes effect immediately for its members',
  access: can('role', 'edit'),
  cost: 'light',
  changes: ['member'],
  params: RoleParams,
  body: NewRole,
  reply: Done,
  errors: ['NOT_FOUND', 'PLAN_LIMIT', 'NAME_TAKEN', 'SYSTEM_ROLE', 'ROLE_EXCEEDS', 'OWN_ACCESS'],
  audit: { action: 'edited', entity: 'role' },
})
export const deleteRole = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/roles/:roleId',
  summary: 'Delete a custom role that nobody has',
  access: can('role', 'delete'),
  cost: 'light',
  changes: ['member'],
  params: RoleParams,
  reply: Done,
  errors: ['NOT_FOUND', 'SYSTEM_ROLE', 'ROLE_IN_USE'],
  audit: { action: 'deleted', entity: 'role' },
})

/**
 * The channels of an assignment: null for every channel of the project, including later ones; otherwise at least one.
 */
export const AssignedChannels = z.array(Id).min(1, 'Choose at least one channel').max(200).nullable()

export const assignRole = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/roles/assign',
  summary:
    "Assign a role and channels to a project member. You can't grant more than you have or change your own access",
  access: can('role', 'assign'),
  cost: 'light',
  changes: ['member'],
  params: ProjectParams,
  body: z.object({ roleId: Id, userId: Id, channelIds: AssignedChannels, publishing: PublishingChoice.optional() }),
  reply: Done,
  errors: ['NOT_FOUND', 'ROLE_EXCEEDS', 'OWN_ACCESS', 'ORG_ADMIN'],
  audit: { action: 'assigned', entity: 'role' },
})
