import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { OrgParams } from '#contract/common.ts'
import { anyMember, endpoint } from '#contract/endpoint.ts'
import { createProject } from '#contract/organizations.ts'
import { asTenant } from '../db/tenant.ts'
import { fail } from '../errors.ts'
import { handle } from '../http/route.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

const shape = {
  method: 'POST',
  summary: 'For this test',
  access: anyMember,
  cost: 'light',
  changes: [],
  params: OrgParams,
  reply: z.object({}),
  audit: { action: 'tested', entity: 'test' },
} as const
const forgetful = endpoint({ ...shape, path: '/api/:orgId/test/forgetful' })
const failing = endpoint({ ...shape, path: '/api/:orgId/test/failing' })

let app: TestApp
beforeAll(async () => {
  app = await startApp({
    routes: (routes) => [
      ...routes,
      handle(forgetful, async (c) => {
        await c.emit({ kind: 'post', ref: 'forgotten' })
        return {}
      }),
      handle(failing, async (c) => {
        await c.audit({ entityId: randomUUIDv7() })
        throw fail('NAME_TAKEN')
      }),
    ],
  })
})
afterAll(() => app.close())

const entries = async (orgId: string) =>
  (
    await app.database.owner.query(
      'select action, entity, entity_id, person_id, project_id, at from audit where org_id = $1',
      [orgId],
    )
  ).rows

it('records who did what, with the client address in a table that can be erased', async () => {
  const home = await app.signedInOwner()
  const { projectId } = await app.call(
    createProject,
    { params: home.params, body: { projectName: 'Audited' } },
    { as: home.person, remoteAddress: '192.0.2.7' },
  )
  expect(await entries(home.orgId)).toEqual([
    {
      action: 'created',
      entity: 'project',
      entity_id: projectId,
      person_id: home.person.personId,
      project_id: projectId,
      at: app.clock.now(),
    },
  ])
  const clients = await app.database.owner.query('select address from audit_client where org_id = $1', [home.orgId])
  expect(clients.rows).toEqual([{ address: '192.0.2.7' }])
})

it('can be written and read by the app, never changed or deleted', async () => {
  const home = await app.signedInOwner()
  await app.call(createProject, { params: home.params, body: { projectName: 'Kept' } }, { as: home.person })
  const inTenant = <T>(fn: Parameters<typeof asTenant<T>>[2]) => asTenant(app.parts.databases.web, home.orgId, fn)
  expect(await inTenant((tx) => tx.selectFrom('audit').select('entity').execute())).toEqual([{ entity: 'project' }])
  await expect(inTenant((tx) => tx.updateTable('audit').set({ action: 'nothing' }).execute())).rejects.toThrow(
    'permission denied',
  )
  await expect(inTenant((tx) => tx.deleteFrom('audit').execute())).rejects.toThrow('permission denied')
  await expect(inTenant((tx) => tx.updateTable('audit_client').set({ address: '' }).execute())).rejects.toThrow(
    'permission denied',
  )
  expect(await entries(home.orgId)).toHaveLength(1)
})

it('is rolled back with the change it describes', async () => {
  const home = await app.signedInOwner()
  await expect(app.call(failing, { params: home.params }, { as: home.person })).rejects.toMatchObject({
    code: 'NAME_TAKEN',
  })
  expect(await entries(home.orgId)).toEqual([])
})

it("can't be forgotten: an endpoint that declares an entry and writes none fails, along with its change", async () => {
  const home = await app.signedInOwner()
  await expect(app.call(forgetful, { params: home.params }, { as: home.person })).rejects.toMatchObject({
    code: 'INTERNAL',
  })
  const told = await app.database.owner.query("select from event where ref = 'forgotten'")
  expect(told.rows).toEqual([])
})
