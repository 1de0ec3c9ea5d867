import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ReportTime } from '#contract/reports/schedules.ts'
import { schedulesOn } from '../../testing/schedules.ts'
import type { ScheduleWork } from '../../testing/scheduleWorker.ts'
import { startApp, type TestApp } from '../../testing/startApp.ts'
import { teamOn } from '../../testing/team.ts'

/*
 * A hundred schedules, due in the same minute, over all changes of the clocks of a winter in two zones, while the processes that work on
 * them are killed: while a file is made, before and after a mail is accepted, and between any two transactions. Each due time has one
 * run, and no mail is sent twice.
 */

const KEY = 'a key of 32 characters and a few more'
let app: TestApp
let workers: ChildProcess[]
beforeEach(async () => {
  workers = []
  app = await startApp({ at: new Date('2026-10-24T12:00:00Z') })
})
afterEach(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await app.close()
})

const book = () => join(app.dataDir, 'mails')
const media = () => join(app.dataDir, 'media')

/** A process that does what there is to do at a time. Returns whether it was killed. */
async function work(at: string, dies?: ScheduleWork['dies']): Promise<boolean> {
  const order: ScheduleWork = {
    settings: app.database.settings,
    folder: media(),
    book: book(),
    at,
    env: { publicUrl: 'http://rookery.test', ENCRYPTION_KEY: KEY, DATA_DIR: app.dataDir },
    ...(dies && { dies }),
  }
  const worker = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../testing/scheduleWorker.ts', import.meta.url)), JSON.stringify(order)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  workers.push(worker)
  await once(worker, 'exit')
  return worker.signalCode === 'SIGKILL'
}

const zones = {
  // 02:30 in Berlin occurs twice on October 25, 2026, and isn't there on March 28, 2027
  berlin: { frequency: 'weekly', day: 0, time: '02:30', timezone: 'Europe/Berlin' },
  // the same minute as there in winter and in summer, and another one in between
  newYork: { frequency: 'weekly', day: 6, time: '20:30', timezone: 'America/New_York' },
} as const satisfies Record<string, ReportTime>

/** The due times of a schedule in a while, as Temporal works them out. */
function expected({ day, time, timezone }: ReportTime, from: string, to: string): string[] {
  const found: string[] = []
  const last = Temporal.Instant.from(to)
  const first = Temporal.Instant.from(from)
  for (
    let date = first.toZonedDateTimeISO(timezone).toPlainDate().subtract({ days: 1 });
    ;
    date = date.add({ days: 1 })
  ) {
    const at = date.toZonedDateTime({ timeZone: timezone, plainTime: time }).toInstant()
    if (Temporal.Instant.compare(at, last) > 0) return found
    if (date.dayOfWeek % 7 === day && Temporal.Instant.compare(at, first) > 0)
      found.push(new Date(at.epochMilliseconds).toISOString())
  }
}

async function makeSchedules(): Promise<Map<string, ReportTime>> {
  const on = schedulesOn(app)
  const made = new Map<string, ReportTime>()
  for (let org = 0; org < 10; org += 1) {
    const home = await app.signedInOwner()
    await teamOn(app).plan(home, 'team')
    for (const when of Object.values(zones)) {
      const reportId = await on.report(home)
      for (let n = 0; n < 5; n += 1) {
        const emails = [`${home.orgId.slice(-12)}-${when.day}-${n}@example.com`]
        const { scheduleId } = await on.schedule(home, { when, emails }, { reportId })
        made.set(scheduleId, when)
      }
    }
  }
  await app.database.owner.query('update report_recipient set confirmed_at = asked_at where email is not null')
  return made
}

const query = async <T extends object>(text: string) => (await app.database.owner.query<T>(text)).rows

