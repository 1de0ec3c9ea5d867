import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import { anyMember, anySession, can, everybody, type Access, type EndpointShape } from '#contract/endpoint.ts'
import {
  effective,
  permissionTable,
  publishingChoices,
  resources,
  type Permissions,
  type Resource,
} from '#contract/permissions.ts'
import { createRole } from '#contract/roles.ts'
import type { Route } from '../http/route.ts'
import { modelRuns } from '../testing/modelRuns.ts'
import { makeAccessFixture, walkAccess, walkObjects, walkRole, type AccessFixture } from '../testing/accessWalk.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let world: AccessFixture
beforeAll(async () => {
  app = await startApp({ env: { PAYMENTS: 'local' } })
  world = await makeAccessFixture(app)
})
afterAll(() => app.close())

const endpoints = Object.entries(api)

describe('every endpoint', () => {
  it('of the contract is registered, and no other', () => {
    const lines = (list: readonly EndpointShape[]) => list.map(({ method, path }) => `${method} ${path}`).toSorted()
    expect(lines(app.routes.map((route) => route.endpoint))).toEqual(lines(Object.values(api)))
  })

  it('that changes something declares its audit entry or why there is none', () => {
    for (const [name, { method, audit, changes }] of endpoints)
      expect(audit === null, name).toBe(method === 'GET' && !changes)
  })

  it.each(endpoints)('%s lets in whom it declares, and nobody else', async (name, endpoint) => {
    expect(await walkAccess(app, world, name, endpoint)).toEqual([])
  })

  const withObjects = endpoints.filter(([, { path }]) => /:(?!orgId|projectId)\w+/.test(path))
  it.each(withObjects)('%s finds no object of another tenant or project', async (name, endpoint) => {
    expect(await walkObjects(app, world, name, endpoint)).toEqual([])
  })
})

describe('custom roles', () => {
  const inProject = endpoints.filter(([, { access }]) => access.kind === 'project')
  const pairs = resources.flatMap((resource) =>
    permissionTable[resource].map((action): [Resource, string] => [resource, action]),
  )
  const anyRole = fc
    .subarray(pairs)
    .map((held): Permissions =>
      Object.fromEntries(
        resources.map((resource) => [resource, held.filter(([of]) => of === resource).map(([, action]) => action)]),
      ),
    )

  const { runs, seed, timeout } = modelRuns('roles at random')
  it('are let in exactly where the contract says, whatever they hold', { timeout }, async () => {
    const holder = await app.colleague(world.home, 'none')
    const { roleId } = await app.call(
      createRole,
      { params: world.home.params, body: { name: 'Random', permissions: {} } },
      { as: world.home.person },
    )
    await app.database.owner.query('update project_member set role_id = $1 where project_id = $2 and person_id = $3', [
      roleId,
      world.home.projectId,
      holder.personId,
    ])
    await fc.assert(
      fc.asyncProperty(
        anyRole,
        fc.constantFrom(...publishingChoices),
        fc.subarray(inProject, { minLength: 12, maxLength: 24 }),
        async (permissions, publishing, sampled) => {
          await app.database.owner.query('update role set permissions = $1 where id = $2', [
            JSON.stringify(permissions),
            roleId,
          ])
          await app.database.owner.query('update project_member set publishing = $1 where role_id = $2', [
            publishing,
            roleId,
          ])
          expect(await walkRole(app, world.home, holder, effective(permissions, publishing), sampled)).toEqual([])
        },
      ),
      { numRuns: runs, seed },
    )
  })
})

describe('the walk itself', () => {
  /** The product over the same people, in which endpoints check less than the contract says. */
  async function weakened(
    accessOf: (endpoint: EndpointShape) => Access,
    walk: (app: TestApp) => Promise<void>,
  ): Promise<void> {
    const weaken = (route: Route): Route => ({
      ...route,
      endpoint: { ...route.endpoint, access: accessOf(route.endpoint) },
    })
    const weak = await startApp({
      database: app.database,
      env: { PAYMENTS: 'local' },
      routes: (routes) => routes.map(weaken),
    })
    try {
      await walk(weak)
    } finally {
      await weak.close()
    }
  }

  it('notices each endpoint that forgets its check', async () => {
    await weakened(
      () => everybody,
      async (weak) => {
        for (const [name, endpoint] of endpoints) {
          // nobody at the own place is let in: that has to show already
          const faults = await walkAccess(weak, world, name, endpoint, ['own'])
          if (endpoint.access.kind === 'public') expect(faults, name).toEqual([])
          else expect(faults, name).not.toEqual([])
        }
      },
    )
  })

  it('notices each endpoint that checks a little less', async () => {
    const less: Record<string, Access> = {
      home: anySession,
      createProject: anyMember,
      listNotices: anyMember,
      submitPost: can('post', 'view'),
      connectBluesky: can('channel', 'view'),
      assignRole: can('role', 'view'),
      inviteUsers: can('user', 'view'),
      removeFromOrganization: anyMember,
      appointAdmin: anyMember,
    }
    await weakened(
      (endpoint) => Object.entries(less).find(([name]) => api[name] === endpoint)?.[1] ?? endpoint.access,
      async (weak) => {
        for (const [name, endpoint] of endpoints.filter(([known]) => known in less))
          expect(await walkAccess(weak, world, name, endpoint), name).not.toEqual([])
      },
    )
  })
})
