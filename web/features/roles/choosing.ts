import {
  allows,
  builtActions,
  grantableResources,
  permissionLevels,
  permissionTable,
  publishingChoices,
  tidy,
  withoutPublishing,
  type Action,
  type Permissions,
  type PermissionLevel,
  type PublishingChoice,
  type Resource,
} from '#contract/permissions.ts'

/** Publishing permissions: the shortcut sets and clears these. */
const publishingResources = ['post', 'queue'] as const satisfies readonly Resource[]

/** What every role includes: the project's pages and menus need it. */
const everyRole: Permissions = { channel: ['view'] }

/** The permissions that the editor starts with. */
export function startOf(permissions: Permissions): Permissions {
  return tidy({ ...permissions, channel: [...(everyRole.channel ?? []), ...(permissions.channel ?? [])] })
}

/** The resources that a role can grant today, by level. */
export function grantableOf(level: PermissionLevel): readonly Resource[] {
  const shown = grantableResources.filter((resource) => builtActions(resource).length > 0)
  return permissionLevels[level].filter((resource) => shown.includes(resource))
}

/** The permissions with one action added or removed; people who can act on something can view it. */
export function withAction(permissions: Permissions, resource: Resource, action: Action, on: boolean): Permissions {
  const held = (permissions[resource] ?? []).filter((one) => one !== action)
  return tidy({ ...permissions, [resource]: on ? [...held, action] : held })
}

/** The shortcut: all publishing permissions as far as the person has them, or view-only posts and queues. */
export function withPublishing(permissions: Permissions, choice: PublishingChoice, own: Permissions): Permissions {
  if (choice === 'none') return tidy({ ...withoutPublishing(permissions), post: ['view'], queue: ['view'] })
  const full = Object.fromEntries(
    publishingResources.map((resource) => [
      resource,
      permissionTable[resource].filter(
        (action: Action) => allows(own, resource, action) || allows(permissions, resource, action),
      ),
    ]),
  )
  return tidy({ ...permissions, ...full })
}

/** Which shortcut matches the permissions; undefined for something in between. */
export function publishingOf(permissions: Permissions, own: Permissions): PublishingChoice | undefined {
  const same = (a: Permissions, b: Permissions) =>
    publishingResources.every((resource) =>
      permissionTable[resource].every((action) => allows(a, resource, action) === allows(b, resource, action)),
    )
  return publishingChoices.find((choice) => same(permissions, withPublishing(permissions, choice, own)))
}

/** What a copied role may include: what a custom role can, as far as the person has it. */
export function grantablePart(permissions: Permissions, own: Permissions): Permissions {
  return Object.fromEntries(
    grantableResources.map((resource) => [
      resource,
      (permissions[resource] ?? []).filter((action) => (own[resource] ?? []).includes(action)),
    ]),
  )
}
