import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { ProjectParams } from '#contract/common.ts'
import { can, endpoint } from '#contract/endpoint.ts'
import { Problem } from '#contract/errors.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { handle } from './route.ts'

/** Writes something, until PostgreSQL can't make a file longer. */
const fill = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/fill',
  summary: 'For this test',
  access: can('post', 'create'),
  cost: 'light',
  changes: [],
  params: ProjectParams,
  reply: z.object({}),
  audit: { action: 'filled', entity: 'test' },
})

const logged: string[] = []
let app: TestApp
beforeAll(async () => {
  app = await startApp({
    env: { LOG_LEVEL: 'error' },
    http: { logTo: { write: (line) => void logged.push(line) } },
    routes: (routes) => [
      ...routes,
      handle(fill, async (c) => {
        await c.audit({ entityId: '1' })
        await sql`do $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(c.tx)
        return {}
      }),
    ],
  })
})
afterAll(() => app.close())

it("a call that finds the disk full saves nothing, says so, and isn't logged each time", async () => {
  const home = await app.signedInOwner()
  const answer = await app.send(fill, { params: home.params }, { as: home.person })
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['retry-after']).toBe('30')
  expect(Problem.parse(answer.json())).toMatchObject({
    code: 'UNAVAILABLE',
    detail:
      "This wasn't saved, because the server's disk is full. Ask your Rookery administrator to free space, then try again.",
  })
  const { rows } = await app.database.owner.query("select from audit where org_id = $1 and entity = 'test'", [
    home.orgId,
  ])
  expect(rows).toEqual([])
  expect(logged).toEqual([])
})
