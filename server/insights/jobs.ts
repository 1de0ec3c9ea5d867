import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { readDueMetrics, type MetricsParts } from './readMetrics.ts'

/** Reading what platforms say of published posts, every ten minutes those whose time has come. */
export const insightJobs = (parts: MetricsParts): AnyJob[] => [
  defineJob({
    name: 'insights.read',
    payload: z.object({}),
    every: '*/10 * * * *',
    run: async (context) => void (await readDueMetrics(parts, context)),
  }),
]
