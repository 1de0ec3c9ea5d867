import type { ProjectContext } from '../http/route.ts'
import type { PostState } from '#contract/postStates.ts'
import type { QueuePosition } from '#contract/queues.ts'
import type { Schedule } from '#contract/submit.ts'
import { isRecurrence } from '#contract/series.ts'
import { assetIdsOf } from '#contract/content.ts'
import { fail } from '../errors.ts'
import { noteUses } from '../media/uses.ts'
import { mustPublish, type PostRecord } from './access.ts'
import { mustHaveGate, mustHavePlan } from '../plans/gates.ts'
import { mustFitCap } from './cap.ts'
import { updatePost, composedOf, planColumns, timeColumns, waitingColumns } from './updatePost.ts'
import { mustBeAccepted } from './checks.ts'
import { draftBodyOf, draftOf, saysColumns, saysOf, type Says } from './content.ts'
import { withFittedSays } from './fitFiles.ts'
import { takeOff } from './handOver.ts'
import { withLinkDetails } from './linkDetails.ts'
import { joinQueue } from './joinQueue.ts'
import { schedule, type PostDeps } from './schedule.ts'
import { composerSchedule, planTime, type PlannedTime } from './time.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'
import { toDraft } from './toDrafts.ts'

/** The destination of a move: a time, the queue of its channel, or off the schedule. */
export type Target =
  | { kind: 'time'; time: PlannedTime }
  | {
      kind: 'queue'
      position: QueuePosition
      /** Its former slot there, for an undo. */ slot?: Date | null
      zone: string
    }
  | { kind: 'draft' }
export type Moved = { status: PostState; dueAt: Date | null; version: number }

/** A schedule as a target. Throws TIME_PASSED, and BAD_INPUT for a recurrence: an existing post has one time. */
export function targetOf(asked: Schedule, now: Date, zone: string): Target {
  if (asked.type === 'DRAFT') return { kind: 'draft' }
  if (asked.type === 'QUEUE')
    return {
      kind: 'queue',
      position: asked.details?.position ?? 'LAST',
      slot: asked.details?.slot ? new Date(asked.details.slot) : null,
      zone,
    }
  if (isRecurrence(asked))
    throw fail('BAD_INPUT', { errors: { schedule: ['An existing post can only have one time.'] } })
  return { kind: 'time', time: planTime(asked, now, zone) }
}

/**
 * Moves a post that is locked and may be moved. If it was scheduled, queued, approved or failed, it's published then;
 * one that waits for approval keeps waiting and is published then once it's approved; a draft stays one, planned for
 * that time, unless it's sent now. With `says` its content changes too.
 */
export async function moveTo(
  c: ProjectContext,
  deps: PostDeps,
  post: PostRecord,
  target: Target,
  says?: Says,
): Promise<Moved> {
  if (target.kind === 'draft') return await unschedule(c, post, says)
  const isNow = target.kind === 'time' && target.time.schedule.type === 'NOW'
  if (post.state === 'DRAFTS' && !isNow) return await plan(c, post, target)
  const sent =
    post.state === 'DRAFTS'
      ? await withFittedSays(c, deps.media, post, await withLinkDetails(c, deps, post, says ?? saysOf(post)))
      : says
  if (post.state === 'DRAFTS' && sent)
    await noteUses(c.tx, c.org.orgId, [{ postId: post.id, assetIds: assetIdsOf(sent) }])
  if (post.state === 'NEEDS_APPROVAL' || post.state === 'REJECTED') return await wish(c, post, target, sent)
  mustPublish(c)
  mustHavePlan(c)
  const personId = c.caller.personId
  if (target.kind === 'queue') {
    const { version, slot } = await enqueue(c, deps, post, target, sent)
    await addTimelineEvent(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'queued', personId, dueAt: slot }])
    return { status: 'QUEUED', dueAt: slot, version }
  }
  const version = await placeOnPlan(c, deps, post, target.time, sent)
  await addTimelineEvent(c.tx, c.org.orgId, c.now, [
    { postId: post.id, kind: isNow ? 'sent_now' : 'rescheduled', personId, dueAt: target.time.dueAt },
  ])
  return { status: 'SCHEDULED', dueAt: target.time.dueAt, version }
}

/** Schedules a post for that time, from any status that allows it. Checked as on the first submit. */
export async function placeOnPlan(
  c: ProjectContext,
  deps: PostDeps,
  post: PostRecord,
  time: PlannedTime,
  says?: Says,
): Promise<number> {
  const composed = await composedOf(c, post, says)
  await mustBeAccepted(c, [composed], time.schedule.type === 'NOW')
  if (time.schedule.type === 'ONCE' && !isCounted(post, c.now)) await mustFitCap(c, [composed])
  await takeOff(c, post)
  const version = await updatePost(c, post, { ...timeColumns(time), ...(says && saysColumns(says)) })
  await schedule(c, deps, [{ ...composed, postId: post.id, dueAt: time.dueAt }])
  return version
}

