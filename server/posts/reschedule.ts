import type { z } from 'zod'
import type { reschedulePost } from '#contract/posts.ts'
import { PostState } from '#contract/postStates.ts'
import type { Context } from '../http/route.ts'
import { loadPostFor, mustHavePlan, mustPublish, type Desk, type PostRecord } from './access.ts'
import { mustFitCap } from './cap.ts'
import { change, composedOf, planColumns, timeColumns } from './change.ts'
import { mustBeAccepted } from './checks.ts'
import { contentsOf, detailsOf, draftOf, scheduleOf } from './content.ts'
import { toDraft } from './toDrafts.ts'
import { schedule, takeBack, type PostParts } from './schedule.ts'
import { stale } from './stale.ts'
import { composerSchedule, planTime, type PlannedTime } from './time.ts'
import { note } from './timeline.ts'

type Reschedule = Context<typeof reschedulePost>
type Reply = z.output<(typeof reschedulePost)['reply']>

/**
 * Moves a post to another time. A scheduled or failed post goes out then; NOW sends it, drafts too; a draft that is
 * moved stays a draft, planned for that time; DRAFT takes a post off the schedule.
 */
export async function reschedule(c: Reschedule, parts: PostParts): Promise<Reply> {
  const asked = c.body.schedule
  const post = await loadPostFor(c, c.params.postId, asked.type === 'NOW' ? 'sendNow' : 'reschedule')
  if (c.body.version !== undefined && c.body.version !== post.version) throw stale(post.version, { schedule: [asked, scheduleOf(post)] })
  const reply = await move(c, parts, post)
  await c.audit({ entityId: post.id, detail: { from: post.due_at, to: reply.dueAt, schedule: asked.type } })
  return reply
}

async function move(c: Reschedule, parts: PostParts, post: PostRecord): Promise<Reply> {
  const asked = c.body.schedule
  if (asked.type === 'DRAFT') return await unschedule(c, post)
  const time = planTime(asked, c.now, post.zone)
  if (post.state === 'DRAFTS' && time.schedule.type === 'ONCE') return await plan(c, post, time)
  mustPublish(c)
  mustHavePlan(c)
  const isNow = time.schedule.type === 'NOW'
  const version = await send(c, parts, post, time)
  await note(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'rescheduled', personId: c.caller.personId, dueAt: time.dueAt }])
  return { changed: 1, kept: [], status: 'SCHEDULED', dueAt: time.dueAt.toISOString(), version, message: isNow ? 'Post sent for processing' : 'Post Rescheduled' }
}

/** Gives a post to the machine for that time, from whatever state allows it. Checked as on the first submit. */
export async function send(c: Desk, parts: PostParts, post: PostRecord, time: PlannedTime): Promise<number> {
  const isPending = post.state === 'SCHEDULED' || post.state === 'QUEUED'
  const composed = await composedOf(c, post)
  await mustBeAccepted(c, [composed], time.schedule.type === 'NOW')
  // one that stands in the count already takes no second place
  const isCounted = isPending && post.due_at !== null && post.due_at > c.now
  if (time.schedule.type === 'ONCE' && !isCounted) await mustFitCap(c, [composed])
  if (isPending) await takeBack(c, post.id)
  const version = await change(c, post, timeColumns(time))
  await schedule(c, parts, [{ ...composed, postId: post.id, dueAt: time.dueAt }])
  return version
}

/** A draft is only shown at its time: it goes out when somebody sends or schedules it in the composer. */
async function plan(c: Reschedule, post: PostRecord, time: PlannedTime): Promise<Reply> {
  const [first] = contentsOf(post)
  const before = draftOf(post) ?? { text: first?.text ?? '', media: first?.media ?? [], channelIds: post.channel_id ? [post.channel_id] : [], additionalDetails: detailsOf(post) }
  const version = await change(c, post, planColumns({ ...before, schedule: composerSchedule(time.schedule, time.zone) }, c.now, time.zone))
  await note(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'rescheduled', personId: c.caller.personId, dueAt: time.dueAt }])
  return { changed: 1, kept: [], status: PostState.parse('DRAFTS'), dueAt: time.dueAt.toISOString(), version, message: 'Post Rescheduled' }
}

async function unschedule(c: Reschedule, post: PostRecord): Promise<Reply> {
  if (post.state !== 'DRAFTS') await toDraft(c, post)
  return { changed: 1, kept: [], status: 'DRAFTS', dueAt: post.due_at?.toISOString() ?? null, version: post.version + (post.state === 'DRAFTS' ? 0 : 1), message: 'Post Rescheduled' }
}
