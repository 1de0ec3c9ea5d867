import { z } from 'zod'

/** Actions per resource, word for word from the specification (identity section 4, posts section 6). */
export const permissionTable = {
  channel: ['view', 'create', 'edit', 'delete'],
  role: ['view', 'assign', 'create', 'edit', 'delete'],
  user: ['view', 'add', 'delete'],
  publishing: ['view'],
  inbox: ['view'],
  canned_response: ['view', 'create', 'edit', 'delete'],
  workflow: ['view', 'create', 'edit', 'delete', 'approve'],
  insights: ['view', 'create', 'edit', 'delete'],
  label: ['view', 'create', 'edit', 'delete'],
  campaign: ['view', 'create', 'edit', 'delete'],
  hash_tags: ['view', 'create', 'edit', 'delete'],
  asset_library: ['view', 'delete', 'create'],
  audit: ['view'],
  // content kinds
  post: ['view', 'edit', 'create', 'delete', 'publish', 'needs_approval'],
  dm: ['view', 'edit', 'create', 'delete', 'publish', 'needs_approval'],
  comment: ['view', 'create', 'edit', 'delete'],
  queue: ['view', 'edit'],
  // scopes of an organisation
  project: ['view', 'edit', 'delete'],
  org_settings: ['view', 'edit', 'delete'],
} as const satisfies Record<string, readonly string[]>

export type Resource = keyof typeof permissionTable
export type Action = (typeof permissionTable)[Resource][number]
export const resources = Object.keys(permissionTable) as [Resource, ...Resource[]] // keys of a const object are its literal union

/** What a role holds: the allowed actions of each resource; an absent resource allows nothing. */
export const Permissions = z.partialRecord(z.enum(resources), z.array(z.string()))
export type Permissions = z.infer<typeof Permissions>

/** True when the permissions allow the action on the resource. Unknown names are never allowed. */
export function allows(permissions: Permissions, resource: Resource, action: Action): boolean {
  const known: readonly string[] = permissionTable[resource]
  return known.includes(action) && (permissions[resource]?.includes(action) ?? false)
}

const everything: Permissions = Object.fromEntries(Object.entries(permissionTable).map(([resource, actions]) => [resource, [...actions]]))
const viewOnly: Permissions = Object.fromEntries(resources.map((resource) => [resource, ['view']]))
const all = (resource: Resource): string[] => [...permissionTable[resource]]

/** The three system roles of every project, and the view-only default of whoever has none (decisions, Roles). */
export const systemRoles = {
  admin: { name: 'Admin', permissions: everything },
  editor: {
    name: 'Editor',
    permissions: {
      ...viewOnly,
      post: all('post'),
      comment: all('comment'),
      dm: all('dm'),
      queue: all('queue'),
      label: all('label'),
      campaign: all('campaign'),
      hash_tags: all('hash_tags'),
      canned_response: all('canned_response'),
      asset_library: all('asset_library'),
      insights: all('insights'),
      workflow: ['view', 'approve'],
      audit: [],
      org_settings: [],
    },
  },
  user: { name: 'User', permissions: { ...viewOnly, post: ['view', 'create', 'needs_approval'], audit: [], org_settings: [] } },
} as const satisfies Record<string, { name: string; permissions: Permissions }>

export type SystemRole = keyof typeof systemRoles
export const noRole: Permissions = viewOnly
