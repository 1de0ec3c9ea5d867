import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import type { Queue } from '#contract/queues.ts'
import { maySeePosts } from '../access/visiblePosts.ts'

import { slotsOf } from './lock.ts'
import { comingSlots, minuteOf } from './slots.ts'

/** How many free slots are shown. */
const NEXT = 5

type Asker = Pick<ProjectContext, 'tx' | 'org' | 'project' | 'now'>
type QueueRow = { channelId: string; zone: string; slots: unknown; paused: boolean; version: number }
type PostRow = { channelId: string; postId: string; excerpt: string; at: Date | null; state: string }

/**
 * The queues of the caller's channels, or of one of them, by the channels' names. A channel whose queue was never set
 * has one without slots. Deleted channels have none. Roles that can't view posts get the slots alone.
 */
export async function findQueues(c: Asker, channelId: string | null = null): Promise<Queue[]> {
  const { orgId } = c.org
  const { rows: queues } = await sql<QueueRow>`
    select ch.id as "channelId", coalesce(q.zone, ch.zone, pr.zone) as zone, coalesce(q.slots, '[]') as slots, coalesce(q.paused, false) as paused, coalesce(q.version, 1) as version
    from channel ch join project pr on pr.org_id = ch.org_id and pr.id = ch.project_id
    left join queue q on q.org_id = ch.org_id and q.channel_id = ch.id
    where ch.org_id = ${orgId} and ch.project_id = ${c.project.projectId} and ch.deleted_at is null
      and (${channelId}::uuid is null or ch.id = ${channelId}::uuid) and (${c.project.channelIds}::uuid[] is null or ch.id = any(${c.project.channelIds}::uuid[]))
    order by lower(ch.name), ch.id`.execute(c.tx)
  const ids = queues.map((queue) => queue.channelId)
  const { rows: posts } = await sql<PostRow>`
    select channel_id as "channelId", id as "postId", excerpt, due_at as at, state from post
    where org_id = ${orgId} and channel_id = any(${ids}::uuid[]) and ((state = 'QUEUED' and queue_order is not null) or (state = 'SCHEDULED' and due_at > ${c.now}))
    order by queue_order, id`.execute(c.tx)
  const maySee = maySeePosts(c.project)
  return queues.map((queue) => {
    const all = shown(
      queue,
      posts.filter((post) => post.channelId === queue.channelId),
      c.now,
    )
    return maySee ? all : { ...all, posts: [] }
  })
}

function shown(
  { channelId, zone, slots: stored, paused, version }: QueueRow,
  posts: readonly PostRow[],
  now: Date,
): Queue {
  const slots = slotsOf({ slots: stored })
  const taken = new Set(posts.flatMap(({ at }) => (at === null ? [] : [minuteOf(at)])))
  return {
    channelId,
    timezone: zone,
    slots,
    paused,
    version,
    posts: posts
      .filter(({ state }) => state === 'QUEUED')
      .map(({ postId, excerpt, at }) => ({ postId, excerpt, at: at?.toISOString() ?? null })),
    next: paused ? [] : comingSlots({ zone, slots }, now, NEXT, taken).map(({ at }) => at.toISOString()),
  }
}
