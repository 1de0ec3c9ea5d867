import { z } from 'zod'
import { termsOf } from './payments.ts'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import type { Dependencies } from '../dependencies.ts'
import { followDeletion, followDeletionJob, organizationsOutOfSync } from './organizationDeletion.ts'
import { openWhatFits } from './openings.ts'
import { isPaddle } from './paddle.ts'
import { each, readCheckouts, readLate, sweepEvents } from './paddleEvents.ts'
import { remind } from './reminders.ts'
import { dueOrganizations, runTimeline } from './timeline.ts'

/** The subscriptions' deadlines, every five minutes, so that nobody stays on a paid plan long after its end. */
export function billingJobs({ payments, env }: Pick<Dependencies, 'payments' | 'env'>): readonly AnyJob[] {
  return [
    defineJob({
      name: 'billing.due',
      payload: z.object({}),
      every: '*/5 * * * *',
      run: async (context) => {
        await runTimeline(context, { ...termsOf(env), pays: payments.kind === 'local' })
        await openWhatFits(context)
        if (!isPaddle(payments)) return
        await sweepEvents({ ...context, payments }, context.signal)
        await readCheckouts({ ...context, payments })
        await readLate({ ...context, payments }, await dueOrganizations(context, 'paddle'))
        await each({ ...context, payments }, await organizationsOutOfSync(context), (orgId) =>
          followDeletion({ ...context, payments }, orgId),
        )
      },
    }),
    defineJob({ name: 'billing.reminders', payload: z.object({}), every: '7 * * * *', run: remind }),
    followDeletionJob({ payments }),
  ]
}
