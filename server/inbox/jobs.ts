import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { dataDeletionJob } from './dataDeletion.ts'
import { deliveriesJob } from './deliveries.ts'
import { readDueInboxes, type ReadingDeps } from './read.ts'
import { notifyOverdue, reopenDue } from './reminders.ts'
import { eraseRemovedChannels } from './removedChannels.ts'
import { eraseExpired } from './retention.ts'

/**
 * Reads what people wrote, every minute what is due; takes what platforms send; and erases, every ten, what may be kept no
 * longer or belongs to deleted channels. Every five, opens what was put off until today, and reminds people of what waits
 * too long.
 */
export const inboxJobs = (deps: ReadingDeps): AnyJob[] => [
  defineJob({
    name: 'inbox.read',
    payload: z.object({}),
    every: '* * * * *',
    run: async (context) => void (await readDueInboxes(deps, context)),
  }),
  deliveriesJob(deps),
  dataDeletionJob(),
  defineJob({
    name: 'inbox.retention',
    payload: z.object({}),
    every: '*/10 * * * *',
    run: async (context) => {
      await eraseExpired(context)
      await eraseRemovedChannels(context)
    },
  }),
  defineJob({ name: 'inbox.follow-ups', payload: z.object({}), every: '*/5 * * * *', run: reopenDue }),
  defineJob({ name: 'inbox.overdue', payload: z.object({}), every: '*/5 * * * *', run: notifyOverdue }),
]
