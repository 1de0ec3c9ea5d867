import { paginationOf } from '#contract/common.ts'
import * as calls from '#contract/reports/schedules.ts'
import type { Dependencies } from '../../dependencies.ts'
import { handle, handleBytes, type Route } from '../../http/route.ts'
import { limitOffset } from '../../http/limitOffset.ts'
import { mustHaveGate, mustHaveRunning } from '../../plans/gates.ts'
import { createSchedule, deleteSchedule, pauseSchedule, runNow, takeSchedule, updateSchedule } from './change.ts'
import { fileHeaders } from '../downloads.ts'
import { findReaders, listSchedules } from './present.ts'
import { askAgain } from './recipients.ts'
import { listRuns, seeFile, sendAgain } from './runs.ts'
import { reportLinksOf } from './tokens.ts'

/** Schedules of reports, their recipients and runs. */
export function scheduleRoutes({ env, databases, media }: Pick<Dependencies, 'env' | 'databases' | 'media'>): Route[] {
  const deps = { databases, links: reportLinksOf(env) }
  return [
    handle(calls.reportRecipients, async (c) => {
      mustHaveGate(c, 'analytics')
      return { people: await findReaders(c) }
    }),
    handle(calls.listReportSchedules, async (c) => {
      mustHaveGate(c, 'analytics')
      return { schedules: await listSchedules(c, c.params.reportId) }
    }),
    handle(calls.createReportSchedule, async (c) => {
      mustHaveRunning(c, 'analytics')
      const scheduleId = await createSchedule(c, deps, c.params.reportId, c.body)
      await c.audit({ entityId: scheduleId, detail: factsOf(c.body) })
      await c.emit({ kind: 'report', ref: c.params.reportId })
      return { scheduleId, message: 'Report scheduled' }
    }),
    handle(calls.updateReportSchedule, async (c) => {
      mustHaveRunning(c, 'analytics')
      await updateSchedule(c, deps, c.params, c.body)
      await c.audit({ entityId: c.params.scheduleId, detail: factsOf(c.body) })
      await c.emit({ kind: 'report', ref: c.params.reportId })
      return { message: 'Schedule saved' }
    }),
    handle(calls.deleteReportSchedule, async (c) => {
      mustHaveGate(c, 'analytics')
      await c.audit({ entityId: c.params.scheduleId })
      await deleteSchedule(c, c.params)
      await c.emit({ kind: 'report', ref: c.params.reportId })
      return { message: 'Schedule deleted' }
    }),
    handle(calls.pauseReportSchedule, async (c) => {
      mustHaveGate(c, 'analytics')
      const { paused } = c.body
      await pauseSchedule(c, c.params, paused)
      await c.audit({ entityId: c.params.scheduleId, detail: { paused } })
      await c.emit({ kind: 'report', ref: c.params.reportId })
      return { message: paused ? 'Schedule paused' : 'Schedule resumed' }
    }),
    handle(calls.takeReportSchedule, async (c) => {
      mustHaveRunning(c, 'analytics')
      await takeSchedule(c, c.params)
      await c.audit({ entityId: c.params.scheduleId, detail: { owner: c.caller.personId } })
      await c.emit({ kind: 'report', ref: c.params.reportId })
      return { message: 'The schedule is yours now' }
    }),
    handle(calls.runReportSchedule, async (c) => {
      mustHaveRunning(c, 'analytics')
      const runId = await runNow(c, deps, c.params)
      await c.audit({ entityId: c.params.scheduleId, detail: { run: runId } })
      await c.emit({ kind: 'report', ref: c.params.reportId })
      return { runId, message: 'The report will be sent in a moment' }
    }),
    handle(calls.askReportRecipient, async (c) => {
      mustHaveRunning(c, 'analytics')
      const { scheduleId, recipientId } = c.params
      const isAsked = await askAgain(c, deps, c.params)
      await c.audit({ entityId: scheduleId, detail: { asked: recipientId } })
      await c.emit({ kind: 'report', ref: c.params.reportId })
      return { message: isAsked ? 'Email sent' : 'This address has already confirmed' }
    }),
    handle(calls.listReportRuns, async (c) => {
      mustHaveGate(c, 'analytics')
      const { runs, count } = await listRuns(c, c.params, limitOffset(c.query))
      return { runs, pagination: paginationOf(c.query, count) }
    }),
    handleBytes(calls.reportRunFile, async (c) => {
      mustHaveGate(c, 'analytics')
      const { mediaKey, bytes: length, fileName } = await seeFile(c, c.params, c.params.fileId)
      return async () => ({
        bytes: await media.stream(mediaKey),
        contentType: 'application/pdf',
        length,
        headers: fileHeaders(fileName),
      })
    }),
    handle(calls.sendReportMail, async (c) => {
      mustHaveRunning(c, 'analytics')
      const { scheduleId, mailId } = c.params
      await sendAgain(c, databases, c.params, mailId)
      await c.audit({ entityId: scheduleId, detail: { mail: mailId } })
      await c.emit({ kind: 'report', ref: c.params.reportId })
      return { message: 'The email will be sent in a moment' }
    }),
  ]
}

/** What the audit log keeps: no addresses. */
const factsOf = ({ when, waitDays, userIds, emails }: calls.ScheduleBody) => ({
  ...when,
  waitDays,
  members: userIds.length,
  addresses: emails.length,
})
