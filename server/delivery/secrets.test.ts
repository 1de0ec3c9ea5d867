import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '../db/system.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { makeChannels, makePublishingFixture } from '../testing/publishing.ts'
import { addSecretKey, keepNewestKey, loadSecret, readSecretKeys, resealSecrets, storeSecret } from './secrets.ts'

let database: TestDatabase
const NOW = new Date('2026-11-21T12:00:00Z')
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const system = <T>(work: Parameters<typeof asSystem<T>>[1]) => asSystem(database.databases.system, work)

test('creates the key file once, readable by its owner only, and reseals every row on rotation', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'rookery-keys-'))
  const first = readSecretKeys({ dataDir })
  expect(statSync(join(dataDir, 'encryption-keys')).mode & 0o777).toBe(0o600)
  expect(readSecretKeys({ dataDir })).toEqual(first)

  const house = await makePublishingFixture(database.owner, NOW)
  const channels = await makeChannels(database.owner, house, 3, { now: NOW, secret: ({ handle }) => ({ handle }) })
  for (const { channelId, handle } of channels)
    await system((tx) => storeSecret(tx, first, { orgId: house.orgId, channelId }, { token: handle }, null))

  const both = addSecretKey(dataDir)
  expect(both).toHaveLength(2)
  expect([
    await system((tx) => resealSecrets(tx, both, 2)),
    await system((tx) => resealSecrets(tx, both, 2)),
    await system((tx) => resealSecrets(tx, both, 2)),
  ]).toEqual([2, 1, 0])
  const newest = keepNewestKey(dataDir)
  expect(readFileSync(join(dataDir, 'encryption-keys'), 'utf8').trim().split('\n')).toHaveLength(1)
  for (const { channelId, handle } of channels) {
    expect(await system((tx) => loadSecret(tx, newest, { orgId: house.orgId, channelId }))).toEqual({
      secret: { token: handle },
      expiresAt: null,
      version: 2,
    })
    await expect(system((tx) => loadSecret(tx, first, { orgId: house.orgId, channelId }))).rejects.toThrow(/is missing/)
  }
})

test('seals with the first key from the environment, opens with any, and reports an invalid one', () => {
  const key = (fill: number) => Buffer.alloc(32, fill).toString('base64')
  const keys = readSecretKeys({ dataDir: '/nowhere', encryptionKey: `${key(1)},${key(2)}` })
  expect(keys.map(({ id }) => id)).toHaveLength(2)
  expect(keys[0].key).toEqual(Buffer.alloc(32, 1))
  expect(() => readSecretKeys({ dataDir: '/nowhere', encryptionKey: 'c2hvcnQ=' })).toThrow(/32 random bytes/)
})
