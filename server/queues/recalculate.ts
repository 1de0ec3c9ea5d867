import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { heldPosts } from '../campaigns/heldPosts.ts'
import { holdOnLane, moveInQueue } from '../publishing/lane.ts'
import { lockQueues, type InLine, type LockedQueue } from './lock.ts'
import { comingSlots, minuteOf } from './slots.ts'

/**
 * Gives every queued post of a channel the slot of its position: the first post the first upcoming slot, and so on.
 * Minutes in which a post of the channel is scheduled are skipped. While the queue is paused or has no slots, its posts
 * have no time and keep their order. A post whose slot has come belongs to the engine: it keeps its slot, and is late
 * like any other if it isn't published. Versions stay, open screens are notified. Runs in the tenant's transaction.
 */
export async function recalculateQueue(tx: Tx, orgId: string, channelId: string, now: Date): Promise<void> {
  for (const queue of await lockQueues(tx, orgId, [channelId])) await recalculateLocked(tx, orgId, queue, now)
}

/** The same for a locked queue. Returns the slot of each waiting post. */
export async function recalculateLocked(
  tx: Tx,
  orgId: string,
  queue: LockedQueue,
  now: Date,
): Promise<Map<string, Date | null>> {
  const waiting = queue.paused ? queue.posts : queue.posts.filter((post) => !hasCome(post, now))
  const slots =
    queue.paused || waiting.length === 0
      ? []
      : comingSlots(queue, now, waiting.length, await takenMinutes(tx, orgId, queue.channelId, now))
  const moves = waiting.map(({ postId }, i) => ({ postId, at: slots[i]?.at ?? null, wall: slots[i]?.wall ?? null }))
  const moved = await moveInQueue(tx, { channelId: queue.channelId, zone: queue.zone, moves }, now)
  await holdOnLane(tx, await heldPosts(tx, moved))
  return new Map(moves.map(({ postId, at }) => [postId, at]))
}

const hasCome = ({ dueAt }: Pick<InLine, 'dueAt'>, now: Date): boolean => dueAt !== null && dueAt <= now

/** Upcoming minutes in which a post of the channel is scheduled. */
async function takenMinutes(tx: Tx, orgId: string, channelId: string, now: Date): Promise<Set<number>> {
  const { rows } = await sql<{
    due_at: Date
  }>`select due_at from post where org_id = ${orgId} and channel_id = ${channelId} and state = 'SCHEDULED' and due_at > ${now}`.execute(
    tx,
  )
  return new Set(rows.map((row) => minuteOf(row.due_at)))
}
