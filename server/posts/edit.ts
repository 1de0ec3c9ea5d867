import type { z } from 'zod'
import type { editPost, SeriesOutcome } from '#contract/posts.ts'
import type { Schedule } from '#contract/submit.ts'
import { canDo } from '#contract/postStates.ts'
import { isRecurrence } from '#contract/series.ts'
import { fail } from '../errors.ts'
import type { Context } from '../http/route.ts'
import { noteUses } from '../media/uses.ts'
import { aiTimelineEvents } from './aiHelped.ts'
import { loadScope, mayChange, mustAllow, mustPublish, mustSendForApproval, type PostRecord } from './access.ts'
import { mustHaveGate, mustHavePlan } from '../plans/gates.ts'
import { withFittedSays } from './fitFiles.ts'
import { applyTaxonomy, takeOff } from './handOver.ts'
import { openApprovals, voidApproval } from '../approvals/open.ts'
import { lastRoundOf, type Round } from '../approvals/rounds.ts'
import { notifyAuthor } from './notifyAuthor.ts'
import { mustFitCap } from './cap.ts'
import { updatePost, composedOf, draftColumns } from './updatePost.ts'
import { mustHaveBioPages } from './bioLinks.ts'
import { mustBeAccepted, type Composed } from './checks.ts'
import { assetIdsOf } from '#contract/content.ts'
import { contentColumns, draftBodyOf, draftOf, saysColumns, saysOf, scheduleOf, type Says } from './content.ts'
import { withLinkDetails, withStoredFacts } from './linkDetails.ts'
import { isCounted, moveTo, targetOf, wish, type Moved, type Target } from './move.ts'
import { alike } from './reschedule.ts'
import { repeat } from './repeat.ts'
import { schedule, type PostDeps } from './schedule.ts'
import { isSame, stale } from './stale.ts'
import { composerSchedule } from './time.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'
import { whyLocked } from './locked.ts'

type Edit = Context<typeof editPost>
type Reply = z.output<(typeof editPost)['reply']>

/**
 * Changes a post's content, and its time if a schedule is given. A scheduled post stays scheduled with its new
 * content, a queued one stays in its queue, a failed one waits for a retry. Content that was approved, or is waiting
 * for approval, goes to its approvers again. With a scope, the rest of the series gets the same content, except posts
 * whose content was changed separately. Throws STALE_VERSION if it was changed since `version`.
 */
export async function edit(c: Edit, deps: PostDeps): Promise<Reply> {
  const { scope, overwrite, workflowId, labels, campaignIds, schedule: askedTime } = c.body
  const { post, others } = await loadScope(c, c.params.postId, scope)
  mustAllow(c, post, 'edit')
  const stored = saysOf(post)
  const asked = withStoredFacts({ ...stored, ...given(c.body) }, stored)
  if (post.version !== c.body.version)
    throw stale(post.version, {
      contents: [asked.contents, stored.contents],
      additionalDetails: [asked.details, stored.details],
      firstComment: [asked.firstComment, post.first_comment],
      schedule: [askedTime ?? scheduleOf(post), scheduleOf(post)],
    })
  if (askedTime && isRecurrence(askedTime) && post.state !== 'NEEDS_APPROVAL')
    throw fail('BAD_INPUT', {
      errors: { schedule: ['You can only set a repeat while a post is waiting for approval.'] },
    })
  if (workflowId !== undefined) {
    mustSendForApproval(c)
    mustHaveGate(c, 'approval_workflows')
  }

  // a draft that is sent for approval without a time keeps its planned one
  const wished = askedTime ?? (workflowId === undefined ? undefined : plannedSchedule(post))
  const isSentDraft = post.state === 'DRAFTS' && workflowId !== undefined
  const target =
    wished && !isRecurrence(wished) && (isSentDraft || !keepsTime(post, wished))
      ? targetOf(wished, c.now, post.zone)
      : undefined
  // a draft follows the settings, and keeps its files, until it's submitted
  const staysDraft = post.state === 'DRAFTS' && workflowId === undefined
  const says = staysDraft
    ? isNow(target)
      ? await withFittedSays(c, deps.media, post, asked)
      : asked
    : await withFittedSays(c, deps.media, post, await withLinkDetails(c, deps, post, asked, campaignIds))
  const isApart = post.series_id !== null && scope === 'this' && !isSame(stored, says)
  const moved = await editOne(c, deps, post, says, target)
  if (isApart || (scope !== 'this' && post.series_apart)) await markApart(c, [post.id], isApart)
  const rest = await editOthers(c, deps, post, others, { says, target, overwrite })
  const changedIds = [post.id, ...rest.ids]
  await applyTaxonomy(c, changedIds, { labelIds: labels, campaignIds })
  await addTimelineEvent(c.tx, c.org.orgId, c.now, aiTimelineEvents(changedIds, c.body.aiHelp, c.caller.personId))
  await noteUses(
    c.tx,
    c.org.orgId,
    changedIds.map((postId) => ({ postId, assetIds: assetIdsOf(says) })),
  )
  if (!isSame(stored, says))
    for (const one of [post, ...others.filter(({ id }) => rest.ids.includes(id))])
      await notifyAuthor(c, one, says.contents[0]?.text ?? '')
  const made =
    askedTime && isRecurrence(askedTime)
      ? await repeat(c, { ...post, version: moved.version, ...recordOf(says) }, askedTime)
      : { ids: [], dueAt: moved.dueAt, version: moved.version }
  await c.audit(
    [...changedIds, ...made.ids].map((entityId) => ({
      entityId,
      detail: entityId === post.id ? { version: made.version, scope } : { with: post.id },
    })),
  )
  return {
    version: made.version,
    status: moved.status,
    dueAt: made.dueAt?.toISOString() ?? null,
    changed: changedIds.length + made.ids.length,
    kept: rest.kept,
    message: 'Post updated successfully',
  }
}