test('runs 100 schedules once at each due time of a winter, and sends no mail twice, whenever workers are killed', async () => {
  const schedules = await makeSchedules()
  const minutes = (at: string, more: number) => new Date(Date.parse(at) + more * 60_000).toISOString()
  let kills = 0
  /** Workers die one after the other, each when the lease of the last has ended; then two work at the same time. */
  const tick = async (at: string, deaths: ScheduleWork['dies'][] = []) => {
    let now = at
    for (const dies of deaths) {
      if (await work(now, dies)) kills += 1
      now = minutes(now, 16)
    }
    await Promise.all([work(now), work(now)])
  }
  // all hundred in one minute, while 02:30 in Berlin occurs twice
  await tick('2026-10-25T00:30:00Z', [
    { at: 'committed', on: 40 },
    { at: 'making', on: 3 },
    { at: 'sent', on: 7 },
    { at: 'sending', on: 12 },
  ])
  await tick('2026-11-01T00:30:00Z')
  await tick('2026-11-01T01:30:00Z', [{ at: 'committed', on: 175 }])
  await tick('2026-11-08T01:30:00Z')
  // after four months without a worker: the latest due time is run
  await tick('2027-03-14T01:30:00Z', [
    { at: 'committed', on: 101 },
    { at: 'sent', on: 60 },
    { at: 'committed', on: 333 },
  ])
  for (const at of ['2027-03-21T00:30:00Z', '2027-03-21T01:30:00Z', '2027-03-28T00:30:00Z']) await tick(at)
  // 02:30 isn't there in Berlin: it's 03:30
  await tick('2027-03-28T01:30:00Z', [{ at: 'sent', on: 31 }])
  await tick('2027-04-04T00:30:00Z', [{ at: 'making', on: 99 }])
  expect(kills).toBe(10)

  const runs = await query<{ schedule_id: string; due_at: Date; state: string; reason: string | null }>(
    'select schedule_id, due_at, state, reason from report_run order by due_at',
  )
  const end = '2027-04-04T00:30:00Z'
  for (const [scheduleId, when] of schedules) {
    const own = runs.filter((run) => run.schedule_id === scheduleId)
    const due = expected(when, '2026-10-24T12:00:00Z', end)
    expect(own.map((run) => run.due_at.toISOString())).toEqual(due)
    const missed = due.filter((at) => at > '2026-11-08T02:00' && at < '2027-03-13T12:00')
    expect(own.filter(({ reason }) => reason === 'missed').map((run) => run.due_at.toISOString())).toEqual(missed)
    expect(own.filter(({ state }) => state === 'done')).toHaveLength(due.length - missed.length)
  }
  const done = runs.filter(({ state }) => state === 'done')
  const mails = await query<{ message_id: string; state: string; run_id: string }>(
    'select message_id, state, run_id from report_mail',
  )
  // a member and an address each
  expect(mails).toHaveLength(2 * done.length)
  const accepted = readFileSync(book(), 'utf8').trim().split('\n')
  expect(new Set(accepted).size).toBe(accepted.length)
  const stateOf = new Map(mails.map((mail) => [mail.message_id, mail.state]))
  const unconfirmed = mails.filter(({ state }) => state === 'unconfirmed')
  expect(mails.filter(({ state }) => state === 'sent').length + unconfirmed.length).toBe(mails.length)
  // what is said to be sent was accepted; what was accepted is said to be sent, or to be in doubt
  const inBook = new Set(accepted)
  expect(mails.filter(({ state, message_id: id }) => state === 'sent' && !inBook.has(id))).toEqual([])
  expect(accepted.filter((id) => !['sent', 'unconfirmed'].includes(stateOf.get(id) ?? ''))).toEqual([])
  // those that were under way when a worker died
  expect(unconfirmed.length).toBeGreaterThanOrEqual(4)
  expect(unconfirmed.length).toBeLessThanOrEqual(3 * kills)
  const told = await query("select from notice where kind = 'report-undelivered'")
  expect(told).toHaveLength(new Set(unconfirmed.map((mail) => mail.run_id)).size)
  // no bytes are left over, and none are missing
  const keys = await query<{ media_key: string }>('select media_key from report_file where pages > 0')
  const stored = existsSync(media())
    ? readdirSync(media(), { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/'))
    : []
  expect(stored.toSorted()).toEqual(keys.map((row) => row.media_key).toSorted())
}, 300_000)
