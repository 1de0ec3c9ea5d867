import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Action,
  allows,
  covers,
  customRole,
  effective,
  grantableResources,
  noRole,
  onChannel,
  type Permissions,
  permissionTable,
  publishingChoices,
  publishingLevel,
  type Resource,
  resources,
  systemRoles,
  tidy,
} from './permissions.ts'
import { NewRole } from './roles.ts'

describe('permissions', () => {
  it('allow Admin everything, and a person without a role only viewing', () => {
    for (const resource of resources) {
      for (const action of permissionTable[resource]) {
        expect(allows(systemRoles.admin.permissions, resource, action)).toBe(true)
        expect(allows(noRole, resource, action)).toBe(action === 'view')
      }
    }
  })
  it('let Editor work on content and only view channels and users', () => {
    const editor = systemRoles.editor.permissions
    expect(allows(editor, 'post', 'publish')).toBe(true)
    expect(allows(editor, 'channel', 'create')).toBe(false)
    expect(allows(editor, 'user', 'add')).toBe(false)
    expect(allows(editor, 'workflow', 'approve')).toBe(true)
    expect(allows(editor, 'workflow', 'create')).toBe(false)
  })
  it('let User write posts that need approval, and publish none', () => {
    const user = systemRoles.user.permissions
    expect(allows(user, 'post', 'create')).toBe(true)
    expect(allows(user, 'post', 'needs_approval')).toBe(true)
    expect(allows(user, 'post', 'publish')).toBe(false)
    expect(allows(user, 'post', 'delete')).toBe(false)
  })
  it('let Editor and User write internal notes, and people without a role read them', () => {
    for (const role of ['admin', 'editor', 'user'] as const)
      expect(allows(systemRoles[role].permissions, 'note', 'create')).toBe(true)
    expect([allows(noRole, 'note', 'view'), allows(noRole, 'note', 'create')]).toEqual([true, false])
  })
  it("have the inbox's four actions for direct messages and comments", () => {
    expect(permissionTable.dm).toEqual(['view', 'create', 'edit', 'delete'])
    expect(permissionTable.comment).toEqual(permissionTable.dm)
  })
  it('say how far posts get', () => {
    const level = (role: Permissions) => publishingLevel(role)
    expect(Object.values(systemRoles).map(({ permissions }) => level(permissions))).toEqual([
      'full',
      'full',
      'approval',
    ])
    expect(level(effective(systemRoles.user.permissions, 'none'))).toBe('none')
    expect([level(noRole), level({ post: ['create'] }), level({ post: ['needs_approval'] })]).toEqual([
      'none',
      'none',
      'none',
    ])
  })
  it("never allow an action that the resource doesn't have", () => {
    expect(allows({ label: ['publish'] }, 'label' satisfies Resource, 'publish')).toBe(false)
  })
})

const pairs = resources.flatMap((resource) =>
  permissionTable[resource].map((action): [Resource, Action] => [resource, action]),
)
/** Any possible role. */
const aRole = fc.subarray(pairs).map(asPermissions)
/** Anything a column or a body may contain: unknown actions, duplicates, any order, resources left out or empty. */
const anyPermissions: fc.Arbitrary<Permissions> = fc.dictionary(
  fc.constantFrom(...resources),
  fc.array(fc.oneof(fc.constantFrom(...new Set(pairs.map(([, action]) => action))), fc.string()), { maxLength: 8 }),
)
const aChoice = fc.constantFrom(...publishingChoices)
const channels = ['a', 'b', 'c', 'd']
const someChannels = fc.option(fc.subarray(channels), { nil: null })

function asPermissions(held: readonly [Resource, Action][]): Permissions {
  const permissions: Permissions = {}
  for (const [resource, action] of held) permissions[resource] = [...(permissions[resource] ?? []), action]
  return permissions
}
const without = (permissions: Permissions, resource: Resource, action: Action): Permissions => ({
  ...permissions,
  [resource]: (permissions[resource] ?? []).filter((held) => held !== action),
})
const heldIn = (permissions: Permissions) => pairs.filter(([resource, action]) => allows(permissions, resource, action))

