import type { z } from 'zod'
import type { AdditionalDetails, editPost } from '#contract/posts.ts'
import type { Context } from '../http/route.ts'
import { loadPostFor, mustHavePlan, mustPublish, type PostRecord } from './access.ts'
import { mustFitCap } from './cap.ts'
import { change, composedOf, draftColumns, timeColumns } from './change.ts'
import { mustBeAccepted } from './checks.ts'
import { contentColumns, contentsOf, detailsOf, draftOf, scheduleOf } from './content.ts'
import { schedule, takeBack, type PostParts } from './schedule.ts'
import { stale } from './stale.ts'
import { composerSchedule, planTime } from './time.ts'
import { note } from './timeline.ts'

type Edit = Context<typeof editPost>

/**
 * Changes what a post says, and when it goes out if a schedule is given. A scheduled post stays with the machine under
 * its new words; a failed one waits for a retry. Throws STALE_VERSION when it was changed since `version`.
 */
export async function edit(c: Edit, parts: PostParts): Promise<z.output<(typeof editPost)['reply']>> {
  const post = await loadPostFor(c, c.params.postId, 'edit')
  const details = c.body.additionalDetails ?? detailsOf(post)
  if (post.version !== c.body.version) {
    throw stale(post.version, { contents: [c.body.contents, contentsOf(post)], additionalDetails: [details, detailsOf(post)], schedule: [c.body.schedule ?? scheduleOf(post), scheduleOf(post)] })
  }
  const version = post.state === 'DRAFTS' ? await editDraft(c, post, details) : await editScheduled(c, parts, post, details)
  await c.audit({ entityId: post.id, detail: { version } })
  return { version, status: post.state, dueAt: post.due_at?.toISOString() ?? null, changed: 1, kept: [], message: 'Post updated successfully' }
}

/** A draft keeps the composer's own state in step. Nothing is checked yet. */
async function editDraft(c: Edit, post: PostRecord, additionalDetails: AdditionalDetails): Promise<number> {
  const before = draftOf(post)
  const [first] = c.body.contents
  const draft = {
    text: first?.text ?? '',
    media: first?.media ?? [],
    channelIds: before?.channelIds ?? (post.channel_id ? [post.channel_id] : []),
    additionalDetails,
    schedule: c.body.schedule || !before ? composerSchedule(c.body.schedule ?? { type: 'DRAFT' }, post.zone) : before.schedule,
  }
  await note(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'edited', personId: c.caller.personId }])
  return await change(c, post, { ...draftColumns(draft, c.now, post.zone), ...contentColumns(c.body.contents, additionalDetails) })
}

async function editScheduled(c: Edit, parts: PostParts, post: PostRecord, details: AdditionalDetails): Promise<number> {
  // whoever changes what will be published, publishes
  mustPublish(c)
  const asked = c.body.schedule
  const time = asked && asked.type !== 'DRAFT' ? planTime(asked, c.now, post.zone) : undefined
  if (time) mustHavePlan(c)
  const isPending = post.state === 'SCHEDULED' || post.state === 'QUEUED'
  const composed = await composedOf(c, post, { contents: c.body.contents, details })
  await mustBeAccepted(c, [composed], time?.schedule.type === 'NOW')
  if (time?.schedule.type === 'ONCE' && !isPending) await mustFitCap(c, [composed])

  if (isPending) await takeBack(c, post.id)
  const version = await change(c, post, { ...contentColumns(c.body.contents, details), ...(time && timeColumns(time)) })
  const dueAt = time?.dueAt ?? (isPending ? post.due_at : null)
  if (dueAt) await schedule(c, parts, [{ ...composed, postId: post.id, dueAt }])
  const personId = c.caller.personId
  await note(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'edited', personId }, ...(time ? [{ postId: post.id, kind: 'rescheduled', personId, dueAt: time.dueAt } as const] : [])])
  return version
}
