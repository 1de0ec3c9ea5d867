import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { applyKeeping } from './applyKeeping.ts'
import { READINGS_MOST } from './claimReadings.ts'
import { dataDeletionJob } from './dataDeletion.ts'
import { deliveriesJob } from './applyDeliveries.ts'
import { foldInboxCounts } from './foldCounts.ts'
import { READ, readDueInboxes, readWatchedSooner, type ReadingDeps } from './read.ts'
import { notifyOverdue, reopenDue } from './reminders.ts'
import { eraseRemovedChannels } from './removedChannels.ts'
import { eraseExpired } from './retention.ts'

/**
 * Reads what people wrote: every minute, and when a platform notifies us, all that is due. Applies what platforms send.
 * Every ten minutes, erases what may be kept no longer or belongs to deleted channels. Every five, opens what was put
 * off until today, and reminds people of what waits too long.
 */
export const inboxJobs = (deps: ReadingDeps): AnyJob[] => [
  defineJob({
    ...READ,
    payload: z.object({}),
    every: '* * * * *',
    run: async (context) => {
      await readWatchedSooner(deps, context)
      while (!context.signal.aborted && (await readDueInboxes(deps, context)) === READINGS_MOST);
    },
  }),
  defineJob({
    name: 'inbox.fold',
    payload: z.object({}),
    every: '* * * * *',
    run: async (context) => void (await foldInboxCounts(context)),
  }),
  deliveriesJob(deps),
  dataDeletionJob(),
  defineJob({
    name: 'inbox.retention',
    payload: z.object({}),
    every: '*/10 * * * *',
    run: async (context) => {
      await applyKeeping(context)
      await eraseExpired(context)
      await eraseRemovedChannels(context)
    },
  }),
  defineJob({ name: 'inbox.follow-ups', payload: z.object({}), every: '*/5 * * * *', run: reopenDue }),
  defineJob({ name: 'inbox.overdue', payload: z.object({}), every: '*/5 * * * *', run: notifyOverdue }),
]
