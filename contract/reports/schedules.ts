import { z } from 'zod'
import { Done, Id, Instant, PageQuery, Pagination, ProjectParams, Zone } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { REPORTS } from './limits.ts'
import { ReportParams } from './reports.ts'

/*
 * Schedules send a report as PDF at a wall time. Members get what their own role shows; outside addresses, once they have confirmed,
 * what the owner's role shows. Each due time has exactly one run, which is kept with its files.
 */

export const ReportTime = z
  .object({
    frequency: z.enum(['weekly', 'monthly']),
    /** Weekly: 0 (Sunday) to 6. Monthly: 1 to 31; in a shorter month, its last day. */
    day: z.int(),
    time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time')
      .meta({ examples: ['09:00'] }),
    timezone: Zone.meta({ examples: ['Europe/Berlin'] }),
  })
  .superRefine(({ frequency, day }, context) => {
    const [least, most] = frequency === 'weekly' ? [0, 6] : [1, 31]
    if (day < least || day > most) context.addIssue({ code: 'custom', path: ['day'], message: 'Choose a day' })
  })
export type ReportTime = z.infer<typeof ReportTime>

const Email = z.email('Enter an email address').max(254, 'This address is too long').toLowerCase()
export const ScheduleBody = z
  .object({
    when: ReportTime,
    /** How many days it waits for final figures at most; afterwards the report says which aren't. */
    waitDays: z.int().min(0).max(REPORTS.waitDays, `Wait at most ${REPORTS.waitDays} days`),
    /** Members of the project. */
    userIds: z.array(Id).max(REPORTS.recipients),
    /** Outside addresses: each gets one mail that asks whether it wants the report. */
    emails: z
      .array(Email)
      .max(REPORTS.recipients)
      .meta({ examples: [['client@example.com']] }),
  })
  .superRefine(({ userIds, emails }, context) => {
    const n = new Set(userIds).size + new Set(emails).size
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['userIds'], message })
    if (n === 0) refuse('Choose who gets it')
    if (n > REPORTS.recipients) refuse(`A schedule has at most ${REPORTS.recipients} recipients`)
  })
export type ScheduleBody = z.input<typeof ScheduleBody>

/**
 * Whether someone gets the reports:
 * - `gets`: a member who may see insights, or a confirmed address
 * - `asked`: an address that hasn't confirmed yet
 * - `lapsed`: one that didn't within seven days; it can be asked again
 * - `ended`: one that doesn't want it
 * - `noRight`: a member who can't see insights, or left
 */
export const recipientStates = ['gets', 'asked', 'lapsed', 'ended', 'noRight'] as const
export const ReportRecipient = z.object({
  recipientId: Id,
  /** Null for an outside address. */
  userId: Id.nullable(),
  name: z.string(),
  email: z.string(),
  state: z.enum(recipientStates),
})

export const pauseReasons = ['person', 'plan', 'owner'] as const
export const runStates = ['waiting', 'making', 'sending', 'done', 'failed', 'skipped'] as const
/**
 * Why a run failed or was skipped:
 * - `person`: someone paused the schedule while it waited
 * - `plan`, `owner`: it was paused then
 * - `missed`: the installation was down until a later due time
 * - `tooLarge`, `tooSlow`: the document couldn't be made within its limits
 * - `broken`: something here went wrong, three times
 * - `noRecipients`: nobody may get it or has confirmed
 */
export const runReasons = [
  'person',
  'plan',
  'owner',
  'missed',
  'tooLarge',
  'tooSlow',
  'broken',
  'noRecipients',
] as const
export const RunReason = z.enum(runReasons)
export const mailStates = ['pending', 'sending', 'sent', 'unconfirmed', 'refused', 'failed', 'left_out'] as const

/**
 * Why a mail wasn't sent, or may not have arrived:
 * - `asked`, `lapsed`, `ended`, `noRight`: the recipient's state at that moment
 * - `removed`: no longer a recipient
 * - `plan`, `owner`: the schedule was paused meanwhile
 * - `noFile`: its file was deleted
 * - `refused`: the mail server never accepts it
 * - `delayed`: the mail server didn't accept it, for hours
 * - `unanswered`, `cutOff`: it was handed over, and no answer came, or the program died
 * - `restored`: it was open in a database that was restored
 * - `broken`: something here went wrong, three times
 */
const mailReasons = [
  'asked',
  'lapsed',
  'ended',
  'noRight',
  'removed',
  'plan',
  'owner',
  'noFile',
  'refused',
  'delayed',
  'unanswered',
  'cutOff',
  'restored',
  'broken',
] as const
export const MailReason = z.enum(mailReasons)
export type MailReason = z.infer<typeof MailReason>

export const ReportRun = z.object({
  runId: Id,
  dueAt: Instant,
  /** Someone asked for it, outside of the schedule. */
  asked: z.boolean(),
  from: z.iso.date(),
  to: z.iso.date(),
  state: z.enum(runStates),
  reason: RunReason.nullable(),
  /** Channels whose figures weren't final. */
  notFinal: z.array(z.string()),
  /** It waits for final figures until then at most. */
  waitsUntil: Instant.nullable(),
  finishedAt: Instant.nullable(),
  /** Files that your role may see. */
  files: z.array(z.object({ fileId: Id, bytes: z.int(), pages: z.int() })),
  mails: z.array(
    z.object({ mailId: Id, email: z.string(), state: z.enum(mailStates), reason: MailReason.nullable(), at: Instant }),
  ),
})
export type ReportRun = z.infer<typeof ReportRun>

