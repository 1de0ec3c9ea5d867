import * as contract from '#contract/queues.ts'
import { seeChannel } from '../channels/access.ts'
import { fail } from '../errors.ts'
import { handle, type Route } from '../http/route.ts'
import { reorder, setSlots, setStatus } from './change.ts'
import { findQueues } from './queries.ts'

/** So many posts with results tell which slots do best. */
const RESULTS_NEEDED = 30

export function queueRoutes(): Route[] {
  return [
    handle(contract.listQueues, async (c) => ({ queues: await findQueues(c) })),
    handle(contract.getQueue, async (c) => {
      const [queue] = await findQueues(c, c.params.channelId)
      if (!queue) throw fail('NOT_FOUND')
      return queue
    }),
    handle(contract.setQueueSlots, setSlots),
    handle(contract.setQueueStatus, setStatus),
    handle(contract.reorderQueue, reorder),
    handle(contract.bestTimes, async (c) => {
      const { zone } = await seeChannel(c, c.params.channelId)
      // results of posts are not read from any platform yet
      return { timezone: zone ?? c.project.zone, slots: [], posts: 0, needed: RESULTS_NEEDED, problem: 'Not enough results yet' }
    }),
  ]
}
