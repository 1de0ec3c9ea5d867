import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRICE_LIST } from '#contract/priceList.ts'
import { composeApps } from '../apps/apps.ts'
import { noPayments } from '../billing/provider.ts'
import { channelJobs } from '../channels/jobs.ts'
import { readSecretKeys } from '../delivery/secrets.ts'
import type { Clock } from '../clock.ts'
import { dataRightsJobs } from '../dataRights/jobs.ts'
import { openDatabases, type DatabaseSettings } from '../db/pools.ts'
import { readEnv } from '../env.ts'
import { startJobs } from '../jobs/worker.ts'
import { outboxSender } from '../mail/outbox.ts'
import { queuedMailer } from '../mail/queue.ts'
import { exportFiles } from '../dataRights/files.ts'
import { diskStore } from '../media/diskStore.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { testPlatform } from './content.ts'
import { quietLog } from './publishing.ts'
import { keepCompiled } from './keepCompiled.ts'

/*
 * A worker of data exports and deletions as a separate process, which kills itself: `node dataRightsWorker.ts
 * '<DataRightsOrder>'`. Revoked sign-ins are lines of `revoked` in the data folder.
 */
export type DataRightsOrder = {
  settings: DatabaseSettings
  dataDir: string
  /** The time at which it starts, in milliseconds. */
  now: number
  /** Kills itself (SIGKILL) at this statement or file deletion, counted from its first job; null: never. */
  diesAt: number | null
  /** Whether it dies before the statement is sent, or after its result. */
  dies: 'before' | 'after'
}

keepCompiled()
const order = JSON.parse(process.argv[2] ?? '{}') as DataRightsOrder // written by our own test
const { settings, dataDir, diesAt, dies } = order
let [counting, counted] = [false, 0]

/** One more step: whether this is the one to die at. */
const isLast = (): boolean => counting && diesAt !== null && (counted += 1) === diesAt
const die = (): void => void process.kill(process.pid, 'SIGKILL')

const clock: Clock = { now: () => new Date(order.now + performance.now()), monotonic: () => performance.now() }
const databases = openDatabases(settings)
for (const pool of [databases.system, databases.background, databases.exports])
  pool.on('connect', (client) => {
    // passes its arguments on unchanged, so all overloads work
    const plain = client.query.bind(client) as (...given: unknown[]) => unknown
    const query = (...given: unknown[]): unknown => {
      const last = isLast()
      if (last && dies === 'before') die()
      const answer = plain(...given)
      if (last && answer instanceof Promise) void answer.then(die, die)
      return answer
    }
    Object.assign(client, { query })
  })
const env = readEnv({ DATA_DIR: dataDir, PUBLIC_URL: 'http://rookery.test' })
const secrets = readSecretKeys({ dataDir })
const disk = diskStore(join(dataDir, 'media'))
const media: typeof disk = {
  ...disk,
  async delete(key) {
    const last = isLast()
    if (last && dies === 'before') die()
    await disk.delete(key)
    if (last) die()
  },
}
const platform = testPlatform({
  revoke: async () => {
    appendFileSync(join(dataDir, 'revoked'), 'revoked\n')
    return { kind: 'revoked' }
  },
})
const mailer = queuedMailer(outboxSender(dataDir, env.MAIL_FROM, clock, quietLog), quietLog)
const jobs = [
  ...channelJobs({
    apps: composeApps({ env, pool: databases.background, keys: secrets }),
    platforms: (key) => (key === 'bluesky' ? platform : undefined),
    fetch: createSafeFetch({ allow: [] }),
    secrets,
    log: quietLog,
  }),
  ...dataRightsJobs({ media, mailer, env, payments: noPayments(PRICE_LIST), exports: exportFiles(dataDir) }),
]
// by hand, not every hour; emails only by a worker that lives, because a sent email can't be undone by a kill
const taken = jobs
  .filter(({ name }) => diesAt === null || name !== 'dataRights.tell')
  .map((job) => ({
    ...job,
    every: undefined,
    perform: (...given: Parameters<typeof job.perform>) => ((counting = true), job.perform(...given)),
  }))
await startJobs({ databases, clock, log: quietLog, jobs: taken, heartbeat: 200 })
