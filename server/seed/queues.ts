import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { recalculateQueue } from '../queues/recalculate.ts'

const slotsOf = (days: readonly number[], times: readonly string[]) =>
  days.flatMap((day) => times.map((time) => ({ day, time })))
/** Weeks of slots, for the channels in turn. */
const weeks = [
  slotsOf([1, 2, 3, 4, 5], ['09:00', '12:30', '17:15']),
  slotsOf([2, 4, 6], ['10:45', '18:30']),
  slotsOf([1, 3, 5, 0], ['08:15', '16:00']),
]

/** Queues of a seeded project's channels: a week of slots each, and its queued posts, in the order of their days. The last channel's queue is paused. */
export async function seedQueues(
  tx: Tx,
  { orgId, zone, channelIds }: { orgId: string; zone: string; channelIds: readonly string[] },
  now: Date,
): Promise<void> {
  // queues are recalculated in a tenant's transaction
  await sql`select set_config('app.org_id', ${orgId}, true)`.execute(tx)
  for (const [i, channelId] of channelIds.entries()) {
    const isLast = i === channelIds.length - 1
    await tx
      .insertInto('queue')
      .values({
        org_id: orgId,
        channel_id: channelId,
        zone,
        slots: JSON.stringify(weeks[i % weeks.length]),
        paused: isLast && i > 0,
      })
      .execute()
    await sql`
      update post p set queue_order = g.place, due_at = null, wall_time = null, schedule = ${JSON.stringify({ type: 'QUEUE', details: { position: 'LAST' } })}::jsonb
      from (select id, row_number() over (order by due_at, id) as place from post where org_id = ${orgId} and channel_id = ${channelId} and state = 'QUEUED') g
      where p.org_id = ${orgId} and p.id = g.id`.execute(tx)
    await recalculateQueue(tx, orgId, channelId, now)
  }
}
