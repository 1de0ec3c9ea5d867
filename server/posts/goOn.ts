import { Failure } from '../errors.ts'
import { mustHavePlan, type Desk, type PostRecord } from './access.ts'
import { change } from './change.ts'
import { scheduleOf } from './content.ts'
import { enqueue, send, type Moved } from './move.ts'
import type { PostParts } from './schedule.ts'
import { planTime, timeAt } from './time.ts'
import { note } from './timeline.ts'

/** What became of an approved post; `reason` says in words why it waits for a person, where it does. */
export type GoneOn = Moved & { reason: string | null }

/**
 * An approved post goes on as it was sent in: NOW is sent, a time to come is scheduled, QUEUE joins its queue. One whose
 * time has passed is APPROVED and waits for a new one; so does one that could not go out as it is (its channel, the
 * plan or the cap is in the way): the approval stands. The post is locked, NEEDS_APPROVAL or APPROVED; its decision and
 * who made it are told by the caller.
 */
export async function goOnAfterApproval(c: Desk, parts: PostParts, post: PostRecord): Promise<GoneOn> {
  const asked = scheduleOf(post)
  if (asked.type === 'ONCE' && (post.due_at === null || post.due_at <= c.now)) return await wait(c, post, 'Its time passed while it waited. Choose a new one.')
  try {
    return { ...(await goOn(c, parts, post)), reason: null }
  } catch (error) {
    // thrown before anything was changed
    if (error instanceof Failure) return await wait(c, post, reasonOf(error))
    throw error
  }
}

async function goOn(c: Desk, parts: PostParts, post: PostRecord): Promise<Moved> {
  const asked = scheduleOf(post)
  if (asked.type === 'QUEUE') {
    mustHavePlan(c)
    const { version, slot } = await enqueue(c, parts, post, asked.details?.position ?? 'LAST')
    await note(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'queued', dueAt: slot }])
    return { status: 'QUEUED', dueAt: slot, version }
  }
  const isDated = asked.type === 'ONCE' && post.due_at !== null
  if (!isDated) mustHavePlan(c)
  const time = isDated && post.due_at ? timeAt(post.due_at, post.zone) : planTime({ type: 'NOW' }, c.now, post.zone)
  const version = await send(c, parts, post, time)
  await note(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'scheduled', dueAt: time.dueAt }])
  return { status: 'SCHEDULED', dueAt: time.dueAt, version }
}

async function wait(c: Desk, post: PostRecord, reason: string): Promise<GoneOn> {
  const version = await change(c, post, { state: 'APPROVED' })
  return { status: 'APPROVED', dueAt: post.due_at, version, reason }
}

/** The first thing that is wrong, in words. */
const reasonOf = (failure: Failure): string => Object.values(failure.facts.errors ?? {})[0]?.[0] ?? failure.message
