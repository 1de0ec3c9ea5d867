import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { ProjectParams } from '#contract/common.ts'
import { can, endpoint } from '#contract/endpoint.ts'
import { handle } from '../http/route.ts'
import { startApp, type TestApp } from './startApp.ts'

const whoAmI = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/who-am-i',
  summary: 'For this test',
  access: can('post', 'create'),
  cost: 'light',
  reads: [],
  params: ProjectParams,
  reply: z.object({ personId: z.string(), roleName: z.string().nullable() }),
  audit: null,
})

let app: TestApp
beforeAll(async () => {
  app = await startApp({
    routes: (routes) => [
      ...routes,
      handle(whoAmI, async (c) => ({ personId: c.caller.personId, roleName: c.project.roleName })),
    ],
  })
})
afterAll(() => app.close())

it('signs builders in and lets their roles count', async () => {
  const home = await app.signedInOwner()
  expect(await app.call(whoAmI, { params: home.params }, { as: home.person })).toEqual({
    personId: home.person.personId,
    roleName: 'Admin',
  })
  const user = await app.colleague(home, 'user')
  expect(await app.call(whoAmI, { params: home.params }, { as: user })).toMatchObject({ roleName: 'User' })
  const none = await app.colleague(home, 'none')
  await expect(app.call(whoAmI, { params: home.params }, { as: none })).rejects.toMatchObject({
    code: 'FORBIDDEN',
    status: 403,
  })
  const elsewhere = await app.signedInOwner()
  await expect(app.call(whoAmI, { params: home.params }, { as: elsewhere.person })).rejects.toMatchObject({
    code: 'IDENTIFIERS_ERROR',
    status: 404,
  })
  await expect(app.call(whoAmI, { params: home.params })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})