describe('for every role', () => {
  it('removing an action grants nothing, with any publishing choice', () => {
    fc.assert(
      fc.property(anyPermissions, fc.constantFrom(...pairs), aChoice, (role, [resource, action], choice) => {
        const less = without(role, resource, action)
        expect(covers(role, less)).toBe(true)
        expect(covers(effective(role, choice), effective(less, choice))).toBe(true)
        expect(allows(effective(less, choice), resource, action)).toBe(false)
      }),
    )
  })

  it('No Access is covered by Full Publishing, publishes nothing, and leaves the rest as it was', () => {
    fc.assert(
      fc.property(fc.option(anyPermissions, { nil: null }), (role) => {
        const [full, none] = [effective(role, 'full'), effective(role, 'none')]
        expect(covers(full, none)).toBe(true)
        const lost = heldIn(full).filter(([resource, action]) => !allows(none, resource, action))
        for (const [resource, action] of lost)
          expect(
            resource === 'publishing' || ((resource === 'post' || resource === 'queue') && action !== 'view'),
          ).toBe(true)
        for (const action of ['create', 'edit', 'publish', 'delete', 'needs_approval'] as const)
          expect(allows(none, 'post', action)).toBe(false)
      }),
    )
  })

  it("a channel's scope never exceeds the project's", () => {
    fc.assert(
      fc.property(
        anyPermissions,
        someChannels,
        fc.constantFrom(...channels, 'unknown'),
        (project, channelIds, channelId) => {
          const there = onChannel(project, channelIds, channelId)
          expect(covers(project, there)).toBe(true)
          if (channelIds !== null && !channelIds.includes(channelId)) expect(heldIn(there)).toEqual([])
          // fewer channels never allow more
          if (channelIds !== null) expect(covers(there, onChannel(project, channelIds.slice(1), channelId))).toBe(true)
          expect(covers(onChannel(project, null, channelId), there)).toBe(true)
        },
      ),
    )
  })

  it('tidying again changes nothing, keeps every known action, and only adds viewing', () => {
    fc.assert(
      fc.property(anyPermissions, (role) => {
        const tidied = tidy(role)
        expect(tidy(tidied)).toEqual(tidied)
        expect(covers(tidied, role)).toBe(true)
        for (const [resource, action] of heldIn(tidied))
          expect(allows(role, resource, action) || action === 'view').toBe(true)
        for (const [resource, actions] of Object.entries(tidied))
          expect(actions).toEqual(permissionTable[resource as Resource].filter((action) => actions.includes(action))) // the keys of permissions are resources
      }),
    )
  })

  it('tidying keeps the order: larger roles stay larger', () => {
    fc.assert(
      fc.property(anyPermissions, fc.constantFrom(...pairs), (role, [resource, action]) => {
        expect(covers(tidy(role), tidy(without(role, resource, action)))).toBe(true)
      }),
    )
  })

  it('covering is a partial order over what is allowed', () => {
    fc.assert(
      fc.property(aRole, aRole, aRole, (a, b, c) => {
        expect(covers(a, a)).toBe(true)
        if (covers(a, b) && covers(b, a)) expect(customRole(a)).toEqual(customRole(b))
        if (covers(a, b) && covers(b, c)) expect(covers(a, c)).toBe(true)
        // it's inclusion and nothing else, over what roles can differ in
        expect(covers(a, b)).toBe(
          heldIn(b).every(
            ([resource, action]) =>
              allows(a, resource, action) || (action === 'view' && !grantableResources.includes(resource)),
          ),
        )
        expect(covers(systemRoles.admin.permissions, a)).toBe(true)
        expect(covers(a, {})).toBe(true)
      }),
    )
    // transitivity of chains that exist, which random values rarely form
    fc.assert(
      fc.property(
        aRole,
        fc.array(fc.constantFrom(...pairs), { maxLength: 6 }),
        fc.array(fc.constantFrom(...pairs), { maxLength: 6 }),
        (a, first, second) => {
          const b = first.reduce((held, [resource, action]) => without(held, resource, action), a)
          const c = second.reduce((held, [resource, action]) => without(held, resource, action), b)
          expect(covers(a, c)).toBe(true)
        },
      ),
    )
  })

  it('a custom role has nothing of the organization, and always views channels', () => {
    fc.assert(
      fc.property(anyPermissions, (asked) => {
        const role = customRole(asked)
        expect(NewRole.parse({ name: 'Any', permissions: role }).permissions).toEqual(role)
        expect(customRole(role)).toEqual(role)
        expect(allows(role, 'channel', 'view')).toBe(true)
        for (const [resource, action] of heldIn(role)) {
          expect(grantableResources).toContain(resource)
          expect(allows(asked, resource, action) || action === 'view').toBe(true)
        }
      }),
    )
  })
})

