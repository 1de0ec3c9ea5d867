import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { keepPartitions } from './partitions.ts'
import { forgetOld } from './retention.ts'

let database: TestDatabase
const NOW = new Date('2026-11-21T12:00:00Z')
const ORG = '01a1fb9e-4977-7e1a-86b1-3a6e6fb5d0e9'
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000)

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const parts = async (parent: string) => {
  const { rows } = await database.owner.query<{ name: string }>(
    'select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1',
    [parent],
  )
  return rows.map((row) => row.name)
}
const event = (at: Date) =>
  database.owner.query("insert into event (org_id, at, kind, ref) values ($1, $2, 'post', 'x')", [ORG, at])
const events = async () => (await database.owner.query<{ n: number }>('select count(*) as n from event')).rows[0]?.n

test('creates partitions ahead, repeatedly, even if the default one was already used', async () => {
  await event(NOW)
  await keepPartitions(database.databases.system, NOW)
  await keepPartitions(database.databases.system, NOW)
  // today's rows came before today's partition: they stay, and the following days have theirs
  expect(await parts('event')).toEqual(['event_20261122', 'event_20261123', 'event_20261124', 'event_default'])
  expect(await parts('attempt')).toEqual(['attempt_202611', 'attempt_202612', 'attempt_202701', 'attempt_default'])
})

test('creates each partition once when nodes start together', async () => {
  // months that no other test here knows
  const moments = Array.from({ length: 6 }, (_, i) => new Date(Date.UTC(2030, i * 4)))
  for (const moment of moments)
    await Promise.all(Array.from({ length: 4 }, () => keepPartitions(database.databases.system, moment)))
  const months = (await parts('audit')).filter((name) => name.startsWith('audit_203'))
  expect(months).toEqual(
    moments.flatMap((moment) => {
      const first = moment.getUTCFullYear() * 12 + moment.getUTCMonth()
      return [0, 1, 2].map(
        (i) => `audit_${Math.floor((first + i) / 12)}${String(((first + i) % 12) + 1).padStart(2, '0')}`,
      )
    }),
  )
})

test('deletes what has expired, and nothing else', async () => {
  await keepPartitions(database.databases.system, daysAgo(10))
  for (const days of [9, 5, 3, 0]) await event(daysAgo(days))
  await forgetOld(database.databases.system, NOW)
  expect(await events()).toBe(2)
  expect((await parts('event')).filter((name) => name < 'event_20261119')).toEqual([])
})

test('deletes unassigned provider notifications after 30 days, even unapplied ones, and keeps those of an organization with it', async () => {
  const person = await database.owner.query<{ id: string }>(
    "insert into person (id, email, password_hash, first_name, last_name, created_at) values (gen_random_uuid(), 'ana@example.org', 'x', 'Ana', 'Ruiz', now()) returning id",
  )
  await database.owner.query(
    "insert into organization (org_id, name, org_type, org_size, created_at, created_by) values ($1, 'Kept', 'individual', '1', now(), $2)",
    [ORG, person.rows[0]?.id],
  )
  const told = (id: string, days: number, of: string | null, outcome: string | null) =>
    database.owner.query(
      "insert into provider_event (id, provider, type, occurred_at, received_at, payload, org_id, outcome) values ($1, 'paddle', 'transaction.paid', $2, $2, '{}', $3, $4)",
      [id, daysAgo(days), of, outcome],
    )
  await told('old', 31, null, 'unknown')
  await told('stuck', 31, null, null)
  await told('young', 29, null, 'unknown')
  await told('ours', 31, ORG, 'applied')
  await forgetOld(database.databases.system, NOW)
  expect((await database.owner.query('select id from provider_event order by id')).rows).toEqual([
    { id: 'ours' },
    { id: 'young' },
  ])
})
