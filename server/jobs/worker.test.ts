import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../clock.ts'
import { asTenant } from '../db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { until } from '../testing/until.ts'
import { enqueue } from './enqueue.ts'
import { defineJob } from './job.ts'
import { LivenessMonitor } from './livenessMonitor.ts'
import { startJobs, type Jobs } from './worker.ts'

let database: TestDatabase
let jobs: Jobs | undefined
const ran: string[] = []
const ORG = '01a1fb9e-4977-7e1a-86b1-3a6e6fb5d0e9'
const OTHER = '01a1fb9e-4977-7e1a-86b1-000000000000'

const note = defineJob({
  name: 'test.note',
  payload: z.object({ orgId: z.uuid(), word: z.string() }),
  run: async (_, { word }) => void ran.push(word),
})

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
afterEach(async () => {
  await jobs?.stop()
  jobs = undefined
  ran.length = 0
})

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const start = async (heartbeat = 5000) =>
  (jobs = await startJobs({ databases: database.databases, clock: systemClock, log: quiet, jobs: [note], heartbeat }))
const inTenant = <T>(work: Parameters<typeof asTenant<T>>[2]) => asTenant(database.databases.web, ORG, work)

test('runs a job after its transaction commits, and not after a rollback', async () => {
  await start()
  await expect(
    inTenant(async (tx) => {
      await enqueue(tx, note, { orgId: ORG, word: 'undone' })
      throw new Error('undo')
    }),
  ).rejects.toThrow('undo')
  await inTenant((tx) => enqueue(tx, note, { orgId: ORG, word: 'done' }))
  await until(() => ran.length > 0)
  expect(ran).toEqual(['done'])
})

test('keeps one job per key, the last one', async () => {
  for (const word of ['first', 'second', 'third'])
    await inTenant((tx) => enqueue(tx, note, { orgId: ORG, word }, { key: 'the same' }))
  await start()
  await until(() => ran.length > 0)
  const { rows } = await database.owner.query('select 1 from graphile_worker.jobs')
  expect([ran, rows]).toEqual([['third'], []])
})

test('keeps a tenant from enqueueing for another one', async () => {
  await expect(inTenant((tx) => enqueue(tx, note, { orgId: OTHER, word: 'foreign' }))).rejects.toThrow(
    /own organization/,
  )
})

test("unlocks a dead worker's jobs after three heartbeats", async () => {
  await inTenant((tx) => enqueue(tx, note, { orgId: ORG, word: 'orphaned' }))
  await database.owner.query(
    "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'pool-of-the-dead'",
  )
  await database.owner.query(
    "insert into node (id, started_at, seen_at, role, pool_id) values ($1, now(), now(), 'jobs', 'pool-of-the-dead')",
    [OTHER],
  )
  await start(50)
  await until(() => ran.includes('orphaned'))
  expect((await database.owner.query('select 1 from node where id = $1', [OTHER])).rows).toEqual([])
})

test('judges silence by the observer: a changing sign is life, whatever time it contains', () => {
  const silence = new LivenessMonitor(100)
  expect(
    silence.observe(
      [
        { id: 'a', sign: '1' },
        { id: 'b', sign: '1' },
      ],
      0,
    ),
  ).toEqual([])
  expect(
    silence.observe(
      [
        { id: 'a', sign: '1' },
        { id: 'b', sign: '2' },
      ],
      100,
    ),
  ).toEqual([])
  expect(
    silence.observe(
      [
        { id: 'a', sign: '1' },
        { id: 'b', sign: '2' },
      ],
      101,
    ),
  ).toEqual(['a'])
  expect(silence.observe([{ id: 'b', sign: '3' }], 201)).toEqual([])
})
