import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import type { Dependencies } from '../dependencies.ts'
import { linkJob } from './links.ts'
import { remindSilent } from './remind.ts'

/** The background work of approvals: mails to people outside, and every ten minutes the reminders of what waits too long. */
export function workflowJobs(deps: Pick<Dependencies, 'mailer' | 'env'>): AnyJob[] {
  return [
    linkJob(deps),
    defineJob({ name: 'workflows.remind', payload: z.object({}), every: '*/10 * * * *', run: remindSilent }),
  ]
}
