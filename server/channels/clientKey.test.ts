import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { asSystem } from '../db/system.ts'
import type { SecretKeys } from '../sealing.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { clientKeyOf, resealClientKeys } from './clientKey.ts'

const old = { id: 'old', key: Buffer.alloc(32, 1) }
const newer = { id: 'new', key: Buffer.alloc(32, 2) }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const ask = (keys: SecretKeys) =>
  clientKeyOf({ pool: database.databases.system, keys, clock: systemClock }, 'bluesky')()

it("the installation's key is the same for all nodes, encrypted, and survives a rotation of the encryption keys", async () => {
  const [first, second] = await Promise.all([ask([old]), ask([old])])
  expect(first).toEqual(second)
  expect(first).toMatchObject({ kty: 'EC', crv: 'P-256', d: expect.any(String) })
  const { rows } = await database.owner.query("select platform, encode(sealed, 'escape') as sealed from client_key")
  expect(rows).toHaveLength(1)
  expect(rows[0].sealed).not.toContain(first.d)
  expect(await asSystem(database.databases.system, (tx) => resealClientKeys(tx, [newer, old]))).toBe(1)
  expect(await asSystem(database.databases.system, (tx) => resealClientKeys(tx, [newer, old]))).toBe(0)
  expect(await ask([newer])).toEqual(first)
  await expect(ask([old])).rejects.toThrow('missing')
})
