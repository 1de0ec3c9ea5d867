import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { forgetVisitors } from './salts.ts'

const forget = defineJob({
  name: 'clicks.forget',
  payload: z.object({}),
  every: '12 * * * *',
  run: ({ databases, clock }) => forgetVisitors(databases, clock.now()),
})

export const clickJobs: readonly AnyJob[] = [forget]
