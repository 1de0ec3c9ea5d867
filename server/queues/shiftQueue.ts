import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'

import { recalculateQueue } from './recalculate.ts'

/**
 * A slot in whose minute a post is scheduled is taken: queued posts that had it, and those after them, move on. The
 * posts are SCHEDULED.
 */
export async function shiftQueueDown(
  { tx, org, now }: Pick<ProjectContext, 'tx' | 'org' | 'now'>,
  posts: readonly { channelId: string; dueAt: Date | null }[],
): Promise<void> {
  const coming = posts.flatMap(({ channelId, dueAt }) => (dueAt !== null && dueAt > now ? [{ channelId, dueAt }] : []))
  if (coming.length === 0) return
  const { rows } = await sql<{ channel_id: string }>`
    select distinct p.channel_id from post p
    join unnest(${coming.map(({ channelId }) => channelId)}::uuid[], ${coming.map(({ dueAt }) => dueAt)}::timestamptz[]) as g(channel_id, due_at)
      on p.channel_id = g.channel_id and date_trunc('minute', p.due_at) = date_trunc('minute', g.due_at)
    where p.org_id = ${org.orgId} and p.state = 'QUEUED' and p.queue_order is not null order by p.channel_id`.execute(
    tx,
  )
  for (const row of rows) await recalculateQueue(tx, org.orgId, row.channel_id, now)
}

/**
 * The minute of a scheduled post is free again: later queued posts move up if it's a slot of their queue. The post is
 * no longer SCHEDULED for it.
 */
export async function compactQueue(
  { tx, org, now }: Pick<ProjectContext, 'tx' | 'now'> & { org: { orgId: string } },
  { channelId, dueAt }: { channelId: string; dueAt: Date },
): Promise<void> {
  if (dueAt <= now) return
  const { rows } =
    await sql`select 1 from post where org_id = ${org.orgId} and channel_id = ${channelId} and state = 'QUEUED' and queue_order is not null and due_at > ${dueAt} limit 1`.execute(
      tx,
    )
  if (rows.length > 0) await recalculateQueue(tx, org.orgId, channelId, now)
}
