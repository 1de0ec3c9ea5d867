import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'
import { anyMember, anySession, can, everybody, type Access, type EndpointShape } from '#contract/endpoint.ts'
import type { Route } from '../http/route.ts'
import { makeWorld, walkAccess, walkObjects, type World } from '../testing/accessWalk.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let world: World
beforeAll(async () => {
  app = await startApp()
  world = await makeWorld(app)
})
afterAll(() => app.close())

const endpoints = Object.entries(api)

describe('every endpoint', () => {
  it('of the contract is registered, and no other', () => {
    const lines = (list: readonly EndpointShape[]) => list.map(({ method, path }) => `${method} ${path}`).toSorted()
    expect(lines(app.routes.map((route) => route.endpoint))).toEqual(lines(Object.values(api)))
  })

  it('that changes something declares its audit entry or why there is none', () => {
    for (const [name, { method, audit }] of endpoints) expect(audit === null, name).toBe(method === 'GET')
  })

  it.each(endpoints)('%s lets in whom it declares, and nobody else', async (name, endpoint) => {
    expect(await walkAccess(app, world, name, endpoint)).toEqual([])
  })

  const withObjects = endpoints.filter(([, { path }]) => /:(?!orgId|projectId)\w+/.test(path))
  it.each(withObjects)('%s finds no object of another tenant or project', async (name, endpoint) => {
    expect(await walkObjects(app, world, name, endpoint)).toEqual([])
  })
})

describe('the walk itself', () => {
  /** The product over the same people, in which endpoints check less than the contract says. */
  async function weakened(accessOf: (endpoint: EndpointShape) => Access, walk: (app: TestApp) => Promise<void>): Promise<void> {
    const weaken = (route: Route): Route => ({ ...route, endpoint: { ...route.endpoint, access: accessOf(route.endpoint) } })
    const weak = await startApp({ database: app.database, routes: (routes) => routes.map(weaken) })
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
          const faults = await walkAccess(weak, world, name, endpoint)
          if (endpoint.access.kind === 'public') expect(faults, name).toEqual([])
          else expect(faults, name).not.toEqual([])
        }
      },
    )
  })

  it('notices each endpoint that checks a little less', async () => {
    const less: Record<string, Access> = { home: anySession, createProject: anyMember, listNotices: anyMember, submitPost: can('post', 'view'), connectBluesky: can('channel', 'view') }
    await weakened(
      (endpoint) => Object.entries(less).find(([name]) => api[name] === endpoint)?.[1] ?? endpoint.access,
      async (weak) => {
        for (const [name, endpoint] of endpoints.filter(([known]) => known in less)) expect(await walkAccess(weak, world, name, endpoint), name).not.toEqual([])
      },
    )
  })
})
