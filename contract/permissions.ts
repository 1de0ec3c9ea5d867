import { z } from 'zod'

/**
 * Actions per resource, from the specification (identity section 4, posts section 6) with two additions of ours: `edit` on
 * channels (name, time zone, lateness limit), and `note`, the internal notes on posts and conversations. `dm` and `comment` are the inbox's
 * and have the same four actions (decisions, Inbox).
 */
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
  note: ['view', 'create'],
  dm: ['view', 'create', 'edit', 'delete'],
  comment: ['view', 'create', 'edit', 'delete'],
  queue: ['view', 'edit'],
  // scopes of an organization
  project: ['view', 'edit', 'delete'],
  org_settings: ['view', 'edit', 'delete'],
} as const satisfies Record<string, readonly string[]>

export type Resource = keyof typeof permissionTable
export type Action = (typeof permissionTable)[Resource][number]
export const resources = Object.keys(permissionTable) as [Resource, ...Resource[]] // keys of a const object are its literal union

/** What a role holds: the allowed actions of each resource; an absent resource allows nothing. */
export const Permissions = z.partialRecord(z.enum(resources), z.array(z.string().max(40)).max(40))
export type Permissions = z.infer<typeof Permissions>

/** Whether the permissions allow the action on the resource. Unknown names are never allowed. */
export function allows(permissions: Permissions, resource: Resource, action: Action): boolean {
  const known: readonly string[] = permissionTable[resource]
  return known.includes(action) && (permissions[resource]?.includes(action) ?? false)
}

const everything: Permissions = Object.fromEntries(
  Object.entries(permissionTable).map(([resource, actions]) => [resource, [...actions]]),
)
const viewOnly: Permissions = Object.fromEntries(resources.map((resource) => [resource, ['view']]))
const all = (resource: Resource): string[] => [...permissionTable[resource]]

