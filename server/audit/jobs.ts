import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { sealAudit } from './seal.ts'

export const auditJobs: readonly AnyJob[] = [
  defineJob({
    name: 'audit.seal',
    payload: z.object({}),
    every: '* * * * *',
    run: async ({ databases, clock, log }) => {
      await sealAudit(databases.system, clock.now(), { log })
    },
  }),
]
