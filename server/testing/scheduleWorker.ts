import { appendFileSync } from 'node:fs'
import { testClock } from '../clock.ts'
import { openDatabases, type DatabaseSettings } from '../db/pools.ts'
import { diskStore } from '../media/diskStore.ts'
import { daysOfReport } from '#contract/reports/range.ts'
import { scheduleJobs } from '../reports/schedules/jobs.ts'
import type { ReportMakers } from '../reports/schedules/makers.ts'
import { keepCompiled } from './keepCompiled.ts'
import { quietLog } from './publishing.ts'

/*
 * A node that works on schedules of reports as a separate process, which may kill itself: `node scheduleWorker.ts '<ScheduleWork>'`. It
 * ends when there's nothing more to do at its time.
 */
export type ScheduleWork = {
  settings: DatabaseSettings
  /** Where files are stored. */
  folder: string
  /** The mail server's book: a line for each mail that it accepted. */
  book: string
  /** What time it is: it doesn't move. */
  at: string
  env: { publicUrl: string; ENCRYPTION_KEY: string; DATA_DIR: string }
  /**
   * Kills itself (SIGKILL) while making the n-th file, before or after the mail server has accepted the n-th mail, or right after
   * committing its n-th transaction.
   */
  dies?: { at: 'making' | 'sending' | 'sent' | 'committed'; on: number }
}

keepCompiled()
const order = JSON.parse(process.argv[2] ?? '{}') as ScheduleWork // written by our own test
const seen = { making: 0, sending: 0, sent: 0, committed: 0 }
const pass = (at: keyof typeof seen) => {
  seen[at] += 1
  if (order.dies?.at === at && order.dies.on === seen[at]) process.kill(process.pid, 'SIGKILL')
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

const makers: ReportMakers = {
  renew: async () => {},
  notFinal: async () => [],
  make: async ({ personId, today }) => {
    pass('making')
    const pdf = Buffer.from(`%PDF for ${personId} before ${today}`)
    const range = daysOfReport({ span: 'week', compare: 'off' }, today)
    return { pdf, pages: 1, range, reportName: 'Weekly figures', notFinal: [] }
  },
}
const jobs = scheduleJobs(
  {
    env: order.env,
    media: diskStore(order.folder),
    mailer: {
      post: () => {},
      close: async () => {},
      send: async ({ messageId }) => {
        pass('sending')
        appendFileSync(order.book, `${messageId}\n`)
        pass('sent')
      },
    },
  },
  makers,
)
const clock = testClock(new Date(order.at))
const context = { databases, clock, log: quietLog, signal: new AbortController().signal }
for (const name of ['reports.due', 'reports.run']) await jobs.find((job) => job.name === name)?.perform(context, {})
await databases.close()
