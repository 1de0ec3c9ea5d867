import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { defineJob, type AnyJob } from '../../jobs/job.ts'
import { AskPayload, askByMail } from './ask.ts'
import { noteDueRuns } from './due.ts'
import { sweepFiles } from './files.ts'
import { checkPauses } from './checkPauses.ts'
import { askJob, runJob } from './jobNames.ts'
import type { ReportMakers } from './makers.ts'
import { reportLinksOf } from './tokens.ts'
import { workOnRuns } from './work.ts'

/** The background work of schedules: what is due, runs, mails that ask addresses, and files that are kept no longer. */
export function scheduleJobs(
  { env, mailer, media }: Pick<Dependencies, 'mailer' | 'media'> & { env: Parameters<typeof reportLinksOf>[0] },
  makers: ReportMakers,
): AnyJob[] {
  const deps = { mailer, media, makers, links: reportLinksOf(env) }
  const node = { working: 0 }
  return [
    defineJob({
      name: 'reports.due',
      payload: z.object({}),
      every: '* * * * *',
      run: async (context) => void (await noteDueRuns(context)),
    }),
    defineJob({
      name: runJob.name,
      payload: z.object({ orgId: z.uuid().optional() }),
      every: '* * * * *',
      run: async (context, { orgId }) => void (await workOnRuns(deps, context, node, orgId)),
    }),
    defineJob({
      name: askJob.name,
      payload: AskPayload,
      run: (context, asked) => askByMail(context, deps, asked),
    }),
    defineJob({
      name: 'reports.pauses',
      payload: z.object({}),
      every: '27 * * * *',
      run: checkPauses,
    }),
    defineJob({
      name: 'reports.files',
      payload: z.object({}),
      every: '43 * * * *',
      run: (context) => sweepFiles({ media }, context),
    }),
  ]
}
