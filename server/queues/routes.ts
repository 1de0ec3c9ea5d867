import * as contract from '#contract/queues.ts'
import { fail } from '../errors.ts'
import { handle, type Route } from '../http/route.ts'
import { findBestTimes } from './bestTimes.ts'
import { reorder, setSlots, setStatus } from './change.ts'
import { findQueues } from './queries.ts'

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
    handle(contract.bestTimes, findBestTimes),
  ]
}
