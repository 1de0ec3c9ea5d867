import type { ProjectContext } from '../http/route.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { Recurrence } from '#contract/series.ts'
import { insertMany } from '../db/insertMany.ts'
import { noteUses } from '../media/uses.ts'
import { type PostRecord } from './access.ts'
import { mustHaveGate } from '../plans/gates.ts'
import { mustFitCap } from './cap.ts'
import { updatePost, composedOf, waitingColumns } from './updatePost.ts'
import { assetIdsOf } from '#contract/content.ts'
import { copyTaxonomy } from './handOver.ts'
import { openApprovals } from '../approvals/open.ts'
import { lastRoundOf } from '../approvals/rounds.ts'
import { isCounted } from './move.ts'
import { planSeries } from './time.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'

/**
 * Makes a series from a post that waits for approval: it becomes the first, the others get the same content and go
 * through the same workflow. Returns the new posts. Throws what a submit of the recurrence throws.
 */
export async function repeat(
  c: ProjectContext,
  post: PostRecord,
  recurrence: Recurrence,
): Promise<{ ids: string[]; dueAt: Date; version: number }> {
  mustHaveGate(c, 'repeat')
  const [first, ...later] = planSeries(recurrence, c.now)
  if (!first) throw new Error('a series without a time')
  const composed = await composedOf(c, post)
  const round = await lastRoundOf(c.tx, c.org.orgId, post.id)
  await mustFitCap(c, [{ ...composed, posts: later.length + (isCounted(post, c.now) ? 0 : 1) }])

  const seriesId = randomUUIDv7()
  const count = later.length + 1
  await insertMany(c.tx, 'series', [
    {
      org_id: c.org.orgId,
      id: seriesId,
      project_id: c.project.projectId,
      recurrence,
      created_at: c.now,
      created_by: c.caller.personId,
    },
  ])
  const version = await updatePost(c, post, {
    ...waitingColumns(first),
    series_id: seriesId,
    series_index: 0,
    series_count: count,
  })
  const made = later.map((time, i) => ({ id: randomUUIDv7(), time, index: i + 1 }))
  const {
    org_id,
    project_id,
    batch_id,
    channel_id,
    author_id,
    post_type,
    contents,
    details,
    excerpt,
    images,
    first_comment,
    mentions,
    origin,
  } = post
  const shared = {
    org_id,
    project_id,
    batch_id,
    channel_id,
    author_id,
    state: 'NEEDS_APPROVAL',
    post_type,
    contents,
    details,
    excerpt,
    images,
    first_comment,
    mentions,
    origin,
    created_at: c.now,
    updated_at: c.now,
  }
  await insertMany(
    c.tx,
    'post',
    made.map(({ id, time, index }) => ({
      ...shared,
      id,
      schedule: time.schedule,
      wall_time: time.wallTime,
      zone: time.zone,
      due_at: time.dueAt,
      shown_at: time.dueAt,
      series_id: seriesId,
      series_index: index,
      series_count: count,
    })),
  )
  const ids = made.map(({ id }) => id)
  await noteUses(
    c.tx,
    c.org.orgId,
    ids.map((postId) => ({ postId, assetIds: assetIdsOf(composed) })),
  )
  await copyTaxonomy(c, post.id, ids)
  const personId = c.caller.personId
  await addTimelineEvent(c.tx, c.org.orgId, c.now, [
    { postId: post.id, kind: 'rescheduled', personId, dueAt: first.dueAt },
    ...ids.map((postId) => ({ postId, kind: 'created' as const, personId })),
  ])
  if (round?.workflowId)
    await openApprovals(
      c,
      ids.map((postId) => ({ postId })),
      round.workflowId,
    )
  await c.emit(ids.map((ref) => ({ kind: 'post' as const, ref })))
  return { ids, dueAt: first.dueAt, version }
}
