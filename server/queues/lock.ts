import { sql } from 'kysely'
import { z } from 'zod'
import { QueueSlot } from '#contract/queues.ts'
import type { Tx } from '../db/kysely.ts'

/** A post in a queue, and its slot; null while the queue has none for it. */
export type InLine = { postId: string; order: number; dueAt: Date | null }
export type LockedQueue = {
  channelId: string
  zone: string
  slots: QueueSlot[]
  paused: boolean
  version: number
  /** In order. */ posts: InLine[]
}

/*
 * A verb that changes a queue changes all of its posts. To avoid deadlocks, locks are taken in one order: queues by
 * their channels, then their posts by id, then single posts, then caps, then lanes. Every verb that loads a post to
 * change it begins here; `lock_caps` locks a queue before its cap.
 */

/**
 * The channels' queues with their posts, locked until the transaction ends. A channel without a queue gets an empty
 * one, in its own zone or the project's.
 */
export async function lockQueues(tx: Tx, orgId: string, channelIds: readonly string[]): Promise<LockedQueue[]> {
  const ids = [...new Set(channelIds)]
  if (ids.length === 0) return []
  await sql`
    insert into queue (org_id, channel_id, zone)
    select c.org_id, c.id, coalesce(c.zone, p.zone) from channel c join project p on p.org_id = c.org_id and p.id = c.project_id
    where c.org_id = ${orgId} and c.id = any(${ids}::uuid[]) and not exists (select from queue q where q.org_id = c.org_id and q.channel_id = c.id)
    order by c.id on conflict do nothing`.execute(tx)
  return await holdQueues(tx, orgId, ids)
}

/** The same for channels that have one; the others stay without. */
export async function holdQueues(tx: Tx, orgId: string, channelIds: readonly string[]): Promise<LockedQueue[]> {
  const ids = [...new Set(channelIds)]
  if (ids.length === 0) return []
  const queues = await tx
    .selectFrom('queue')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('channel_id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .orderBy('channel_id')
    .forNoKeyUpdate()
    .execute()
  if (queues.length === 0) return []
  // the engine may have taken one since: after waiting for a lock, the state is checked again
  const { rows } = await sql<InLine & { channelId: string }>`
    with locked as (
      select p.id, p.channel_id, p.queue_order, p.due_at from post p
      where p.org_id = ${orgId} and p.channel_id = any(${ids}::uuid[]) and p.state = 'QUEUED' and p.queue_order is not null
      order by p.id for no key update
    )
    select id as "postId", channel_id as "channelId", queue_order as "order", due_at as "dueAt" from locked order by queue_order, id`.execute(
    tx,
  )
  return queues.map((queue) => ({
    channelId: queue.channel_id,
    zone: queue.zone,
    slots: slotsOf(queue),
    paused: queue.paused,
    version: queue.version,
    posts: rows
      .filter((row) => row.channelId === queue.channel_id)
      .map(({ postId, order, dueAt }) => ({ postId, order, dueAt })),
  }))
}

/** Locks the queues that contain any of the posts, or of the series, at this moment. */
export async function holdQueuesOf(
  tx: Tx,
  orgId: string,
  postIds: readonly string[],
  seriesId: string | null = null,
): Promise<void> {
  const { rows } = await sql<{
    channel_id: string
  }>`select distinct channel_id from post where org_id = ${orgId} and (id = any(${[...postIds]}::uuid[]) or series_id = ${seriesId}::uuid) and state = 'QUEUED' and channel_id is not null`.execute(
    tx,
  )
  await holdQueues(
    tx,
    orgId,
    rows.map((row) => row.channel_id),
  )
}

const Slots = z.array(QueueSlot)
/** A row's slots, parsed with the schema they were written with. */
export const slotsOf = (queue: { slots: unknown }): QueueSlot[] => Slots.parse(queue.slots)
