import { afterAll, beforeAll, expect, it } from 'vitest'
import { watchReadiness } from './readiness.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('notices that requests get no connection, says why, and notices when they do again', async () => {
  const { web } = database.databases
  // a connection that is free may take its time on a busy machine; one that isn't never comes
  const patient = watchReadiness({ supervisor: null }, database.databases, 60_000)
  expect(await patient()).toEqual({ ready: true })
  const held = await Promise.all(Array.from({ length: web.options.max }, () => web.connect()))
  const ready = watchReadiness({ supervisor: null }, database.databases, 50)
  expect(await ready()).toEqual({ ready: false, why: 'all 12 database connections for requests are in use' })
  for (const client of held) client.release()
  expect(await patient()).toEqual({ ready: true })
})

it('looks once for all who ask meanwhile', async () => {
  const { web } = database.databases
  const held = await Promise.all(Array.from({ length: web.options.max }, () => web.connect()))
  const ready = watchReadiness({ supervisor: null }, database.databases, 50)
  const asked = Array.from({ length: 20 }, () => ready())
  expect(new Set(asked)).toHaveLength(1)
  expect(new Set((await Promise.all(asked)).map((state) => state.ready))).toEqual(new Set([false]))
  expect(web.waitingCount).toBe(1)
  for (const client of held) client.release()
})