/** Adds a post to the queue of its channel, from any status that allows it. Checked as on the first submit. */
export async function enqueue(
  c: ProjectContext,
  deps: PostDeps,
  post: PostRecord,
  { position, slot = null }: Pick<Extract<Target, { kind: 'queue' }>, 'position' | 'slot'>,
  says?: Says,
): Promise<{ version: number; slot: Date | null }> {
  mustHaveGate(c, 'queues')
  const composed = await composedOf(c, post, says)
  await mustBeAccepted(c, [composed], false)
  if (!isCounted(post, c.now)) await mustFitCap(c, [composed])
  await takeOff(c, post)
  const version = await updatePost(c, post, {
    ...queueColumns(position),
    ...(says && saysColumns(says)),
    state: 'QUEUED',
    draft: null,
  })
  const slots = await joinQueue(c, deps, [{ postId: post.id, channelId: composed.channel.id, position, slot }])
  return { version, slot: slots.get(post.id) ?? null }
}

/** A post that already counts towards the cap doesn't count twice. */
export function isCounted({ state, due_at: dueAt }: Pick<PostRecord, 'state' | 'due_at'>, now: Date): boolean {
  if (state === 'QUEUED') return dueAt === null || dueAt > now
  return (state === 'SCHEDULED' || state === 'NEEDS_APPROVAL') && dueAt !== null && dueAt > now
}

const queueColumns = (position: QueuePosition) => ({
  schedule: JSON.stringify({ type: 'QUEUE', details: { position } }),
  wall_time: null,
  due_at: null,
})

/** A post that waits for approval only remembers its time. With a date it counts towards the cap. */
export async function wish(
  c: ProjectContext,
  post: PostRecord,
  target: Exclude<Target, { kind: 'draft' }>,
  says?: Says,
): Promise<Moved> {
  const personId = c.caller.personId
  if (target.kind === 'queue') {
    mustHaveGate(c, 'queues')
    const version = await updatePost(c, post, {
      ...queueColumns(target.position),
      ...(says && saysColumns(says)),
      shown_at: c.now,
    })
    await addTimelineEvent(c.tx, c.org.orgId, c.now, [
      { postId: post.id, kind: 'rescheduled', personId, detail: { code: 'once-approved', next: 'queued' } },
    ])
    return { status: post.state, dueAt: null, version }
  }
  const { time } = target
  const isDated = time.schedule.type === 'ONCE'
  if (isDated && post.state === 'NEEDS_APPROVAL' && !isCounted(post, c.now))
    await mustFitCap(c, [await composedOf(c, post)])
  const version = await updatePost(c, post, { ...waitingColumns(time), ...(says && saysColumns(says)) })
  await addTimelineEvent(c.tx, c.org.orgId, c.now, [
    {
      postId: post.id,
      kind: 'rescheduled',
      personId,
      ...(isDated ? { dueAt: time.dueAt } : { detail: { code: 'once-approved' as const, next: 'published' as const } }),
    },
  ])
  return { status: post.state, dueAt: isDated ? time.dueAt : null, version }
}

/** A draft is only shown at its time: it's published when someone sends or schedules it in the composer. */
async function plan(c: ProjectContext, post: PostRecord, target: Exclude<Target, { kind: 'draft' }>): Promise<Moved> {
  const before = draftOf(post) ?? draftBodyOf(post)
  const asked =
    target.kind === 'time' ? target.time.schedule : ({ type: 'QUEUE', details: { position: target.position } } as const)
  const zone = target.kind === 'time' ? target.time.zone : target.zone
  const version = await updatePost(
    c,
    post,
    planColumns({ ...before, schedule: composerSchedule(asked, zone) }, c.now, zone),
  )
  const dueAt = target.kind === 'time' ? target.time.dueAt : null
  await addTimelineEvent(c.tx, c.org.orgId, c.now, [
    { postId: post.id, kind: 'rescheduled', personId: c.caller.personId, dueAt },
  ])
  return { status: 'DRAFTS', dueAt, version }
}

async function unschedule(c: ProjectContext, post: PostRecord, says?: Says): Promise<Moved> {
  if (post.state !== 'DRAFTS') await toDraft(c, post, says)
  return { status: 'DRAFTS', dueAt: post.due_at, version: post.version + (post.state === 'DRAFTS' ? 0 : 1) }
}
