import { z } from 'zod'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { forgetFigures } from './forget.ts'
import { readOwnPosts } from './importPosts.ts'
import { readDueAccounts } from './readAccounts.ts'
import { readDueMetrics, type MetricsDeps } from './readMetrics.ts'

/**
 * Reads what platforms report about posts and channels, and what was published elsewhere, every ten minutes for those whose time
 * has come, and deletes what mustn't be kept.
 */
export function insightJobs({
  env,
  ...deps
}: MetricsDeps & { env: { analyticsTerms: readonly PlatformKey[] } }): AnyJob[] {
  const accepted = env.analyticsTerms
  return [
    defineJob({
      name: 'insights.read',
      payload: z.object({}),
      every: '*/10 * * * *',
      run: async (context) => void (await readDueMetrics(deps, context)),
    }),
    defineJob({
      name: 'insights.accounts',
      payload: z.object({}),
      every: '5,15,25,35,45,55 * * * *',
      run: async (context) => void (await readDueAccounts({ ...deps, accepted }, context)),
    }),
    defineJob({
      name: 'insights.posts',
      payload: z.object({}),
      every: '2,12,22,32,42,52 * * * *',
      run: async (context) => void (await readOwnPosts(deps, context)),
    }),
    defineJob({
      name: 'insights.forget',
      payload: z.object({}),
      every: '40 3 * * *',
      run: async (context) => void (await forgetFigures(context, accepted)),
    }),
  ]
}
