import { sql } from 'kysely'
import type { Desk } from '../posts/access.ts'
import { settleQueue } from './settle.ts'

/** A slot in whose minute a post goes out by itself is taken: queued posts that had it, and those after them, move on. The posts are SCHEDULED. */
export async function makeWay({ tx, org, now }: Pick<Desk, 'tx' | 'org' | 'now'>, posts: readonly { channelId: string; dueAt: Date | null }[]): Promise<void> {
  const coming = posts.flatMap(({ channelId, dueAt }) => (dueAt !== null && dueAt > now ? [{ channelId, dueAt }] : []))
  if (coming.length === 0) return
  const { rows } = await sql<{ channel_id: string }>`
    select distinct p.channel_id from post p
    join unnest(${coming.map(({ channelId }) => channelId)}::uuid[], ${coming.map(({ dueAt }) => dueAt)}::timestamptz[]) as g(channel_id, due_at)
      on p.channel_id = g.channel_id and date_trunc('minute', p.due_at) = date_trunc('minute', g.due_at)
    where p.org_id = ${org.orgId} and p.state = 'QUEUED' and p.queue_order is not null order by p.channel_id`.execute(tx)
  for (const row of rows) await settleQueue(tx, org.orgId, row.channel_id, now)
}
