import { z } from 'zod'
import { InsightsRange } from '../analytics/filter.ts'
import { ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { ReportContent } from './content.ts'
import { ReportName, ReportParams, reportsPath as path } from './reports.ts'

/* What is drawn from a report: its preview and its files. */

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
  cost: 'preview',
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
  path: `${path}/:reportId/block.csv`,
  summary: 'Export the figures of a block of a report as CSV',
  query: z.object({ blockId: z.string().regex(/^[a-z0-9]{1,24}$/, 'Not the ID of a block') }),
})
