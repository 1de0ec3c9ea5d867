import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { keepPartitions } from './partitions.ts'
import { indexAgain } from './reindex.ts'
import { forgetOld } from './retention.ts'

const Nothing = z.object({})

const partitions = defineJob({
  name: 'upkeep.partitions',
  payload: Nothing,
  every: '7 2 * * *',
  run: ({ databases, clock }) => keepPartitions(databases.system, clock.now()),
})
const retention = defineJob({
  name: 'upkeep.retention',
  payload: Nothing,
  every: '27 * * * *',
  run: ({ databases, clock }) => forgetOld(databases.system, clock.now()),
})
const words = defineJob({
  name: 'upkeep.words',
  payload: Nothing,
  every: '* * * * *',
  run: async (context) => void (await indexAgain(context)),
})

export const upkeepJobs: readonly AnyJob[] = [partitions, retention, words]