/** The three system roles of every project, and the view-only default for members without one (decisions, Roles). */
export const systemRoles = {
  admin: { name: 'Admin', permissions: everything },
  editor: {
    name: 'Editor',
    permissions: {
      ...viewOnly,
      post: all('post'),
      note: all('note'),
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
  user: {
    name: 'User',
    permissions: {
      ...viewOnly,
      post: ['view', 'create', 'needs_approval'],
      note: all('note'),
      audit: [],
      org_settings: [],
    },
  },
} as const satisfies Record<string, { name: string; permissions: Permissions }>

export type SystemRole = keyof typeof systemRoles
export const noRole: Permissions = viewOnly

/** Where a resource's actions apply: to the organization, to a project, or to each channel that a role can access. */
export const permissionLevels = {
  organization: ['project', 'org_settings', 'audit'],
  project: [
    'channel',
    'role',
    'user',
    'workflow',
    'label',
    'campaign',
    'hash_tags',
    'canned_response',
    'asset_library',
  ],
  channel: ['publishing', 'post', 'note', 'queue', 'inbox', 'dm', 'comment', 'insights'],
} as const satisfies Record<string, readonly Resource[]>
export type PermissionLevel = keyof typeof permissionLevels

/**
 * What a custom role can have. Projects, organization settings and the audit log are for organization admins;
 * publishing is chosen by what the role can do with posts and queues.
 */
export const grantableResources = resources.filter(
  (resource) => !['project', 'org_settings', 'audit', 'publishing'].includes(resource),
)

/**
 * Actions that no endpoint checks yet. Roles keep them and the API accepts them, but screens don't offer or list them
 * until their feature exists. `server/access/catalog.test.ts` compares this with what the server checks.
 */
const notBuilt: Permissions = {
  publishing: ['view'],
}

/** The actions of a resource that are in use. */
export function builtActions(resource: Resource): readonly Action[] {
  const actions: readonly Action[] = permissionTable[resource]
  return actions.filter((action) => !notBuilt[resource]?.includes(action))
}

/** "Publishing" of a member or a role: everything that the role allows, or view-only (decisions, Roles). */
export const publishingChoices = ['full', 'none'] as const
export const PublishingChoice = z.enum(publishingChoices)
export type PublishingChoice = z.infer<typeof PublishingChoice>
/** Its names on screen: those of the two choices are the specification's. */
export const publishingWords = {
  full: 'Full Publishing',
  approval: 'Needs approval',
  none: 'No Access',
} as const satisfies Record<PublishingChoice | 'approval', string>

/**
 * Whether view is implied by another action, so that it can't be removed alone. People who add users give them a role,
 * notes are shown next to their post, who approves posts has to see them, and direct messages and comments are shown in the
 * inbox.
 */
export function viewFollows(permissions: Permissions, resource: Resource): boolean {
  const holds = (other: Resource) => permissionTable[other].some((action) => allows(permissions, other, action))
  return (
    permissionTable[resource].some((action) => action !== 'view' && allows(permissions, resource, action)) ||
    (resource === 'role' && allows(permissions, 'user', 'add')) ||
    (resource === 'post' && (holds('note') || allows(permissions, 'workflow', 'approve'))) ||
    (resource === 'inbox' && (holds('dm') || holds('comment')))
  )
}

/** The permissions with known actions only, without duplicates, in the table's order, with implied views. */
export function tidy(permissions: Permissions): Permissions {
  const entries = resources.map((resource): [Resource, string[]] => {
    const held = permissions[resource] ?? []
    return [
      resource,
      permissionTable[resource].filter(
        (action) => held.includes(action) || (action === 'view' && viewFollows(permissions, resource)),
      ),
    ]
  })
  return Object.fromEntries(entries.filter(([, actions]) => actions.length > 0))
}

/**
 * What a custom role with these permissions has: normalized, without what belongs to organization admins. It can always
 * view the channels it has access to, because everything else in a project depends on them.
 */
export function customRole(permissions: Permissions): Permissions {
  const grantable = Object.fromEntries(grantableResources.map((resource) => [resource, permissions[resource] ?? []]))
  return tidy({ ...grantable, channel: ['view', ...(permissions.channel ?? [])] })
}

/**
 * Whether the wide permissions allow everything that the narrow ones do. Nobody can grant what they don't have
 * themselves. View permissions that no custom role can have make no difference: everyone in a project has them, or
 * they're for organization admins.
 */
export function covers(wide: Permissions, narrow: Permissions): boolean {
  return comparedActions.every(
    ([resource, action]) => !allows(narrow, resource, action) || allows(wide, resource, action),
  )
}

const comparedActions = resources.flatMap((resource) =>
  permissionTable[resource].flatMap((action): [Resource, Action][] =>
    action === 'view' && !grantableResources.includes(resource) ? [] : [[resource, action]],
  ),
)

/**
 * A role after No Access to publishing: posts and queues can be viewed, nothing can be sent. Internal notes are never
 * published, so that permission stays.
 */
export function withoutPublishing(permissions: Permissions): Permissions {
  const only = (resource: Resource, kept: string): string[] =>
    (permissions[resource] ?? []).filter((action) => action === kept)
  return { ...permissions, publishing: [], post: only('post', 'view'), queue: only('queue', 'view') }
}

/** How far someone's posts get: published right away, sent for approval, or neither. */
const publishingLevels = ['full', 'approval', 'none'] as const
export const PublishingLevel = z.enum(publishingLevels)
export type PublishingLevel = z.infer<typeof PublishingLevel>

/**
 * Whether someone with these permissions may publish posts, and decide about posts that no longer wait for approval.
 */
export const mayPublish = (held: Permissions): boolean => allows(held, 'post', 'publish')

/** The effect of permissions on publishing, which is what people call someone's permissions. */
export function publishingLevel(held: Permissions): PublishingLevel {
  if (mayPublish(held)) return 'full'
  return allows(held, 'post', 'create') && allows(held, 'post', 'needs_approval') ? 'approval' : 'none'
}

/** What a member can do in a project: the role, limited by the publishing choice. Without a role: view-only. */
export function effective(role: Permissions | null, publishing: PublishingChoice): Permissions {
  const held = role ?? noRole
  return publishing === 'none' ? withoutPublishing(held) : held
}

/**
 * What project permissions allow on one channel. `channelIds` null means every channel; on channels outside it, nothing
 * is allowed.
 */
export function onChannel(project: Permissions, channelIds: readonly string[] | null, channelId: string): Permissions {
  return channelIds === null || channelIds.includes(channelId) ? project : {}
}
