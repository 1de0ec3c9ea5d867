import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quickAddJob } from 'graphile-worker'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../clock.ts'
import { startDatabase, type RunningDatabase } from '../db/database.ts'
import { openDatabases, type Databases } from '../db/pools.ts'
import { until } from '../testing/until.ts'
import { defineJob } from './job.ts'
import { startJobs, type Jobs } from './worker.ts'

let folder: string
let running: RunningDatabase
let databases: Databases
let jobs: Jobs
const kills: string[] = []
const states: string[] = []

/** Kills PostgreSQL under the worker, which then has to record the job's outcome. */
const killer = defineJob({
  name: 'test.kill',
  payload: z.object({ outcome: z.enum(['succeed', 'fail']), round: z.number() }),
  run: async ({ databases: { system } }, { outcome, round }) => {
    kills.push(`${outcome} ${round}`)
    // a commit that waits for the disk makes the job's own lock durable, too
    await system.query("select pg_logical_emit_message(true, 'test', '')")
    process.kill(running.supervisor?.pid() ?? 0, 'SIGKILL')
    await until(() => states.at(-1) !== 'ready', { what: 'the end of PostgreSQL to be noticed' })
    if (outcome === 'fail') throw new Error(`round ${round}`)
  },
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rookery-killed-database-'))
  running = await startDatabase({
    dataDir: join(folder, 'data'),
    onState: (state) => states.push(state),
  })
  databases = openDatabases(running.settings)
  const log = { error: () => {}, warn: () => {}, info: () => {} }
  jobs = await startJobs({ databases, clock: systemClock, log, jobs: [killer], heartbeat: 200 })
})

afterAll(async () => {
  await jobs.stop()
  await databases.close()
  await running.stop()
  rmSync(folder, { recursive: true, force: true })
})

// an unhandled rejection in any round fails the run
it('records the outcome of jobs once the database is back, every time', async () => {
  for (let round = 0; round < 2; round++) {
    for (const outcome of ['succeed', 'fail'] as const) {
      const key = `${outcome} ${round}`
      await until(() =>
        quickAddJob({ pgPool: databases.jobs }, 'test.kill', { outcome, round }, { jobKey: key, maxAttempts: 1 }),
      )
      await until(() => kills.includes(key), { what: 'the job to run' })
      await until(
        async () => {
          const { rows } = await databases.system.query<{ last_error: string | null; locked_by: string | null }>(
            'select last_error, locked_by from graphile_worker.jobs where key = $1',
            [key],
          )
          const [row] = rows
          return outcome === 'succeed'
            ? row === undefined
            : row?.last_error === `round ${round}` && row.locked_by === null
        },
        { deadline: 60_000, what: `the outcome of "${key}"` },
      )
    }
  }
  expect(kills).toHaveLength(4)
})
