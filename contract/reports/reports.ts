import { z } from 'zod'
import { InsightsRange } from '../analytics/filter.ts'
import { Done, Id, Instant, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { ReportContent } from './content.ts'
import { REPORTS } from './limits.ts'
import { reportTemplates } from './templates.ts'

/*
 * Saved reports. Everyone sees a report through the own role; one that names a channel which the role
 * doesn't include isn't there for it.
 */

export const ReportName = z
  .string()
  .trim()
  .min(1, 'A name is required')
  .max(REPORTS.name, `Use at most ${REPORTS.name} characters`)

export const Report = z.object({
  reportId: Id,
  reportName: z.string(),
  content: ReportContent,
  version: z.int(),
  /** The days that it covers as of today. */
  range: InsightsRange,
  updatedAt: Instant,
})
export type Report = z.infer<typeof Report>

export const ReportEntry = z.object({
  reportId: Id,
  reportName: z.string(),
  days: ReportContent.shape.days,
  range: InsightsRange,
  blocks: z.int(),
  updatedAt: Instant,
  /** Who changed it last; null once they left. */
  updatedBy: z.string().nullable(),
  /** Links that are open, and schedules. */
  links: z.int(),
  schedules: z.array(
    z.object({ nextDueAt: Instant, timezone: z.string(), paused: z.enum(['person', 'plan', 'owner']).nullable() }),
  ),
})
export type ReportEntry = z.infer<typeof ReportEntry>

export const reportsPath = '/api/:orgId/project/:projectId/insights/reports'
const path = reportsPath
export const ReportParams = ProjectParams.extend({ reportId: Id })

export const listReports = endpoint({
  method: 'GET',
  path,
  summary: 'List the saved reports that name only channels of your role, the last changed one first',
  access: can('insights', 'view'),
  cost: 'light',
  reads: ['report', 'channel'],
  params: ProjectParams,
  reply: z.object({ reports: z.array(ReportEntry), /** How many a project can have. */ most: z.int() }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})
export const getReport = endpoint({
  method: 'GET',
  path: `${path}/:reportId`,
  summary: 'Get a saved report',
  access: can('insights', 'view'),
  cost: 'light',
  reads: ['report', 'channel'],
  params: ReportParams,
  reply: Report,
  errors: ['PLAN_LIMIT', 'NOT_FOUND'],
  audit: null,
})
export const createReport = endpoint({
  method: 'POST',
  path,
  summary: `Create a report from a template; a project has at most ${REPORTS.perProject}`,
  access: can('insights', 'create'),
  cost: 'light',
  changes: ['report'],
  params: ProjectParams,
  body: z.object({
    reportName: ReportName,
    template: z.enum(reportTemplates),
    /** Of the template `campaign` or `channel`: which one. */
    campaignId: Id.nullable().default(null),
    channelId: Id.nullable().default(null),
  }),
  reply: Done.extend({ reportId: Id }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'BAD_INPUT', 'REPORTS_FULL'],
  audit: { action: 'created', entity: 'report' },
})
export const saveReport = endpoint({
  method: 'PUT',
  path: `${path}/:reportId`,
  summary: 'Save a report: its name, days, filters and blocks. Its open links show it at once',
  access: can('insights', 'edit'),
  cost: 'light',
  changes: ['report'],
  params: ReportParams,
  /** `version`: the one that was changed; if it isn't the current one, nothing is saved. */
  body: z.object({ reportName: ReportName, content: ReportContent, version: z.int() }),
  reply: Done.extend({ version: z.int() }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'BAD_INPUT', 'STALE_VERSION'],
  audit: { action: 'updated', entity: 'report' },
})
export const duplicateReport = endpoint({
  method: 'POST',
  path: `${path}/:reportId/duplicate`,
  summary: 'Duplicate a report, without its links and schedules',
  access: can('insights', 'create'),
  cost: 'light',
  changes: ['report'],
  params: ReportParams,
  reply: Done.extend({ reportId: Id }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'REPORTS_FULL'],
  audit: { action: 'created', entity: 'report' },
})
export const deleteReport = endpoint({
  method: 'DELETE',
  path: `${path}/:reportId`,
  summary: 'Delete a report with its links, schedules and the files that they sent',
  access: can('insights', 'delete'),
  cost: 'light',
  changes: ['report'],
  params: ReportParams,
  reply: Done,
  errors: ['PLAN_LIMIT', 'NOT_FOUND'],
  audit: { action: 'deleted', entity: 'report' },
})
