import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { advanceDue, type AdvanceDeps } from './advance.ts'
import { ADVANCE } from './names.ts'

/** Advances promotions: at once when a person starts or stops one, and every minute those that are due. */
export const boostJobs = (deps: AdvanceDeps): AnyJob[] => [
  defineJob({
    ...ADVANCE,
    payload: z.object({ orgId: z.string().optional() }),
    every: '* * * * *',
    run: async (context) => void (await advanceDue(deps, context)),
  }),
]
