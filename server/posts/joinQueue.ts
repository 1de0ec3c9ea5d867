import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import { PostType } from '#contract/platforms/rules.ts'
import type { QueuePosition } from '#contract/queues.ts'
import { channelsById } from '../access/channels.ts'
import { fail } from '../errors.ts'

import type { Composed } from './checks.ts'
import { saysOf } from './content.ts'
import { schedule, type PostDeps } from './schedule.ts'
import { lockQueues, type InLine, type LockedQueue } from '../queues/lock.ts'
import { recalculateLocked } from '../queues/recalculate.ts'

export type Joining = {
  postId: string
  channelId: string
  position: QueuePosition
  /** Its former slot in this queue, to which it returns. */ slot?: Date | null
}

/**
 * Adds posts to the queues of their channels: NEXT before all others, LAST after them, several in the given order.
 * One with a former slot goes before the post that now has that slot or a later one. Sets them QUEUED with their
 * position, slot and time, and puts them on their lanes; the rest of the queue moves. Their rows are in the
 * transaction; the caller has checked permissions, plan and cap, and emits these posts' events. Returns the slot of
 * each; null while the queue is paused or has no slots. Throws NOT_FOUND for a deleted channel.
 */
export async function joinQueue(
  c: ProjectContext,
  deps: PostDeps,
  posts: readonly Joining[],
): Promise<ReadonlyMap<string, Date | null>> {
  if (posts.length === 0) return new Map()
  const queues = await lockQueues(
    c.tx,
    c.org.orgId,
    posts.map(({ channelId }) => channelId),
  )
  const places = queues.map((queue) =>
    takePlaces(
      queue,
      posts.filter(({ channelId }) => channelId === queue.channelId),
      c.now,
    ),
  )
  const joined = places.flatMap(({ joining }) => joining)
  if (joined.length < posts.length) throw fail('NOT_FOUND')
  await sql`
    update post p set state = 'QUEUED', queue_order = g.place, due_at = null
    from unnest(${joined.map(({ postId }) => postId)}::uuid[], ${joined.map(({ order }) => order)}::bigint[]) as g(id, place)
    where p.org_id = ${c.org.orgId} and p.id = g.id`.execute(c.tx)
  for (const { behind } of places) {
    if (behind.length > 0)
      await sql`update post set queue_order = queue_order + 1 where org_id = ${c.org.orgId} and id = any(${behind}::uuid[])`.execute(
        c.tx,
      )
  }
  await bumpVersions(c, queues)
  // the engine learns what has to be prepared; the slot brings the time
  await schedule(
    c,
    deps,
    (
      await composedAll(
        c,
        joined.map(({ postId }) => postId),
      )
    ).map((composed) => ({ ...composed, dueAt: null })),
  )
  const slots = new Map<string, Date | null>()
  for (const { queue } of places)
    for (const [postId, at] of await recalculateLocked(c.tx, c.org.orgId, queue, c.now)) slots.set(postId, at)
  return new Map(posts.map(({ postId }) => [postId, slots.get(postId) ?? null]))
}

/**
 * Takes posts out of their queues; the others move up. Skips posts that aren't queued. The caller has taken them off
 * their lanes and sets their new status in this transaction.
 */
export async function leaveQueue(
  c: Pick<ProjectContext, 'tx' | 'org' | 'now'>,
  postIds: readonly string[],
): Promise<void> {
  if (postIds.length === 0) return
  const ids = [...postIds]
  const { rows } = await sql<{
    channel_id: string
  }>`select distinct channel_id from post where org_id = ${c.org.orgId} and id = any(${ids}::uuid[]) and queue_order is not null and channel_id is not null`.execute(
    c.tx,
  )
  const queues = await lockQueues(
    c.tx,
    c.org.orgId,
    rows.map((row) => row.channel_id),
  )
  if (queues.length === 0) return
  await sql`update post set queue_order = null where org_id = ${c.org.orgId} and id = any(${ids}::uuid[])`.execute(c.tx)
  await bumpVersions(c, queues)
  const gone = new Set(ids)
  for (const queue of queues)
    await recalculateLocked(
      c.tx,
      c.org.orgId,
      { ...queue, posts: queue.posts.filter(({ postId }) => !gone.has(postId)) },
      c.now,
    )
}

/** The queue after they have joined, and their positions; `behind` are those that make room for a returning one. */
function takePlaces(queue: LockedQueue, joining: readonly Joining[], now: Date) {
  const ids = new Set(joining.map(({ postId }) => postId))
  const others = queue.posts.filter(({ postId }) => !ids.has(postId))
  const [only] = joining
  if (joining.length === 1 && only?.slot)
    return comingBack(queue, others, only.postId, only.slot > now ? only.slot : now)
  const first = others[0]?.order ?? 0
  const last = others.at(-1)?.order ?? 0
  const [next, later] = [
    joining.filter(({ position }) => position === 'NEXT'),
    joining.filter(({ position }) => position === 'LAST'),
  ]
  const before = next.map(({ postId }, i) => ({ postId, order: first - next.length + i, dueAt: null }))
  const after = later.map(({ postId }, i) => ({ postId, order: last + 1 + i, dueAt: null }))
  return { queue: { ...queue, posts: [...before, ...others, ...after] }, joining: [...before, ...after], behind: [] }
}

/** The queue with a post before the first one whose slot isn't earlier than this one; last if there is none. */
function comingBack(queue: LockedQueue, others: readonly InLine[], postId: string, slot: Date) {
  const found = others.findIndex(({ dueAt }) => dueAt !== null && dueAt >= slot)
  const at = found === -1 ? others.length : found
  const behind = others.slice(at).map((post) => ({ ...post, order: post.order + 1 }))
  const back = { postId, order: others[at]?.order ?? (others.at(-1)?.order ?? 0) + 1, dueAt: null }
  return {
    queue: { ...queue, posts: [...others.slice(0, at), back, ...behind] },
    joining: [back],
    behind: behind.map((post) => post.postId),
  }
}

async function bumpVersions(c: Pick<ProjectContext, 'tx' | 'org'>, queues: readonly LockedQueue[]): Promise<void> {
  await sql`update queue set version = version + 1 where org_id = ${c.org.orgId} and channel_id = any(${queues.map(({ channelId }) => channelId)}::uuid[])`.execute(
    c.tx,
  )
}

async function composedAll(c: ProjectContext, postIds: readonly string[]): Promise<(Composed & { postId: string })[]> {
  if (postIds.length === 0) return []
  const rows = await c.tx
    .selectFrom('post')
    .selectAll()
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...postIds])))
    .execute()
  const channels = await channelsById(c, [...new Set(rows.flatMap(({ channel_id: id }) => (id === null ? [] : [id])))])
  return rows.map((row) => {
    const channel = row.channel_id === null ? undefined : channels.get(row.channel_id)
    if (!channel) throw fail('NOT_FOUND')
    return { postId: row.id, channel, postType: PostType.parse(row.post_type), ...saysOf(row), at: '' }
  })
}
