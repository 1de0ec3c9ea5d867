import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { watchTrials } from './trials.ts'

// every hour, so that "within a day" isn't announced a day late
export const trialJobs: readonly AnyJob[] = [
  defineJob({ name: 'organizations.trials', payload: z.object({}), every: '13 * * * *', run: watchTrials }),
]
