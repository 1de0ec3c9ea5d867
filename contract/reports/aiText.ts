import { z } from 'zod'
import { Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { ReportContent } from './content.ts'
import { reportsPath } from './reports.ts'

export const writeReportText = endpoint({
  method: 'POST',
  path: `${reportsPath}/write`,
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
