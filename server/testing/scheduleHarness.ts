import { listNotices } from '#contract/notices.ts'
import type { Mail } from '../mail/mailer.ts'
import type { TestPerson } from './people.ts'
import { scheduleWorkOn, schedulesOn, testMakers, type ScheduleParams } from './schedules.ts'
import { startApp, TEST_NOW } from './startApp.ts'
import { teamOn } from './team.ts'

/** An outside address, and the first due time of `mondays`. */
export const client = 'zoe@example.com'
export const MONDAY = new Date('2026-11-23T08:00:00Z')

export type ScheduleHarness = Awaited<ReturnType<typeof startScheduleHarness>>

/** An app for tests of runs: with makers of their own, a home on a plan with analytics, and fates of mails. Call `begin` before each test. */
export async function startScheduleHarness() {
  /** What happens to mails to an address. */
  const fates = new Map<string, () => void>()
  const app = await startApp({
    parts: (deps) => ({
      ...deps,
      mailer: {
        ...deps.mailer,
        send: async (mail: Mail) => {
          fates.get(mail.to)?.()
          await deps.mailer.send(mail)
        },
      },
    }),
  })
  const on = schedulesOn(app)
  const begin = async () => {
    app.clock.set(TEST_NOW)
    fates.clear()
    app.outbox.length = 0
    // what other tests left to do isn't this one's
    await app.database.owner.query('delete from budget')
    await app.database.owner.query("update report_schedule set paused = 'person', paused_at = now()")
    await app.database.owner.query(
      "update report_run set state = 'skipped' where state in ('waiting', 'making', 'sending')",
    )
    const home = await app.signedInOwner()
    await teamOn(app).plan(home, 'team')
    const makers = testMakers()
    return { home, makers, work: scheduleWorkOn(app, makers.all) }
  }
  const current = await begin()
  return Object.assign(current, {
    app,
    on,
    fates,
    begin: async () => void Object.assign(current, await begin()),
    clockTo: (at: Date | string | number) => app.clock.set(new Date(at)),
    /** Mails to an address. */
    to: (address: string) => app.outbox.filter((mail) => mail.to === address),
    runs: (params: ScheduleParams, who: TestPerson = current.home.person) => on.runs(params, who),
    confirm: (email = client) =>
      app.database.owner.query('update report_recipient set confirmed_at = asked_at where email = $1', [email]),
    notices: async (who: TestPerson = current.home.person) =>
      (await app.call(listNotices, { params: current.home.params, query: { topic: 'reports' } }, { as: who })).notices,
  })
}
