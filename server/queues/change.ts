import { sql } from 'kysely'
import type { z } from 'zod'
import type { reorderQueue, setQueueSlots, setQueueStatus } from '#contract/queues.ts'
import { seeChannel } from '../access/channels.ts'
import { fail } from '../errors.ts'
import type { Context, ProjectContext } from '../http/route.ts'
import { mustHaveGate } from '../plans/gates.ts'
import { lockQueues, type LockedQueue } from './lock.ts'
import { recalculateLocked } from './recalculate.ts'
import { tidySlots } from './slots.ts'

type Reply = z.output<(typeof setQueueSlots)['reply']>

/** Sets a queue's weekly slots. Its posts get the new slots in order. */
export async function setSlots(c: Context<typeof setQueueSlots>): Promise<Reply> {
  mustHaveGate(c, 'queues')
  const before = await load(c, c.params.channelId)
  const queue = { ...before, zone: c.body.timezone, slots: tidySlots(c.body.slots) }
  await store(c, queue)
  await c.audit({
    entityId: queue.channelId,
    detail: {
      before: { timezone: before.zone, slots: before.slots },
      after: { timezone: queue.zone, slots: queue.slots },
    },
  })
  return { message: 'Queue updated successfully' }
}

/**
 * Pauses a queue: its posts give up their slots, even ones that have come. Resumed, they get the next slots in order.
 */
export async function setStatus(c: Context<typeof setQueueStatus>): Promise<Reply> {
  const { paused } = c.body
  if (!paused) mustHaveGate(c, 'queues')
  const before = await load(c, c.params.channelId)
  if (before.paused !== paused) await store(c, { ...before, paused })
  await c.audit({ entityId: before.channelId, detail: { before: { paused: before.paused }, after: { paused } } })
  return { message: 'Queue status updated' }
}

/** Reorders a queue's posts. Throws STALE_VERSION if the queue differs from the one that was seen. */
export async function reorder(c: Context<typeof reorderQueue>): Promise<Reply> {
  mustHaveGate(c, 'queues')
  const { version, postIds } = c.body
  const before = await load(c, c.params.channelId)
  const known = new Map(before.posts.map((post) => [post.postId, post]))
  const posts = [...new Set(postIds)]
    .flatMap((postId) => known.get(postId) ?? [])
    .map((post, i) => ({ ...post, order: i + 1 }))
  // a post the engine took in the meantime doesn't change the version
  if (version !== before.version || posts.length !== known.size || postIds.length !== known.size)
    throw fail('STALE_VERSION', {
      detail: 'The queue has changed in the meantime. Check it before you reorder it.',
      meta: { version: before.version },
    })
  await sql`
    update post p set queue_order = g.place from unnest(${posts.map(({ postId }) => postId)}::uuid[], ${posts.map(({ order }) => order)}::bigint[]) as g(id, place)
    where p.org_id = ${c.org.orgId} and p.id = g.id`.execute(c.tx)
  await store(c, { ...before, posts })
  await c.audit({ entityId: before.channelId, detail: { posts: posts.length } })
  return { message: 'Queue reordered successfully' }
}

async function load(c: ProjectContext, channelId: string): Promise<LockedQueue> {
  const channel = await seeChannel(c, channelId)
  const [queue] = await lockQueues(c.tx, c.org.orgId, [channel.id])
  if (!queue) throw fail('NOT_FOUND')
  return queue
}

/** Stores the queue and gives its posts their slots, in one transaction. */
async function store(c: ProjectContext, queue: LockedQueue): Promise<void> {
  await c.tx
    .updateTable('queue')
    .set({ zone: queue.zone, slots: JSON.stringify(queue.slots), paused: queue.paused, version: queue.version + 1 })
    .where('org_id', '=', c.org.orgId)
    .where('channel_id', '=', queue.channelId)
    .execute()
  await recalculateLocked(c.tx, c.org.orgId, queue, c.now)
  await c.emit({ kind: 'queue', ref: queue.channelId })
}
