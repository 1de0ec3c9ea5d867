import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { ProjectParams } from '#contract/common.ts'
import { can, endpoint } from '#contract/endpoint.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { handleDetached } from './route.ts'

const reach = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/reach',
  summary: 'For this test',
  access: can('post', 'create'),
  cost: 'light',
  changes: [],
  params: ProjectParams,
  body: z.object({ fail: z.boolean() }),
  reply: z.object({ open: z.int(), tenant: z.string() }),
  audit: { action: 'reached', entity: 'test' },
})

let app: TestApp
/** What the test does while the verb is between its transactions. */
let meanwhile = async () => {}

beforeAll(async () => {
  const route = handleDetached(reach, async (c) => {
    const tenant = await c.inTenant(
      async (t) =>
        (await sql<{ org: string }>`select current_setting('app.org_id') as org`.execute(t.tx)).rows[0]?.org ?? '',
    )
    const open = await app.database.owner.query(
      `select count(*)::int as n from pg_stat_activity where application_name = 'rookery web' and state like 'idle in transaction%' and datname = current_database()`,
    )
    await meanwhile()
    await c.inTenant(async (t) => {
      await t.audit({ entityId: 'first' })
      if (c.body.fail) throw new Error('after the first statement')
    })
    return { open: open.rows[0].n, tenant }
  })
  app = await startApp({ routes: (routes) => [...routes, route] })
})
afterAll(() => app.close())

it('holds no transaction between its own, and keeps what they commit', async () => {
  const home = await app.signedInOwner()
  expect(await app.call(reach, { params: home.params, body: { fail: false } }, { as: home.person })).toEqual({
    open: 0,
    tenant: home.orgId,
  })
  const kept = await app.database.owner.query('select person_id from audit where org_id = $1', [home.orgId])
  expect(kept.rows).toEqual([{ person_id: home.person.personId }])
})

it('rolls back the transaction that fails', async () => {
  const home = await app.signedInOwner()
  await expect(
    app.call(reach, { params: home.params, body: { fail: true } }, { as: home.person }),
  ).rejects.toMatchObject({ code: 'INTERNAL' })
  expect((await app.database.owner.query('select 1 from audit where org_id = $1', [home.orgId])).rows).toEqual([])
})

it('checks permissions again after the network call', async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  meanwhile = async () => {
    await app.database.owner.query('update project_member set role_id = null where org_id = $1 and person_id = $2', [
      home.orgId,
      editor.personId,
    ])
  }
  await expect(app.call(reach, { params: home.params, body: { fail: false } }, { as: editor })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  meanwhile = async () => {}
})
