import { platformKeys } from '#contract/platforms/rules.ts'
import { systemClock } from '../clock.ts'
import { openDatabases, type DatabaseSettings } from '../db/pools.ts'
import { createNotification } from '../notifications/create.ts'
import type { Log } from '../log.ts'
import { composePlatforms, hostsOf } from '../platforms/registry.ts'
import { createSafeFetch, type SafeFetch } from '../platforms/safeFetch.ts'
import { simulated } from '../platforms/simulated.ts'
import { startPublishing } from '../publishing/start.ts'
import { isAsApproved } from '../approvals/guard.ts'
import type { PublishingOptions } from '../delivery/options.ts'
import { pause } from '../delivery/backoff.ts'
import { testKeys } from './publishing.ts'
import { keepCompiled } from './keepCompiled.ts'

/*
 * A publishing node as a separate process, to be killed: `node publishingWorker.ts '<WorkerOrder>'`. Prints one JSON
 * line when it's ready and one for every line of its log.
 */
export type WorkerOrder = {
  settings: DatabaseSettings
  /** The simulator's host:port. */
  allow: string
  options: Partial<PublishingOptions>
  /** The URL of all other simulated platforms: it publishes to each of them instead of only to Bluesky. */
  simulators?: string
  /** Suspends this process (SIGSTOP) between a claim and its request: 1 for its first send, 2 for its second. */
  stopBeforeSend?: number
}

export type WorkerLine = { line: string; nodeId?: string; outcome?: string }

keepCompiled()
const order = JSON.parse(process.argv[2] ?? '{}') as WorkerOrder // written by our own test
const say = (line: WorkerLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`)
const log: Log = {
  info: (facts, line) => say({ line, ...('outcome' in facts ? { outcome: String(facts.outcome) } : {}) }),
  warn: (_, line) => say({ line }),
  error: (facts, line) => say({ line: `${line}: ${facts.err instanceof Error ? facts.err.stack : ''}` }),
}

let stopsAfter = order.stopBeforeSend ?? 0
const { simulators } = order
const everything = composePlatforms({ plcDirectory: `http://${order.allow}` })
const keys = simulators === undefined ? (['bluesky'] as const) : platformKeys
const platforms = keys.flatMap((key) => everything(key) ?? [])
const plain = createSafeFetch({ allow: [order.allow, ...(simulators === undefined ? [] : [new URL(simulators).host])] })
const fetch = simulators === undefined ? plain : simulated(plain, hostsOf(everything), simulators)
const fetchUnlessStopped: SafeFetch = async (url, request) => {
  if (stopsAfter > 0 && request.method === 'POST') {
    stopsAfter -= 1
    if (stopsAfter === 0) process.kill(process.pid, 'SIGSTOP')
  }
  return await fetch(url, request)
}

const databases = openDatabases(order.settings)
const publishing = await patiently(() =>
  startPublishing({
    isAsApproved,
    databases,
    clock: systemClock,
    platforms,
    secrets: testKeys,
    media: async () => new Map(),
    fetch: fetchUnlessStopped,
    notify: createNotification,
    log,
    options: order.options,
  }),
)
say({ line: 'ready', nodeId: publishing.nodeId })

/** The database may be down at this moment, too. */
async function patiently<T>(start: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await start()
    } catch {
      await pause(100)
    }
  }
}