const isNow = (target: Target | undefined): boolean => target?.kind === 'time' && target.time.schedule.type === 'NOW'

/** The time that a draft was planned for, as a schedule; BAD_INPUT for a draft without one. */
function plannedSchedule(post: PostRecord): Schedule | undefined {
  if (post.state !== 'DRAFTS') return undefined
  if (post.due_at === null) throw fail('BAD_INPUT', { errors: { schedule: ['Choose a time.'] } })
  return { type: 'ONCE', details: { utc: post.due_at.toISOString(), timezone: post.zone } }
}

const given = ({
  contents,
  additionalDetails,
  firstComment,
  mentions,
}: Edit['body']): Partial<Says> & Pick<Says, 'contents'> => ({
  contents,
  ...(additionalDetails && { details: additionalDetails }),
  ...(firstComment !== undefined && { firstComment }),
  ...(mentions && { mentions }),
})
const recordOf = ({ contents, details, firstComment, mentions }: Says) => ({
  contents,
  details,
  first_comment: firstComment,
  mentions,
})

/** A form sends the time that it was opened with: that doesn't move the post, even if the time has passed since. */
function keepsTime(post: PostRecord, asked: NonNullable<Edit['body']['schedule']>): boolean {
  const stored = scheduleOf(post)
  if (asked.type === 'ONCE')
    return (
      post.due_at?.getTime() === Date.parse(asked.details.utc) &&
      post.zone === asked.details.timezone &&
      post.state !== 'APPROVED' &&
      post.state !== 'FAILED'
    )
  if (asked.type === 'QUEUE')
    return (
      stored.type === 'QUEUE' &&
      (asked.details === undefined || isSame(asked.details, stored.details)) &&
      post.state !== 'APPROVED' &&
      post.state !== 'FAILED'
    )
  return asked.type === 'NOW' && stored.type === 'NOW' && (post.state === 'NEEDS_APPROVAL' || post.state === 'REJECTED')
}

async function editOthers(
  c: Edit,
  deps: PostDeps,
  first: PostRecord,
  others: readonly PostRecord[],
  { says, target, overwrite }: { says: Says; target: Target | undefined; overwrite: boolean },
): Promise<{ ids: string[]; kept: SeriesOutcome['kept'] }> {
  const ids: string[] = []
  const kept: SeriesOutcome['kept'] = []
  for (const post of others) {
    const own = target && alike(first, post, target)
    const reason = whyKept(c, post, { own, isMoved: target !== undefined, overwrite })
    if (reason !== undefined) kept.push({ postId: post.id, reason })
    else {
      await editOne(c, deps, post, says, own)
      ids.push(post.id)
    }
  }
  await markApart(c, ids, false)
  return { ids, kept }
}

function whyKept(
  c: Edit,
  post: PostRecord,
  { own, isMoved, overwrite }: { own: Target | undefined; isMoved: boolean; overwrite: boolean },
): string | undefined {
  if (!canDo('edit', post.state)) return whyLocked('edit', post.state)
  if (!mayChange(c, post, 'edit')) return "Your role doesn't allow this."
  if (post.series_apart && !overwrite) return 'Its text was edited separately.'
  if (isMoved && own === undefined) return 'It has no time yet.'
  return own?.kind === 'time' && own.time.dueAt <= c.now ? 'Its new time would be in the past.' : undefined
}

async function markApart(c: Edit, postIds: readonly string[], isApart: boolean): Promise<void> {
  if (postIds.length === 0) return
  await c.tx
    .updateTable('post')
    .set({ series_apart: isApart })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...postIds])))
    .execute()
}

