import { daysOfReport } from '#contract/reports/range.ts'
import { createReport, saveReport } from '#contract/reports/reports.ts'
import type { ReportContent } from '#contract/reports/content.ts'
import { contentOf } from '#contract/reports/templates.ts'
import {
  createReportSchedule,
  listReportRuns,
  listReportSchedules,
  type ScheduleBody,
} from '#contract/reports/schedules.ts'
import type { MadeReport, MakeOrder, MakeRefusal, ReportMakers } from '../reports/schedules/makers.ts'
import type { TestHome, TestPerson } from './people.ts'
import { scheduleJobs } from '../reports/schedules/jobs.ts'
import { runJobs } from './runJobs.ts'
import type { TestApp } from './startApp.ts'

/** Makes files that name for whom they are, and remembers the orders. */
export function testMakers() {
  const orders: MakeOrder[] = []
  const makers = {
    orders,
    /** Channels that aren't final yet. */
    notFinal: [] as string[],
    /** In place of a file, or an error. */
    answer: undefined as ((order: MakeOrder) => MadeReport | MakeRefusal) | undefined,
    bytes: (order: MakeOrder): Buffer => Buffer.from(`%PDF for ${order.personId} before ${order.today}`),
  }
  const { orders: made } = makers
  const all: ReportMakers = {
    notFinal: async () => makers.notFinal,
    renew: async () => {},
    make: async (order) => {
      made.push(order)
      const range = daysOfReport({ span: 'week', compare: 'off' }, order.today)
      return (
        makers.answer?.(order) ?? {
          pdf: makers.bytes(order),
          pages: 2,
          range,
          reportName: 'Weekly figures',
          notFinal: makers.notFinal,
        }
      )
    },
  }
  return Object.assign(makers, { all })
}

export type ScheduleParams = TestHome['params'] & { reportId: string; scheduleId: string }

/** Every Monday at 9:00 in Berlin, without waiting for figures, for nobody yet. */
export const mondays: ScheduleBody = {
  when: { frequency: 'weekly', day: 1, time: '09:00', timezone: 'Europe/Berlin' },
  waitDays: 0,
  userIds: [],
  emails: [],
}

/** The background work of schedules, run at once and in order. */
export function scheduleWorkOn(app: TestApp, makers: ReportMakers) {
  const jobs = scheduleJobs(app.parts, makers)
  const perform = async (name: string, payload: Record<string, unknown> = {}) => {
    const { databases, clock, log } = app.parts
    await jobs
      .find((job) => job.name === name)
      ?.perform({ databases, clock, log, signal: new AbortController().signal }, payload)
  }
  return {
    /** What a minute's jobs do: due times, runs, and mails that ask. */
    async minute(): Promise<void> {
      await perform('reports.due')
      await perform('reports.run')
      await runJobs(app, jobs)
    },
    due: () => perform('reports.due'),
    run: () => perform('reports.run'),
    ask: () =>
      runJobs(
        app,
        jobs.filter(({ name }) => name === 'reports.ask'),
      ),
    pauses: () => perform('reports.pauses'),
    sweep: () => perform('reports.files'),
  }
}

/** Reports and their schedules, made through the API. */
export function schedulesOn(app: TestApp) {
  /** A report of last week, with a cover only. Returns its ID. */
  async function report(home: TestHome, more: Partial<ReportContent> = {}, who: TestPerson = home.person) {
    const { reportId } = await app.call(
      createReport,
      { params: home.params, body: { reportName: 'Weekly figures', template: 'empty' } },
      { as: who },
    )
    const content: ReportContent = { ...contentOf('empty'), days: { span: 'week', compare: 'off' }, ...more }
    await app.call(
      saveReport,
      { params: { ...home.params, reportId }, body: { reportName: 'Weekly figures', content, version: 1 } },
      { as: home.person },
    )
    return reportId
  }

  /** A schedule of a new report. */
  async function schedule(
    home: TestHome,
    more: Partial<ScheduleBody> = {},
    { who = home.person, reportId }: { who?: TestPerson; reportId?: string } = {},
  ): Promise<ScheduleParams> {
    const params = { ...home.params, reportId: reportId ?? (await report(home)) }
    const body = { ...mondays, userIds: [home.person.personId], ...more }
    const { scheduleId } = await app.call(createReportSchedule, { params, body }, { as: who })
    return { ...params, scheduleId }
  }

  const list = async (params: Omit<ScheduleParams, 'scheduleId'>, who: TestPerson) =>
    (await app.call(listReportSchedules, { params }, { as: who })).schedules

  /** The schedule as someone reads it. */
  async function read(params: ScheduleParams, who: TestPerson) {
    const found = (await list(params, who)).find(({ scheduleId }) => scheduleId === params.scheduleId)
    if (!found) throw new Error('the schedule is gone')
    return found
  }

  const runs = async (params: ScheduleParams, who: TestPerson) =>
    (await app.call(listReportRuns, { params }, { as: who })).runs

  /** The token in the last mail to an address whose link begins so. */
  function tokenFor(to: string, path: 'confirm' | 'stop' | 'file'): string {
    const mail = app.outbox.findLast((one) => one.to === to)
    return new RegExp(`/r/${path}/([\\w.-]+)`).exec(mail?.text ?? '')?.[1] ?? ''
  }

  return { report, schedule, list, read, runs, tokenFor }
}
