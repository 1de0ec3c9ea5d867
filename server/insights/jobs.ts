import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { readDueMetrics, type MetricsDeps } from './readMetrics.ts'

/** Reads published posts' metrics, every ten minutes for those whose time has come. */
export const insightJobs = (deps: MetricsDeps): AnyJob[] => [
  defineJob({
    name: 'insights.read',
    payload: z.object({}),
    every: '*/10 * * * *',
    run: async (context) => void (await readDueMetrics(deps, context)),
  }),
]
