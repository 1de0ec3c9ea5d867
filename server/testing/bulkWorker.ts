import { bulkJobs } from '../bulk/jobs.ts'
import { systemClock } from '../clock.ts'
import { openDatabases, type DatabaseSettings } from '../db/pools.ts'
import { startJobs } from '../jobs/worker.ts'
import { diskStore } from '../media/diskStore.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { drawPicture, testPlatform } from './content.ts'
import { quietLog } from './publishing.ts'
import { keepCompiled } from './keepCompiled.ts'

/* A worker of bulk schedule as a separate process, which may kill itself: `node bulkWorker.ts '<BulkOrder>'`. */
export type BulkOrder = {
  settings: DatabaseSettings
  /** Where files are stored. */
  folder: string
  /**
   * Kills itself (SIGKILL) while reading the n-th URL, within the transaction of the n-th post, or right after
   * committing its n-th transaction.
   */
  dies?: { at: 'reading' | 'making' | 'committed'; on: number }
}

keepCompiled()
const order = JSON.parse(process.argv[2] ?? '{}') as BulkOrder // written by our own test
const seen = { reading: 0, making: 0, committed: 0 }
const pass = (at: keyof typeof seen) => {
  seen[at] += 1
  if (order.dies?.at === at && order.dies.on === seen[at]) process.kill(process.pid, 'SIGKILL')
}

const picture = await drawPicture({ width: 40, height: 30, type: 'png' })
const fetch: SafeFetch = async (url) => {
  pass('reading')
  return { kind: 'answer', status: 200, headers: {}, body: picture, url }
}
const platform = testPlatform()
const counting = {
  ...platform,
  publish: {
    ...platform.publish,
    chooseSendKey: (now: Date) => {
      pass('making')
      return platform.publish.chooseSendKey(now)
    },
  },
}

const databases = openDatabases(order.settings)
databases.background.on('connect', (client) => {
  const send = client.query.bind(client)
  const query = (...args: unknown[]): unknown => {
    const answer: unknown = Reflect.apply(send, client, args)
    if (args[0] !== 'commit' || !(answer instanceof Promise)) return answer
    return answer.then((result: unknown) => {
      pass('committed')
      return result
    })
  }
  Object.assign(client, { query })
})

await startJobs({
  databases,
  clock: systemClock,
  log: quietLog,
  jobs: bulkJobs({
    platforms: () => counting,
    media: diskStore(order.folder),
    uploads: { folder: order.folder, databases, clock: systemClock, log: quietLog, hasRoom: async () => true },
    fetch,
    env: { publicUrl: 'http://rookery.test', shortUrl: 'http://rookery.test' },
  }),
  heartbeat: 200,
})
