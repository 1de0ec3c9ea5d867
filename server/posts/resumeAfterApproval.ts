import type { ProjectContext } from '../http/route.ts'
import { because } from '#contract/failures/catalog.ts'
import type { PostFailure } from '#contract/postLists.ts'
import { reasonDetail } from '#contract/timeline.ts'
import { channelsById } from '../access/channels.ts'
import { failureOf } from '../delivery/failures.ts'
import { Failure, problemsOf } from '../errors.ts'
import { type PostRecord } from './access.ts'
import { mustHavePlan } from '../plans/gates.ts'
import { updatePost } from './updatePost.ts'
import { scheduleOf } from './content.ts'
import { enqueue, placeOnPlan, type Moved } from './move.ts'
import type { PostDeps } from './schedule.ts'
import { planTime, timeAt } from './time.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'

/** The result for an approved post; `failure` says why it waits for a person, if it does. */
export type Resumed = Moved & { failure: PostFailure | null }

/**
 * Resumes an approved post as it was submitted: NOW is sent, a future time is scheduled, QUEUE joins its queue. If
 * its time has passed, it's APPROVED and waits for a new one; so is one that can't be published as it is (because of
 * its channel, the plan or the cap): the approval remains, and the post and its timeline show the reason, since
 * nothing sends it until someone moves it. The post is locked, NEEDS_APPROVAL or APPROVED; the caller records the
 * decision, who made it and the result.
 */
export async function resumeAfterApproval(c: ProjectContext, deps: PostDeps, post: PostRecord): Promise<Resumed> {
  const asked = scheduleOf(post)
  if (asked.type === 'ONCE' && (post.due_at === null || post.due_at <= c.now))
    return await wait(c, post, failureOf('late', because('time-passed-in-approval')))
  try {
    return { ...(await continuePost(c, deps, post)), failure: null }
  } catch (error) {
    // thrown before anything was changed
    if (error instanceof Failure) return await wait(c, post, await whyNot(c, post, error))
    throw error
  }
}

async function continuePost(c: ProjectContext, deps: PostDeps, post: PostRecord): Promise<Moved> {
  const asked = scheduleOf(post)
  if (asked.type === 'QUEUE') {
    mustHavePlan(c)
    const { version, slot } = await enqueue(c, deps, post, { position: asked.details?.position ?? 'LAST' })
    await addTimelineEvent(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'queued', dueAt: slot }])
    return { status: 'QUEUED', dueAt: slot, version }
  }
  const isDated = asked.type === 'ONCE' && post.due_at !== null
  if (!isDated) mustHavePlan(c)
  const time = isDated && post.due_at ? timeAt(post.due_at, post.zone) : planTime({ type: 'NOW' }, c.now, post.zone)
  const version = await placeOnPlan(c, deps, post, time)
  await addTimelineEvent(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'scheduled', dueAt: time.dueAt }])
  return { status: 'SCHEDULED', dueAt: time.dueAt, version }
}

async function wait(c: ProjectContext, post: PostRecord, failure: PostFailure): Promise<Resumed> {
  const version = await updatePost(c, post, { state: 'APPROVED', failure: JSON.stringify(failure) })
  await addTimelineEvent(c.tx, c.org.orgId, c.now, [
    { postId: post.id, kind: 'waiting', detail: reasonDetail(failure, true) },
  ])
  return { status: 'APPROVED', dueAt: post.due_at, version, failure }
}

/** The first problem, as posts store it. Problems of the channel or the plan are fixed there, all others in the post. */
async function whyNot(c: ProjectContext, post: PostRecord, failure: Failure): Promise<PostFailure> {
  const [wrong] = problemsOf(failure)
  const blocked = (next: 'time' | 'edit' | 'afterwards') =>
    because('approved-but-not-accepted', { problem: wrong?.problem, next })
  if (failure.code === 'PLAN_LIMIT' && failure.facts.meta?.['gate'] === 'plan_expired')
    return failureOf('plan', blocked('afterwards'))
  // the plan is full or no longer has queues: choosing a time fixes it
  if (failure.code === 'PLAN_LIMIT' || failure.code === 'SCHEDULE_CAP') return failureOf('late', blocked('time'))
  if (wrong?.at !== 'channelId' || post.channel_id === null) return failureOf('permanent', blocked('edit'))
  const channel = (await channelsById(c, [post.channel_id])).get(post.channel_id)
  return failureOf(channel?.enabled === false ? 'paused' : 'reconnect', blocked('afterwards'))
}
