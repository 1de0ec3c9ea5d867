import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import type { Parts } from '../parts.ts'
import { runTimeline } from './timeline.ts'

/** What time asks of subscriptions: every five minutes, so that nobody is a paying customer for long after the end. */
export function billingJobs({ payments }: Pick<Parts, 'payments'>): readonly AnyJob[] {
  return [
    defineJob({
      name: 'billing.due',
      payload: z.object({}),
      every: '*/5 * * * *',
      run: async (context) => await runTimeline(context, { prices: await payments.prices(), pays: payments.kind === 'local' }),
    }),
  ]
}
