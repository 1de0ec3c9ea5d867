import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { forgetVisitors } from './salts.ts'
import { tellClicks } from './tell.ts'

const forget = defineJob({
  name: 'clicks.forget',
  payload: z.object({}),
  every: '12 * * * *',
  run: ({ databases, clock }) => forgetVisitors(databases, clock.now()),
})

const tell = defineJob({
  name: 'clicks.tell',
  payload: z.object({}),
  // two minutes before the lines that it writes are folded
  every: '3,8,13,18,23,28,33,38,43,48,53,58 * * * *',
  run: async (context) => void (await tellClicks(context)),
})

export const clickJobs: readonly AnyJob[] = [forget, tell]
