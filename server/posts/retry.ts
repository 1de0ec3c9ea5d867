import type * as contract from '#contract/posts.ts'
import type { Context } from '../http/route.ts'
import { loadPostFor, mustHavePlan, type Desk } from './access.ts'
import { send } from './move.ts'
import type { PostParts } from './schedule.ts'
import { planTime } from './time.ts'
import { note } from './timeline.ts'

/** Sends a failed post again, now. Its content and its channel are checked anew. */
export async function retry(c: Context<typeof contract.retryPost>, parts: PostParts): Promise<{ message: string }> {
  await retryPost(c, parts, c.params.postId)
  return { message: 'Post sent for processing' }
}

/** The verb behind it, for one request or one of many posts. */
export async function retryPost(c: Desk, parts: PostParts, postId: string): Promise<void> {
  const post = await loadPostFor(c, postId, 'retry')
  mustHavePlan(c)
  await send(c, parts, post, planTime({ type: 'NOW' }, c.now, post.zone))
  await note(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'retried', personId: c.caller.personId, dueAt: c.now }])
  await c.audit({ entityId: post.id })
}