describe('a new custom role', () => {
  const errorsOf = (permissions: Permissions) =>
    NewRole.safeParse({ name: 'Any', permissions }).error?.issues.map(({ path, message }) => [path.join('.'), message])
  it("is refused with an action that its resource doesn't have", () => {
    expect(errorsOf({ post: ['view', 'explode'] })).toEqual([
      [
        'permissions.post',
        'Unknown action. The actions of "post" are: view, edit, create, delete, publish, needs_approval.',
      ],
    ])
    expect(errorsOf({ dm: ['publish'] })).toHaveLength(1)
    expect(errorsOf({ post: ['view', 'view'], label: [] })).toBeUndefined()
  })
  it("is refused with organization admins' permissions", () => {
    expect(errorsOf({ audit: ['view'], project: ['delete'], org_settings: [], publishing: ['view'] })).toHaveLength(3)
  })
  it('that approves posts can view them', () => {
    expect(customRole({ workflow: ['approve'] })).toEqual({
      channel: ['view'],
      workflow: ['view', 'approve'],
      post: ['view'],
    })
    expect(customRole({ workflow: ['view', 'edit'] }).post).toBeUndefined()
  })

  it('that reads or writes notes can view their posts', () => {
    expect(customRole({ note: ['create'] })).toEqual({ channel: ['view'], post: ['view'], note: ['view', 'create'] })
  })
  it('that has any permission for messages or comments can open the inbox', () => {
    const inbox = { channel: ['view'], inbox: ['view'] }
    for (const resource of ['dm', 'comment'] as const)
      for (const action of permissionTable[resource])
        expect(customRole({ [resource]: [action] })).toEqual({
          ...inbox,
          [resource]: permissionTable[resource].filter((one) => one === 'view' || one === action),
        })
    expect(customRole({ dm: [], post: ['view'] }).inbox).toBeUndefined()
  })
  it('without access to publishing keeps its notes', () => {
    const client = customRole({ post: ['view'], note: ['create'] })
    expect(allows(effective(client, 'none'), 'note', 'create')).toBe(true)
  })
})

describe('the largest possible custom role', () => {
  const widest = customRole(systemRoles.admin.permissions)
  it('covers User and Editor, and not Admin', () => {
    expect(covers(widest, systemRoles.user.permissions)).toBe(true)
    expect(covers(widest, systemRoles.editor.permissions)).toBe(true)
    expect(covers(widest, systemRoles.admin.permissions)).toBe(false)
  })
  it('includes nothing that no call checks', () => {
    expect(widest.audit).toBeUndefined()
    expect(widest.publishing).toBeUndefined()
  })
})

it('shows the assignable roles to anyone who can add users', () => {
  expect(customRole({ user: ['add'] })).toEqual({ channel: ['view'], role: ['view'], user: ['view', 'add'] })
})

describe('no role', () => {
  it('is covered by every system role wherever that role can view the resource', () => {
    for (const { permissions } of Object.values(systemRoles)) {
      for (const resource of resources)
        if (allows(permissions, resource, 'view'))
          expect(covers(permissions, { [resource]: noRole[resource] })).toBe(true)
    }
    expect(covers(systemRoles.admin.permissions, noRole)).toBe(true)
  })
})