export const ReportSchedule = z.object({
  scheduleId: Id,
  when: ReportTime,
  waitDays: z.int(),
  /** The next due time; while it's paused, when it would be. */
  nextDueAt: Instant,
  /** What a clock change does to the next one: its time doesn't exist that day and is moved, or exists twice and the first is used. */
  shift: z.enum(['skipped', 'double']).nullable(),
  paused: z.enum(pauseReasons).nullable(),
  owner: z.object({ userId: Id, name: z.string(), isYou: z.boolean() }),
  recipients: z.array(ReportRecipient),
  lastRun: ReportRun.pick({ runId: true, dueAt: true, state: true, reason: true }).nullable(),
  version: z.int(),
})
export type ReportSchedule = z.infer<typeof ReportSchedule>

const path = '/api/:orgId/project/:projectId/insights/reports/:reportId/schedules'
const ScheduleParams = ReportParams.extend({ scheduleId: Id })
const change = {
  access: can('insights', 'edit'),
  cost: 'light',
  changes: ['report'],
  params: ScheduleParams,
  reply: Done,
  errors: ['PLAN_LIMIT', 'NOT_FOUND'],
} as const

/** Whom a schedule can be sent to within the project; the same for everyone who asks. */
export const reportRecipients = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/report-recipients',
  summary: 'List the members who may see insights, to whom reports can be sent',
  access: can('insights', 'edit'),
  cost: 'light',
  reads: ['member'],
  params: ProjectParams,
  reply: z.object({
    people: z.array(z.object({ userId: Id, name: z.string(), profileUrl: z.string().nullable() })),
  }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})
export const listReportSchedules = endpoint({
  method: 'GET',
  path,
  summary: "List a report's schedules",
  access: can('insights', 'view'),
  cost: 'light',
  reads: ['report', 'member', 'plan'],
  params: ReportParams,
  reply: z.object({ schedules: z.array(ReportSchedule) }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND'],
  audit: null,
})
export const createReportSchedule = endpoint({
  ...change,
  method: 'POST',
  path,
  summary: `Schedule a report, in your name; it has at most ${REPORTS.schedules} schedules. Outside addresses are asked by email`,
  params: ReportParams,
  body: ScheduleBody,
  reply: Done.extend({ scheduleId: Id }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'BAD_INPUT', 'LIMIT_EXCEEDED'],
  audit: { action: 'created', entity: 'report_schedule' },
})
export const updateReportSchedule = endpoint({
  ...change,
  method: 'PUT',
  path: `${path}/:scheduleId`,
  summary: 'Change when a report is sent and who gets it. New outside addresses are asked by email',
  body: ScheduleBody.safeExtend({ version: z.int() }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'BAD_INPUT', 'LIMIT_EXCEEDED', 'STALE_VERSION'],
  audit: { action: 'updated', entity: 'report_schedule' },
})
export const deleteReportSchedule = endpoint({
  ...change,
  method: 'DELETE',
  path: `${path}/:scheduleId`,
  summary: 'Delete a schedule with its runs and their files',
  audit: { action: 'deleted', entity: 'report_schedule' },
})
export const pauseReportSchedule = endpoint({
  ...change,
  method: 'POST',
  path: `${path}/:scheduleId/pause`,
  summary: 'Pause a schedule, or let it go on with its next due time',
  body: z.object({ paused: z.boolean() }),
  audit: { action: 'updated', entity: 'report_schedule' },
})
export const takeReportSchedule = endpoint({
  ...change,
  method: 'POST',
  path: `${path}/:scheduleId/take`,
  summary: 'Become the owner of a schedule: outside addresses then get what your role shows',
  audit: { action: 'updated', entity: 'report_schedule' },
})
export const runReportSchedule = endpoint({
  ...change,
  method: 'POST',
  path: `${path}/:scheduleId/run`,
  summary: 'Send a report now, to those who get it; at most once in ten minutes',
  reply: Done.extend({ runId: Id }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'LIMIT_EXCEEDED'],
  audit: { action: 'sent', entity: 'report_schedule' },
})
export const askReportRecipient = endpoint({
  ...change,
  method: 'POST',
  path: `${path}/:scheduleId/recipients/:recipientId/ask`,
  summary: 'Ask an outside address again whether it wants the report',
  params: ScheduleParams.extend({ recipientId: Id }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'LIMIT_EXCEEDED'],
  audit: { action: 'updated', entity: 'report_schedule' },
})
export const listReportRuns = endpoint({
  method: 'GET',
  path: `${path}/:scheduleId/runs`,
  summary: "List a schedule's runs with their files and mails, the latest first (paginated)",
  access: can('insights', 'view'),
  cost: 'light',
  reads: ['report'],
  params: ScheduleParams,
  query: PageQuery,
  reply: z.object({ runs: z.array(ReportRun), pagination: Pagination }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND'],
  audit: null,
})
export const reportRunFile = endpoint({
  method: 'GET',
  path: `${path}/:scheduleId/files/:fileId`,
  summary: `Get the PDF that a run sent, for ${REPORTS.fileDays} days`,
  access: can('insights', 'view'),
  cost: 'export',
  reads: [],
  params: ScheduleParams.extend({ fileId: Id }),
  reply: 'bytes',
  errors: ['PLAN_LIMIT', 'NOT_FOUND'],
  audit: null,
})
export const sendReportMail = endpoint({
  ...change,
  method: 'POST',
  path: `${path}/:scheduleId/mails/:mailId/send`,
  summary: 'Send a mail again that was refused, failed, or may not have arrived',
  params: ScheduleParams.extend({ mailId: Id }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'LIMIT_EXCEEDED'],
  audit: { action: 'sent', entity: 'report_schedule' },
})
