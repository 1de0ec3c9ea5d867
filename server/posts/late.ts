import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import { PostState } from '#contract/postStates.ts'
import type { Tx } from '../db/kysely.ts'
import { Failure } from '../errors.ts'
import { mustPublish, type PostRecord } from './access.ts'
import { placeOnPlan } from './move.ts'
import type { PostDeps } from './schedule.ts'
import { planTime } from './time.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'
import { toDraft } from './toDrafts.ts'
import { holdQueues } from '../queues/lock.ts'
import type { ChannelRow } from '../access/channels.ts'

/** What to do with posts that became late while their channel was away. */
export type LateChoice = 'wait' | 'publish' | 'drafts'

/**
 * Whether a post `p` became late during the last absence of its channel `c` and waits for a person. The engine checks
 * due posts of a paused channel and fails them at the lateness limit with what delayed them; those that it hasn't
 * checked yet are past the limit too. Posts held by a campaign are excluded, and a channel that was never away has
 * none.
 */
export const becameLate = (now: Date) => sql<boolean>`(
  (p.state = 'FAILED' and p.failure ->> 'class' in ('paused', 'reconnect', 'late') and p.due_at >= case
    when c.away_since is not null then c.away_since - make_interval(mins => c.lateness_minutes)
    when not c.enabled or c.status <> 'CONNECTED' then c.connected_at
  end)
  or (p.state in ('SCHEDULED', 'QUEUED') and exists (select from delivery d where d.org_id = p.org_id and d.subject_id = p.id and d.subject = 'post' and d.step in ('prepare', 'send') and d.step_at is not null) and p.due_at < ${now}::timestamptz - make_interval(mins => c.lateness_minutes))
)`

/** The channel's late posts, oldest first. Locks its queue, these posts and the channel's deliveries: posts before lanes. */
export async function lateOf(tx: Tx, channel: ChannelRow, now: Date): Promise<PostRecord[]> {
  await holdQueues(tx, channel.org_id, [channel.id])
  await sql`select from post p where p.org_id = ${channel.org_id} and p.channel_id = ${channel.id} and exists (select from delivery d where d.org_id = p.org_id and d.subject_id = p.id and d.step_at is not null) order by p.id for update`.execute(
    tx,
  )
  const { rows } = await sql<{ id: string }>`
    select p.id from post p join channel c on c.org_id = p.org_id and c.id = p.channel_id
    where p.org_id = ${channel.org_id} and p.channel_id = ${channel.id} and ${becameLate(now)}
    order by p.due_at, p.id for update of p`.execute(tx)
  if (rows.length === 0) return []
  const posts = await tx
    .selectFrom('post')
    .selectAll()
    .where('org_id', '=', channel.org_id)
    .where('id', '=', (eb) => eb.fn.any(eb.val(rows.map(({ id }) => id))))
    .orderBy('due_at')
    .orderBy('id')
    .execute()
  return posts.map((post) => ({ ...post, state: PostState.parse(post.state) }))
}

/**
 * Does with late posts what the person chose. Publishing works like "send now": content and channel are checked
 * again, and earlier deliveries are void. Returns how many it was done for; a post that would be refused stays as it
 * is. Throws FORBIDDEN if the role can't publish.
 */
export async function resolveLatePosts(
  c: ProjectContext,
  deps: PostDeps,
  late: readonly PostRecord[],
  choice: LateChoice,
): Promise<number> {
  if (choice === 'wait' || late.length === 0) return 0
  if (choice === 'publish') mustPublish(c)
  let done = 0
  for (const post of late) {
    if (choice === 'drafts') await toDraft(c, post)
    else if (!(await sendNow(c, deps, post))) continue
    done += 1
  }
  return done
}

/** False, without changes, if the post would be refused: the post shows the reason when someone opens it. */
async function sendNow(c: ProjectContext, deps: PostDeps, post: PostRecord): Promise<boolean> {
  try {
    await placeOnPlan(c, deps, post, planTime({ type: 'NOW' }, c.now, post.zone))
  } catch (error) {
    if (error instanceof Failure && error.code === 'POST_REFUSED') return false
    throw error
  }
  await addTimelineEvent(c.tx, c.org.orgId, c.now, [
    {
      postId: post.id,
      kind: post.state === 'FAILED' ? 'retried' : 'sent_now',
      personId: c.caller.personId,
      dueAt: c.now,
    },
  ])
  return true
}
