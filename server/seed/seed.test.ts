import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { asSystem } from '../db/system.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { runProgram } from '../testing/program.ts'

// What `npm run seed` runs, on a database of its own.

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => await database.drop())

function seed() {
  const { folder, superuser } = inject('cluster')
  const DATABASE_URL = `postgres://${superuser.user}:${encodeURIComponent(superuser.password ?? '')}@localhost/${database.settings.app.database}?host=${encodeURIComponent(superuser.host)}`
  return runProgram(
    mkdtempSync(join(folder, 'seed-')),
    { DATABASE_URL, SIMULATED_CHANNELS: '1', ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') },
    fileURLToPath(new URL('main.ts', import.meta.url)),
  )
}

it('creates the demo organization once, and leaves every waiting post to the engine at its time', async () => {
  expect(await seed()).toMatchObject({ code: 0, output: expect.stringContaining('Created Northlight Coffee') })
  const waiting = await asSystem(
    database.databases.system,
    async (tx) =>
      (
        await sql<{ state: string; posts: number; timed: number; unknown: number }>`
        select p.state, count(*)::int as posts, count(d.step_at)::int as timed,
          count(*) filter (where p.due_at is not null and (d.step is null or d.wanted_at is distinct from p.due_at))::int as unknown
        from post p left join delivery d on d.org_id = p.org_id and d.subject_id = p.id and d.subject = 'post'
        where p.state in ('SCHEDULED', 'QUEUED') group by p.state order by p.state`.execute(tx)
      ).rows,
  )
  expect(waiting).toMatchObject([
    { state: 'QUEUED', unknown: 0 },
    { state: 'SCHEDULED', unknown: 0 },
  ])
  for (const { posts, timed } of waiting) {
    expect(posts).toBeGreaterThan(0)
    expect(timed).toBeGreaterThan(0)
  }
  expect(await seed()).toMatchObject({ output: expect.not.stringContaining('Created') })
}, 120_000)
