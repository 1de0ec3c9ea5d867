import { composeApps } from '../apps/apps.ts'
import { channelJobs } from '../channels/jobs.ts'
import { systemClock } from '../clock.ts'
import { openDatabases, type DatabaseSettings } from '../db/pools.ts'
import { readEnv } from '../env.ts'
import { startJobs } from '../jobs/worker.ts'
import { composePlatforms } from '../platforms/registry.ts'
import { createSafeFetch, type SafeFetch } from '../platforms/safeFetch.ts'
import { quietLog, testKeys } from './publishing.ts'
import { keepCompiled } from './keepCompiled.ts'

/*
 * A worker of channels' jobs as a separate process, which kills itself: `node deletionWorker.ts '<DeletionOrder>'`.
 * Prints a line when it's running.
 */
export type DeletionOrder = {
  settings: DatabaseSettings
  /** The platform's host:port. */
  allow: string
  /** Kills itself (SIGKILL) before the platform is asked to end the sign-in, or after its response. */
  dies: 'before' | 'after' | 'never'
}

keepCompiled()
const order = JSON.parse(process.argv[2] ?? '{}') as DeletionOrder // written by our own test
const fetch = createSafeFetch({ allow: [order.allow] })
const deadly: SafeFetch = async (url, request) => {
  if (order.dies === 'before') process.kill(process.pid, 'SIGKILL')
  const answer = await fetch(url, request)
  if (order.dies === 'after') process.kill(process.pid, 'SIGKILL')
  return answer
}

const databases = openDatabases(order.settings)
const apps = composeApps({ env: readEnv({}), pool: databases.background, keys: testKeys })
const jobs = channelJobs({
  apps,
  platforms: composePlatforms({ plcDirectory: 'https://plc.test' }),
  fetch: deadly,
  secrets: testKeys,
  log: quietLog,
})
await startJobs({ databases, clock: systemClock, log: quietLog, jobs, heartbeat: 200 })
process.stdout.write('ready\n')
