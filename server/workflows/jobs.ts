import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import type { Dependencies } from '../dependencies.ts'
import { linkJob } from './links.ts'
import { remindSilent } from './remind.ts'

/**
 * The background work of approvals: emails to external approvers, and every ten minutes reminders about posts that wait
 * too long.
 */
export function workflowJobs(deps: Pick<Dependencies, 'mailer' | 'env'>): AnyJob[] {
  return [
    linkJob(deps),
    defineJob({ name: 'workflows.remind', payload: z.object({}), every: '*/10 * * * *', run: remindSilent }),
  ]
}
