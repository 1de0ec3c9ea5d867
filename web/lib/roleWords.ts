import {
  allows,
  builtActions,
  grantableResources,
  type Action,
  type Permissions,
  type PermissionLevel,
  type Resource,
} from '#contract/permissions.ts'

/** Names of resources in a role's table. */
export const resourceNames: Record<Resource, string> = {
  channel: 'Channels',
  role: 'Roles',
  user: 'Users',
  publishing: 'Publishing',
  inbox: 'Inbox',
  canned_response: 'Canned responses',
  workflow: 'Approval workflows',
  insights: 'Insights',
  label: 'Labels',
  campaign: 'Campaigns',
  hash_tags: 'Hashtag groups',
  asset_library: 'Asset library',
  audit: 'Audit log',
  post: 'Posts',
  dm: 'Direct messages',
  note: 'Internal notes',
  comment: 'Comments, mentions and reviews',
  queue: 'Queues',
  project: 'Projects',
  org_settings: 'Organization settings',
}

export const levelNames: Record<PermissionLevel, string> = {
  organization: 'Organization',
  project: 'Project',
  channel: 'On its channels',
}

const actionNames: Record<Action, string> = {
  view: 'View',
  create: 'Create',
  edit: 'Edit',
  delete: 'Delete',
  assign: 'Assign',
  add: 'Add',
  approve: 'Approve',
  publish: 'Publish',
  needs_approval: 'Needs approval',
}

/** Actions that are called otherwise on some resources. */
const otherNames: Partial<Record<Resource, Partial<Record<Action, string>>>> = {
  note: { create: 'Write' },
  channel: { create: 'Connect' },
  user: { delete: 'Remove' },
  dm: { create: 'Reply', edit: 'Manage' },
  comment: { create: 'Reply', edit: 'Manage' },
}

export const actionName = (resource: Resource, action: Action): string =>
  otherNames[resource]?.[action] ?? actionNames[action]

/** The actions of a resource that exist today, as people read them: viewing and common ones first. */
export function actionsOf(resource: Resource): readonly Action[] {
  const first: readonly Action[] = ['view', 'create', 'add', 'edit', 'delete']
  const place = (action: Action) => (first.includes(action) ? first.indexOf(action) : first.length)
  return builtActions(resource).toSorted((a: Action, b: Action) => place(a) - place(b))
}

/** What a resource's actions affect, in a sentence. */
const nouns: Record<Resource, string> = {
  channel: 'channels',
  role: 'roles',
  user: 'users',
  publishing: 'the publishing area',
  inbox: 'the inbox',
  canned_response: 'canned responses',
  workflow: 'approval workflows',
  insights: 'insights',
  label: 'labels',
  campaign: 'campaigns',
  hash_tags: 'hashtag groups',
  asset_library: 'the asset library',
  audit: 'the audit log',
  post: 'posts',
  dm: 'direct messages',
  note: 'internal notes',
  comment: 'comments, mentions and reviews',
  queue: 'queues',
  project: 'projects',
  org_settings: 'the organization settings',
}
/** Actions that aren't a verb before their noun. */
const phrases: Partial<Record<Resource, Partial<Record<Action, string>>>> = {
  post: { needs_approval: 'send posts for approval' },
  workflow: { approve: 'approve posts' },
  dm: { create: 'reply to direct messages', edit: 'assign, label and close direct messages' },
  comment: {
    create: 'reply to comments, mentions and reviews',
    edit: 'assign, label and close comments, mentions and reviews',
  },
  asset_library: { create: 'add to the asset library', delete: 'delete from the asset library' },
}
const verbs: Record<Action, string> = {
  view: 'see',
  create: 'create',
  edit: 'edit',
  delete: 'delete',
  assign: 'assign',
  add: 'add',
  approve: 'approve',
  publish: 'publish',
  needs_approval: 'send for approval',
}
const verbOf = (resource: Resource, action: Action): string =>
  otherNames[resource]?.[action]?.toLowerCase() ?? verbs[action]

/** The order in which people think of them. */
const order: readonly Resource[] = [
  'post',
  'note',
  'queue',
  'campaign',
  'label',
  'hash_tags',
  'asset_library',
  'workflow',
  'comment',
  'dm',
  'inbox',
  'canned_response',
  'insights',
  'publishing',
  'channel',
  'user',
  'role',
  'audit',
  'project',
  'org_settings',
]

export type RoleSummary = {
  /** "Create, edit and delete posts", one line per resource. */
  can: string[]
  /** What can only be viewed: "channels, users and roles". */
  looksAt: string[]
  /** What can be viewed but not done, one line per resource. */
  cannot: string[]
  /** What can't be viewed. */
  cannotSee: string[]
}

/**
 * What a role can and can't do, in plain words: what exists today, and what a role grants. Projects, organization
 * settings and the audit log belong to organization admins, whatever their role.
 */
export function summaryOf(permissions: Permissions): RoleSummary {
  const summary: RoleSummary = { can: [], looksAt: [], cannot: [], cannotSee: [] }
  for (const resource of order) {
    const actions = actionsOf(resource)
    if (actions.length === 0 || !grantableResources.includes(resource)) continue
    const held = actions.filter((action) => allows(permissions, resource, action))
    const active = held.filter((action) => action !== 'view')
    if (active.length > 0) summary.can.push(sentence(resource, active))
    else if (held.length > 0) summary.looksAt.push(nouns[resource])
    if (held.length === 0) {
      summary.cannotSee.push(nouns[resource])
      continue
    }
    const lacking = actions.filter((action) => !held.includes(action))
    if (lacking.length > 0) summary.cannot.push(sentence(resource, lacking))
  }
  return summary
}

/** "a, b and c" */
export function listOf(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

function sentence(resource: Resource, actions: readonly Action[]): string {
  const special = actions.flatMap((action) => phrases[resource]?.[action] ?? [])
  const plain = actions
    .filter((action) => phrases[resource]?.[action] === undefined)
    .map((action) => verbOf(resource, action))
  const text = [plain.length > 0 ? `${listOf(plain)} ${nouns[resource]}` : '', ...special].filter(Boolean).join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
