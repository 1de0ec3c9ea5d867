import { AsyncLocalStorage } from 'node:async_hooks'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createApp } from '../app.ts'
import { composeApps } from '../apps/apps.ts'
import { testClock } from '../clock.ts'
import { openDatabases, type DatabaseSettings } from '../db/pools.ts'
import { readSecretKeys } from '../delivery/secrets.ts'
import { readEnv } from '../env.ts'
import { limits } from '../http/limits.ts'
import { itemChangeSubject, replyChangeSubject } from '../inbox/replies/changeSubjects.ts'
import { replyRoutes } from '../inbox/replies/routes.ts'
import { replySubject } from '../inbox/replies/subject.ts'
import { diskStore } from '../media/diskStore.ts'
import { createNotification } from '../notifications/create.ts'
import { composePlatforms, hostsOf } from '../platforms/registry.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { simulated } from '../platforms/simulated.ts'
import { startPublishing } from '../publishing/start.ts'
import { quietLog } from './publishing.ts'
import { keepCompiled } from './keepCompiled.ts'

/*
 * A process of the product that ends in the middle of replies. Reads its order as JSON from its standard input.
 *
 * With `requests` it is a server that answers each until it has come to a halt before a step of its own: its nth statement
 * or call to a platform. Its test kills it then, and all of them end there. Prints a JSON line for each request.
 *
 * With `diesAt` it is a publishing node that kills itself before that statement, counted from its first claim on.
 */
export type ReplyOrder = {
  settings: DatabaseSettings
  dataDir: string
  /** The instant at which it works, in milliseconds. */
  now: number
  /** Where the simulated platforms are. */
  simulators: string
  diesAt?: number
  requests?: readonly {
    method: 'POST' | 'PUT' | 'DELETE'
    url: string
    body: unknown
    headers: Record<string, string>
    /** The step before which it halts, from 1. */
    haltsAt: number
  }[]
}
/** `reached`: before what it halted; absent where it came to its end, with `status` and what was wrong. */
export type ReplyLine = { nth: number; reached?: string; status?: number; problem?: string }

// written by our own test
keepCompiled()
const order = JSON.parse(await text(process.stdin)) as ReplyOrder
const { settings, dataDir, simulators, diesAt, requests = [] } = order

type Progress = { steps: number; haltsAt: number; halt: (what: string) => void }
const progress = new AsyncLocalStorage<Progress>()
/** Whether the current request halts here, forever. */
const haltsBefore = (what: string): boolean => {
  const request = progress.getStore()
  if (!request) return false
  request.steps += 1
  if (request.steps < request.haltsAt) return false
  request.halt(what)
  return true
}
const never = new Promise<never>(() => {})

let stepsOfNode: number | undefined
/** Counts one more statement of the node, and ends the process before statement `diesAt`. */
const dieBefore = (what: string): void => {
  if (stepsOfNode !== undefined && (stepsOfNode += 1) === diesAt) process.kill(process.pid, 'SIGKILL')
  // it begins to count with its first claim
  if (what.includes('claim_deliveries')) stepsOfNode ??= 0
}

const databases = openDatabases(settings)
for (const pool of [databases.web, databases.background, databases.system, databases.publishing]) {
  // requests that halt keep theirs
  pool.options.max = Math.max(10, requests.length)
  pool.on('connect', (client) => {
    // all of its overloads are called through: what is given goes on as it came
    const plain = client.query.bind(client) as (...given: unknown[]) => unknown
    const query = (...given: unknown[]): unknown => {
      const [asked] = given
      const words = String(typeof asked === 'object' && asked !== null && 'text' in asked ? asked.text : asked)
      if (diesAt !== undefined) dieBefore(words)
      return haltsBefore(words) ? never : plain(...given)
    }
    Object.assign(client, { query })
  })
}

const env = readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PUBLIC_URL: 'http://rookery.test' })
const secrets = readSecretKeys({ dataDir })
const platforms = composePlatforms({ plcDirectory: simulators, publicUrl: env.publicUrl })
const outside = simulated(createSafeFetch({ allow: [new URL(simulators).host] }), hostsOf(platforms), simulators)
const clock = testClock(new Date(order.now))
const deps = {
  env,
  clock,
  databases,
  // requests that halt would hold their account's rows for the others
  platforms: (key: Parameters<typeof platforms>[0]) => {
    const platform = platforms(key)
    return platform && { ...platform, budgets: [] }
  },
  secrets,
  apps: composeApps({ env, pool: databases.background, keys: secrets }),
  fetch: async (...[url, request]: Parameters<typeof outside>) =>
    haltsBefore(`${request.method ?? 'GET'} ${url}`) ? await never : await outside(url, request),
  media: diskStore(join(dataDir, 'media')),
  log: quietLog,
  security: { record: () => {}, close: async () => {} },
}

if (diesAt !== undefined)
  await startPublishing({
    isAsApproved: () => true,
    subjects: [replySubject(), replyChangeSubject, itemChangeSubject],
    databases,
    clock,
    platforms: [deps.platforms('facebook')].filter((one) => one !== undefined),
    secrets,
    apps: deps.apps,
    media: async () => new Map(),
    fetch: outside,
    notify: createNotification,
    log: quietLog,
    options: { poll: 10, clockTolerance: 0, watchdog: 0, heartbeat: 600_000_000 },
  })

// those that halt hold their places
limits.database.slots = 10 * requests.length
const app = await createApp(deps, { routes: replyRoutes(deps), onSeen: () => {} })
for (const [nth, { method, url, body, headers, haltsAt }] of requests.entries()) {
  const line = await new Promise<ReplyLine>((resolve) => {
    const request = { steps: 0, haltsAt, halt: (reached: string) => resolve({ nth, reached }) }
    progress.run(request, () => {
      app.inject({ method, url, headers, ...(body !== undefined && { payload: JSON.stringify(body) }) }).then(
        ({ statusCode, body: answer }) =>
          resolve({ nth, status: statusCode, ...(statusCode >= 400 && { problem: answer }) }),
        () => resolve({ nth, status: 0 }),
      )
    })
  })
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
// it's killed, it doesn't end
setInterval(() => {}, 60_000)
