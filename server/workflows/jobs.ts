import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import type { Parts } from '../parts.ts'
import { linkJob } from './links.ts'
import { remindSilent } from './remind.ts'

/** The background work of approvals: mails to people outside, and every ten minutes the reminders of what waits too long. */
export function workflowJobs(parts: Pick<Parts, 'mailer' | 'env'>): AnyJob[] {
  return [
    linkJob(parts),
    defineJob({ name: 'workflows.remind', payload: z.object({}), every: '*/10 * * * *', run: remindSilent }),
  ]
}
