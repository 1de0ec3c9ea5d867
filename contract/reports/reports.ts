import { z } from 'zod'
import { InsightsRange } from '../analytics/filter.ts'
import { Done, Id, Instant, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { ReportContent } from './content.ts'
import { REPORTS } from './limits.ts'
import { reportTemplates } from './templates.ts'

/*
 * Saved reports, their preview and their files. Everyone sees a report through the own role; one that names a channel which the role
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

const path = '/api/:orgId/project/:projectId/insights/reports'
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

/** Pages of a preview; the PDF has all of them. */
export const PREVIEW_PAGES = 20
const Block = z.object({
  blockId: z.string(),
  /** The page that it starts on, 1 first; null if it has nothing to show. */
  page: z.int().nullable(),
  /** What readers are told about it: what is missing, and why. */
  notes: z.array(z.string()),
})
/** The PDF's pages as pictures, from content that needn't be saved. */
export const previewReport = endpoint({
  method: 'POST',
  path: `${path}/preview`,
  summary: 'Draw the pages of a report, saved or not, as the PDF has them',
  access: can('insights', 'view'),
  cost: 'export',
  changes: [],
  params: ProjectParams,
  body: z.object({ reportName: ReportName, content: ReportContent }),
  reply: z.object({
    range: InsightsRange,
    pageCount: z.int(),
    /** SVG, at most 20 pages. */
    pages: z.array(z.string()),
    blocks: z.array(Block),
    /** Scripts and characters that no font here can show. */
    unshown: z.array(z.string()),
  }),
  errors: ['PLAN_LIMIT', 'BAD_INPUT', 'LIMIT_EXCEEDED'],
  audit: { none: 'nothing is stored' },
})

const file = {
  method: 'GET',
  access: can('insights', 'view'),
  cost: 'export',
  reads: [],
  params: ReportParams,
  reply: 'bytes',
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'LIMIT_EXCEEDED'],
  audit: null,
} as const
export const reportPdf = endpoint({ ...file, path: `${path}/:reportId/report.pdf`, summary: 'Export a report as PDF' })
export const reportXlsx = endpoint({
  ...file,
  path: `${path}/:reportId/report.xlsx`,
  summary: 'Export the figures of a report as a workbook, with a sheet per block',
})
export const reportBlockCsv = endpoint({
  ...file,
  path: `${path}/:reportId/block/:blockId/figures.csv`,
  summary: 'Export the figures of a block of a report as CSV',
  params: ReportParams.extend({ blockId: z.string().regex(/^[a-z0-9]{1,24}$/, 'Not the ID of a block') }),
})

/** What a block's text is about: the server writes both. */
export const writeReportText = endpoint({
  method: 'POST',
  path: `${path}/write`,
  summary: 'Write the text of an AI block for the days and filters of a report. Nothing is stored; uses one AI credit',
  access: can('insights', 'create'),
  cost: 'ai',
  changes: [],
  params: ProjectParams,
  body: z.object({ content: ReportContent }),
  reply: z.object({
    text: z.string(),
    about: z.object({ from: z.iso.date(), to: z.iso.date(), channelIds: z.array(Id) }),
    creditsLeft: z.int(),
  }),
  errors: ['PLAN_LIMIT', 'NO_POSTS_FOUND', 'AI_NOT_SET_UP', 'AI_PROMPT_GENERATION_ERROR'],
  audit: { none: 'nothing is stored' },
})
