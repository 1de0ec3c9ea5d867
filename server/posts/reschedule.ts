import type { z } from 'zod'
import type { reschedulePost, Scope, SeriesOutcome } from '#contract/posts.ts'
import type { Schedule } from '#contract/submit.ts'
import { canDo } from '#contract/postStates.ts'
import { secondsOf, wallText, wallTimeOf } from '#contract/time.ts'
import type { Context, ProjectContext } from '../http/route.ts'
import { loadScope, mayChange, mustAllow, type PostRecord } from './access.ts'
import { scheduleOf } from './content.ts'
import { moveTo, targetOf, type Moved, type Target } from './move.ts'
import type { PostDeps } from './schedule.ts'
import { stale } from './stale.ts'
import { movedWith, stepBetween, timeAt } from './time.ts'
import { whyLocked } from './locked.ts'

type Reply = z.output<(typeof reschedulePost)['reply']>
export type Move = { schedule: Schedule; version?: number | undefined; scope?: Scope }

/**
 * Moves a post to another time, into its queue, or off the schedule; NOW sends it. With a scope, the others of its
 * series move by as many days, to the same time of day; those that can't be moved stay and are returned with the
 * reason.
 */
export async function reschedule(c: Context<typeof reschedulePost>, deps: PostDeps): Promise<Reply> {
  const { dueAt, ...moved } = await movePost(c, deps, c.params.postId, c.body)
  const isNow = c.body.schedule.type === 'NOW'
  return {
    ...moved,
    dueAt: dueAt?.toISOString() ?? null,
    message: isNow ? 'Post sent for processing' : 'Post Rescheduled',
  }
}

/** The action itself, for one request or one of many posts. */
export async function movePost(
  c: ProjectContext,
  deps: PostDeps,
  postId: string,
  { schedule: asked, version, scope = 'this' }: Move,
): Promise<Moved & SeriesOutcome> {
  const { post, others } = await loadScope(c, postId, asked.type === 'NOW' ? 'this' : scope)
  mustAllow(c, post, asked.type === 'NOW' ? 'sendNow' : 'reschedule')
  if (version !== undefined && version !== post.version)
    throw stale(post.version, { schedule: [asked, scheduleOf(post)] })
  const target = targetOf(asked, c.now, post.zone)
  const moved = await moveTo(c, deps, post, target)
  await c.audit({
    entityId: post.id,
    detail: {
      before: { dueAt: post.due_at },
      after: { dueAt: moved.dueAt },
      schedule: asked.type,
      ...(scope !== 'this' && { scope }),
    },
  })
  const rest = await moveOthers(c, deps, post, others, target)
  return { ...moved, ...rest, changed: rest.changed + 1 }
}

/** Moves the others of a series as the first was moved. */
async function moveOthers(
  c: ProjectContext,
  deps: PostDeps,
  first: PostRecord,
  others: readonly PostRecord[],
  target: Target,
): Promise<SeriesOutcome> {
  const kept: SeriesOutcome['kept'] = []
  let changed = 0
  for (const post of others) {
    const own = alike(first, post, target)
    const reason = whyNot(c, post, own)
    if (reason !== undefined || own === undefined) {
      kept.push({ postId: post.id, reason: reason ?? 'It has no time yet.' })
      continue
    }
    const moved = await moveTo(c, deps, post, own)
    await c.audit({
      entityId: post.id,
      detail: { before: { dueAt: post.due_at }, after: { dueAt: moved.dueAt }, seriesId: post.series_id },
    })
    changed += 1
  }
  return { changed, kept }
}

function whyNot(c: ProjectContext, post: PostRecord, target: Target | undefined): string | undefined {
  if (!canDo('reschedule', post.state)) return whyLocked('reschedule', post.state)
  if (!mayChange(c, post, 'edit')) return "Your role doesn't allow this."
  return target?.kind === 'time' && target.time.dueAt <= c.now ? 'Its new time would be in the past.' : undefined
}

/** The same for another post of the series; undefined if it has no time that could be moved. */
export function alike(first: PostRecord, post: PostRecord, target: Target): Target | undefined {
  if (target.kind !== 'time') return target
  const { zone, wallTime } = target.time
  if (first.due_at === null || post.due_at === null || wallTime === null) return undefined
  // both by the clock of the chosen zone: a change of zone keeps the requested wall time
  const by = stepBetween(first.wall_time ?? wallText(wallTimeOf(first.due_at, zone)), wallTime)
  const instant = movedWith(
    post.wall_time ?? wallText(wallTimeOf(post.due_at, zone)),
    { ...by, milliseconds: secondsOf(target.time.dueAt) },
    zone,
  )
  if (!instant) return undefined
  // one whose new time has passed stays, and the caller reports it
  return { kind: 'time', time: timeAt(instant, zone) }
}
