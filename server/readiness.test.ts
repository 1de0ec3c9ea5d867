import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DiskWatch } from './db/diskWatch.ts'
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

describe("when the database's disk is full", () => {
  it('says so from the first statement that fails, until a file can be written', async () => {
    const { system, web } = database.databases
    let hasSpace = false
    const disk = new DiskWatch(async () => {
      if (!hasSpace) throw new Error('could not write to file "base/pgsql_tmp/pgsql_tmp1.0"')
    })
    const ready = watchReadiness({ supervisor: null }, { system, web, disk }, 60_000)
    expect(await ready()).toEqual({ ready: true })
    disk.note('53100')
    const full = {
      ready: false,
      why: "the database's disk is full: nothing can be saved or published until you free space",
    }
    expect(await ready()).toEqual(full)
    expect(await ready()).toEqual(full)
    hasSpace = true
    expect(await ready()).toEqual({ ready: true })
  })

  it('learns it from any connection, tells once, and notices that there is space', async () => {
    const changes: boolean[] = []
    const { disk, web, publishing } = database.databases
    disk.onChange((isFull) => changes.push(isFull))
    const fail = (pool: typeof web, code: string) =>
      expect(
        pool.query(`do $$ begin raise exception 'could not extend file' using errcode = '${code}'; end $$`),
      ).rejects.toThrow('could not extend file')
    await fail(web, '53200')
    expect(changes).toEqual([])
    await fail(publishing, '53100')
    await fail(web, '53100')
    expect(changes).toEqual([true])
    expect(await watchReadiness({ supervisor: null }, database.databases, 60_000)()).toEqual({ ready: true })
    expect(changes).toEqual([true, false])
  })
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
