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
export const Permissions = z.partialRecord(z.enum(resources), z.array(z.string()))
export type Permissions = z.infer<typeof Permissions>

/** True when the permissions allow the action on the resource. Unknown names are never allowed. */
export function allows(permissions: Permissions, resource: Resource, action: Action): boolean {
  const known: readonly string[] = permissionTable[resource]
  return known.includes(action) && (permissions[resource]?.includes(action) ?? false)
}

const everything: Permissions = Object.fromEntries(
  Object.entries(permissionTable).map(([resource, actions]) => [resource, [...actions]]),
)
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

/** Where a resource's actions count: for the organization as such, for a project, or on each channel that a role reaches. */
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
 * What a custom role may hold. Projects, organization settings and the audit log belong to the admins of the organization;
 * publishing is chosen by what may be done with posts and queues.
 */
export const grantableResources = resources.filter(
  (resource) => !['project', 'org_settings', 'audit', 'publishing'].includes(resource),
)

/**
 * Actions that no call asks for yet. Roles keep what they hold of them and the API takes them, but screens don't offer or
 * list them until what they are for exists. A test compares this with what the endpoints ask for.
 */
const notBuilt: Permissions = {
  publishing: ['view'],
  // replies
  dm: ['create', 'delete'],
  comment: ['create', 'delete'],
  insights: ['create', 'edit', 'delete'],
}

/** The actions of a resource that do something today. */
export function builtActions(resource: Resource): readonly Action[] {
  const actions: readonly Action[] = permissionTable[resource]
  return actions.filter((action) => !notBuilt[resource]?.includes(action))
}

/** "Publishing" of a member or a role: everything that the role allows, or looking only (decisions, Roles). */
export const publishingChoices = ['full', 'none'] as const
export const PublishingChoice = z.enum(publishingChoices)
export type PublishingChoice = z.infer<typeof PublishingChoice>
/** Its words on screen: those of the two choices are the specification's. */
export const publishingWords = {
  full: 'Full Publishing',
  approval: 'Needs approval',
  none: 'No Access',
} as const satisfies Record<PublishingChoice | 'approval', string>

/**
 * Whether seeing follows from another action, so that it can't be taken away alone. People who add users give them a
 * role, and notes are read beside their post.
 */
export function viewFollows(permissions: Permissions, resource: Resource): boolean {
  return (
    permissionTable[resource].some((action) => action !== 'view' && allows(permissions, resource, action)) ||
    (resource === 'role' && allows(permissions, 'user', 'add')) ||
    (resource === 'post' && permissionTable.note.some((action) => allows(permissions, 'note', action)))
  )
}

/** The permissions with known actions only, each once, in the table's order; with the sight that follows from them. */
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
 * What a custom role with these permissions holds: tidied, without what belongs to the admins of the organization. It
 * always sees the channels that it reaches: everything else in a project hangs on them.
 */
export function customRole(permissions: Permissions): Permissions {
  const grantable = Object.fromEntries(grantableResources.map((resource) => [resource, permissions[resource] ?? []]))
  return tidy({ ...grantable, channel: ['view', ...(permissions.channel ?? [])] })
}

/**
 * Whether the wide permissions allow everything that the narrow ones do. Nobody grants what they don't hold themselves.
 * Seeing what no custom role can hold makes no difference: everyone in a project sees it, and the rest asks for an
 * admin of the organization.
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
 * What is left of a role whose holder has No Access to publishing: posts and queues to look at, nothing to send. Internal
 * notes are never published, so that right stays.
 */
export function withoutPublishing(permissions: Permissions): Permissions {
  const only = (resource: Resource, kept: string): string[] =>
    (permissions[resource] ?? []).filter((action) => action === kept)
  return { ...permissions, publishing: [], post: only('post', 'view'), queue: only('queue', 'view') }
}

/** How far someone's posts get: published at once, sent for approval, or neither. */
const publishingLevels = ['full', 'approval', 'none'] as const
export const PublishingLevel = z.enum(publishingLevels)
export type PublishingLevel = z.infer<typeof PublishingLevel>

/** Whether someone with these permissions may publish posts, and decide what no longer waits for approval. */
export const mayPublish = (held: Permissions): boolean => allows(held, 'post', 'publish')

/** What permissions come to for publishing, which is what people call someone's permissions. */
export function publishingLevel(held: Permissions): PublishingLevel {
  if (mayPublish(held)) return 'full'
  return allows(held, 'post', 'create') && allows(held, 'post', 'needs_approval') ? 'approval' : 'none'
}

/** What a holder may do in a project: the role, narrowed by the publishing choice. Without a role: view only. */
export function effective(role: Permissions | null, publishing: PublishingChoice): Permissions {
  const held = role ?? noRole
  return publishing === 'none' ? withoutPublishing(held) : held
}

/** What the permissions of a project allow on one channel. `channelIds` null means every channel; outside it nothing is allowed. */
export function onChannel(project: Permissions, channelIds: readonly string[] | null, channelId: string): Permissions {
  return channelIds === null || channelIds.includes(channelId) ? project : {}
}
