import type * as contract from '#contract/posts.ts'
import type { Context, ProjectContext } from '../http/route.ts'
import { resumeFollowUps } from '../publishing/followUps.ts'
import { loadPost, mustAllow, mustPublish, type PostRecord } from './access.ts'
import { mustHavePlan } from '../plans/gates.ts'
import { placeOnPlan } from './move.ts'
import type { PostDeps } from './schedule.ts'
import { planTime } from './time.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'
import { locked } from './locked.ts'

/** Sends a failed post again, now, after checking its content and channel again. A live one with failed follow-ups continues from there. */
export async function retry(c: Context<typeof contract.retryPost>, deps: PostDeps): Promise<{ message: string }> {
  await retryPost(c, deps, c.params.postId)
  return { message: 'Post sent for processing' }
}

/** The action itself, for one request or one of many posts. */
export async function retryPost(c: ProjectContext, deps: PostDeps, postId: string): Promise<void> {
  const post = await loadPost(c, postId)
  if (post.state === 'PUBLISHED') return await resume(c, post)
  mustAllow(c, post, 'retry')
  mustHavePlan(c)
  await placeOnPlan(c, deps, post, planTime({ type: 'NOW' }, c.now, post.zone))
  await addTimelineEvent(c.tx, c.org.orgId, c.now, [
    { postId: post.id, kind: 'retried', personId: c.caller.personId, dueAt: c.now },
  ])
  await c.audit({ entityId: post.id })
}

/** Missing thread items or the first comment: never from the start, since the rest is published. */
async function resume(c: ProjectContext, post: PostRecord): Promise<void> {
  mustPublish(c)
  mustHavePlan(c)
  if (!(await resumeFollowUps(c.tx, { orgId: c.org.orgId, postId: post.id, failedToo: true }, c.now)))
    throw locked('retry', post.state)
  await c.emit({ kind: 'post', ref: post.id })
  await addTimelineEvent(c.tx, c.org.orgId, c.now, [
    { postId: post.id, kind: 'retried', personId: c.caller.personId, dueAt: c.now },
  ])
  await c.audit({ entityId: post.id, detail: { parts: true } })
}
