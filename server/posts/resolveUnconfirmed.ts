import { because } from '#contract/failures/catalog.ts'
import { failureOf } from '../delivery/failures.ts'
import type { settlePost } from '#contract/posts.ts'
import type { Context } from '../http/route.ts'
import { deliveriesOf, endDelivery } from '../publishing/deliveries.ts'
import { resolveFollowUp } from '../publishing/followUps.ts'
import { loadPost, mustAllow, mustPublish, type PostRecord } from './access.ts'
import { mustHavePlan } from '../plans/gates.ts'
import { updatePost } from './updatePost.ts'
import { placeOnPlan } from './move.ts'
import { takeBack, type PostDeps } from './schedule.ts'
import { planTime } from './time.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'
import { locked } from './locked.ts'

type Settle = Context<typeof settlePost>

/** A person's decision about an unconfirmed post: it was published, it wasn't and is sent again, or it's given up. */
export async function resolveUnconfirmed(c: Settle, deps: PostDeps): Promise<{ message: string }> {
  const { outcome } = c.body
  const post = await loadPost(c, c.params.postId)
  if (post.state === 'PUBLISHED') return await settleParts(c, post)
  mustAllow(c, post, 'settle')
  if (outcome === 'send_again') mustHavePlan(c)
  // anything that the engine is reading right now comes too late: the person has decided
  await takeBack(c, post.id)
  const message = await outcomes[outcome](c, deps, post)
  await c.audit({ entityId: post.id, detail: { outcome } })
  return { message }
}

const outcomes: Record<Settle['body']['outcome'], (c: Settle, deps: PostDeps, post: PostRecord) => Promise<string>> = {
  async published(c, _, post) {
    const { sentAt } = (await deliveriesOf(c.tx, c.org.orgId, [post.id]))(post.id)
    const at = sentAt ?? c.now
    await endDelivery(c.tx, c.org.orgId, post.id, 'sent')
    await updatePost(c, post, {
      state: 'PUBLISHED',
      published_at: at,
      shown_at: at,
      permalink: c.body.permalink ?? post.permalink,
      failure: null,
    })
    await noteResolved(c, post)
    return 'Post Published Successfully'
  },
  async send_again(c, deps, post) {
    await noteResolved(c, post)
    await placeOnPlan(c, deps, post, planTime({ type: 'NOW' }, c.now, post.zone))
    return 'Post sent for processing'
  },
  async failed(c, _, post) {
    const failure = failureOf('unknown', because('given-up'), 'retry')
    await endDelivery(c.tx, c.org.orgId, post.id, 'failed')
    await updatePost(c, post, { state: 'FAILED', failure: JSON.stringify(failure) })
    await noteResolved(c, post)
    return 'Post updated successfully'
  },
}

/** The post is live; one of its follow-ups was unconfirmed. */
async function settleParts(c: Settle, post: PostRecord): Promise<{ message: string }> {
  const { outcome } = c.body
  mustPublish(c)
  if (outcome === 'send_again') mustHavePlan(c)
  if (!(await resolveFollowUp(c.tx, { orgId: c.org.orgId, postId: post.id, outcome }, c.now)))
    throw locked('settle', post.state)
  await c.emit({ kind: 'post', ref: post.id })
  await noteResolved(c, post, true)
  await c.audit({ entityId: post.id, detail: { outcome, parts: true } })
  return { message: outcome === 'send_again' ? 'Post sent for processing' : 'Post updated successfully' }
}

async function noteResolved(c: Settle, post: PostRecord, followUps = false): Promise<void> {
  const detail = { code: 'resolved', outcome: c.body.outcome, followUps } as const
  await addTimelineEvent(c.tx, c.org.orgId, c.now, [
    { postId: post.id, kind: 'settled', personId: c.caller.personId, detail },
  ])
}