/** One post: its content, and its time if that changed. */
async function editOne(
  c: Edit,
  deps: PostDeps,
  post: PostRecord,
  says: Says,
  target: Target | undefined,
): Promise<Moved> {
  const differs = !isSame(saysOf(post), says)
  // first in the timeline: publishing changed content must not be mistaken for the old one
  if (differs || target === undefined)
    await addTimelineEvent(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'edited', personId: c.caller.personId }])
  if (post.state === 'DRAFTS' && c.body.workflowId === undefined) return await editDraft(c, deps, post, says, target)
  if (target?.kind === 'draft') return await moveTo(c, deps, post, target, says)

  const composed = await composedOf(c, post, says)
  if (post.state === 'DRAFTS' || !isSame(says.details.bioLink, saysOf(post).details.bioLink))
    await mustHaveBioPages(c, deps, [composed])
  await mustBeAccepted(
    c,
    [composed],
    target?.kind === 'time' && target.time.schedule.type === 'NOW' && post.state !== 'NEEDS_APPROVAL',
  )
  const round = await lastRoundOf(c.tx, c.org.orgId, post.id)
  const isAsked = round?.state === 'open' || round?.state === 'approved'
  if (c.body.workflowId !== undefined || (differs && isAsked))
    return await askAgain(c, post, { says, composed, target, round })
  if (target) return await moveTo(c, deps, post, target, says)
  return await stay(c, deps, post, says, composed)
}

/** The content goes to its approvers: in the chosen workflow, otherwise in that of the last round. */
async function askAgain(
  c: Edit,
  post: PostRecord,
  {
    says,
    composed,
    target,
    round,
  }: {
    says: Says
    composed: Composed
    target: Exclude<Target, { kind: 'draft' }> | undefined
    round: Round | undefined
  },
): Promise<Moved> {
  mustHavePlan(c)
  const isDated = target
    ? target.kind === 'time' && target.time.schedule.type === 'ONCE'
    : post.due_at !== null && scheduleOf(post).type === 'ONCE'
  if (isDated && !isCounted(post, c.now)) await mustFitCap(c, [composed])
  await takeOff(c, post)
  const waiting = { ...post, state: 'NEEDS_APPROVAL' as const, draft: null, ...recordOf(says) }
  let version = await updatePost(c, post, {
    ...saysColumns(says),
    state: 'NEEDS_APPROVAL',
    draft: null,
    ...(!isDated && { due_at: null }),
  })
  let dueAt = isDated ? post.due_at : null
  // another change, seen together with the first
  if (target) ({ version, dueAt } = await wish(c, { ...waiting, version, due_at: dueAt }, target))
  if (c.body.workflowId !== undefined) await openApprovals(c, [{ postId: post.id }], c.body.workflowId)
  else if (round) await voidApproval(c, post)
  return { status: 'NEEDS_APPROVAL', dueAt, version }
}

/** New content at the same time: what was prepared for the old content is rejected. */
async function stay(c: Edit, deps: PostDeps, post: PostRecord, says: Says, composed: Composed): Promise<Moved> {
  const goesOut = post.state !== 'NEEDS_APPROVAL' && post.state !== 'REJECTED'
  // changing what will be published requires the permission to publish
  if (goesOut) mustPublish(c)
  const isPending = post.state === 'QUEUED' || (post.state === 'SCHEDULED' && post.due_at !== null)
  if (isPending) await takeOff(c, post, { staysQueued: true })
  const version = await updatePost(c, post, saysColumns(says))
  if (isPending) await schedule(c, deps, [{ ...composed, postId: post.id, dueAt: post.due_at }])
  return { status: post.state, dueAt: post.due_at, version }
}

/** Updates the composer's state of a draft too. Nothing is checked yet; NOW sends it. */
async function editDraft(
  c: Edit,
  deps: PostDeps,
  post: PostRecord,
  says: Says,
  target: Target | undefined,
): Promise<Moved> {
  if (target && isNow(target)) return await moveTo(c, deps, post, target, says)
  const before = draftOf(post) ?? draftBodyOf(post)
  const said = draftBodyOf({ ...post, ...recordOf(says) })
  const asked = c.body.schedule
  const { variants: _, ...shared } = before
  const draft = {
    ...shared,
    ...said,
    channelIds: before.channelIds,
    schedule: asked ? composerSchedule(asked, post.zone) : before.schedule,
    ...(c.body.labels && { labelIds: c.body.labels }),
    ...(c.body.campaignIds && { campaignIds: c.body.campaignIds }),
  }
  const version = await updatePost(c, post, {
    ...draftColumns(draft, c.now, post.zone),
    ...contentColumns(says.contents, says.details),
  })
  return { status: 'DRAFTS', dueAt: post.due_at, version }
}
