import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { ProjectParams } from '#contract/common.ts'
import { can, endpoint } from '#contract/endpoint.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { despiteDeadlocks } from './deadlock.ts'
import { handle } from './route.ts'

/** Locks two advisory keys in the given order, once both callers hold their first. */
const cross = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/cross',
  summary: 'For this test',
  access: can('post', 'create'),
  cost: 'light',
  changes: [],
  params: ProjectParams,
  body: z.object({ first: z.int(), second: z.int() }),
  reply: z.object({ tries: z.int() }),
  audit: { action: 'crossed', entity: 'test' },
})

let app: TestApp
const tries = new Map<number, number>()
let arrived: PromiseWithResolvers<void>
let waiting = 0

beforeAll(async () => {
  app = await startApp({
    routes: (routes) => [
      ...routes,
      handle(cross, async (c) => {
        const { first, second } = c.body
        const nth = (tries.get(first) ?? 0) + 1
        tries.set(first, nth)
        await c.audit({ entityId: String(first) })
        await sql`select pg_advisory_xact_lock(${first})`.execute(c.tx)
        waiting += 1
        if (waiting === 2) arrived.resolve()
        await arrived.promise
        await sql`select pg_advisory_xact_lock(${second})`.execute(c.tx)
        return { tries: nth }
      }),
    ],
  })
})
afterAll(() => app.close())

it('two requests that deadlock both succeed, each once', async () => {
  const home = await app.signedInOwner()
  arrived = Promise.withResolvers<void>()
  const call = (first: number, second: number) =>
    app.call(cross, { params: home.params, body: { first, second } }, { as: home.person })
  const replies = await Promise.all([call(1, 2), call(2, 1)])
  expect(replies.map((reply) => reply.tries).toSorted((a, b) => a - b)).toEqual([1, 2])
  const { rows } = await app.database.owner.query('select entity_id from audit where org_id = $1 order by entity_id', [
    home.orgId,
  ])
  expect(rows).toEqual([{ entity_id: '1' }, { entity_id: '2' }])
})

it('gives up after three, and immediately for anything else', async () => {
  let runs = 0
  const failing = (code: string) => async (): Promise<never> => {
    runs += 1
    throw Object.assign(new Error('no'), { code })
  }
  await expect(despiteDeadlocks(failing('40P01'))).rejects.toThrow('no')
  expect(runs).toBe(3)
  await expect(despiteDeadlocks(failing('23505'))).rejects.toThrow('no')
  expect(runs).toBe(4)
})
