import { randomUUIDv7 } from 'node:crypto'
import type { z } from 'zod'
import type { submitPost } from '#contract/submit.ts'
import type { PostState } from '#contract/postStates.ts'
import { fail } from '../errors.ts'
import { aiHappenings } from './aiHelped.ts'
import { loadPostIfAny, mayChange, mustHaveGate, mustHavePlan, mustPublish, mustSendForApproval } from './access.ts'
import { mustFitCap } from './cap.ts'
import { mustBeAccepted } from './checks.ts'
import { mustBeWhole, partsOf, type NewPost, type Part, type Submission } from './composing.ts'
import { queue, sendForApproval, shelve } from './handOver.ts'
import { schedule, type PostParts } from './schedule.ts'
import { storePosts } from './storePosts.ts'
import { note, type Happening } from './timeline.ts'
import { locked } from './words.ts'

type Reply = z.output<(typeof submitPost)['reply']>

const messages = {
  PUBLISH: 'Post sent for processing',
  SCHEDULE: 'Post Scheduled',
  QUEUE: 'Post Queued',
  NEEDS_APPROVAL: 'Post sent for approval',
  DRAFT: 'Draft saved',
} as const

/**
 * One batch: for each channel a post, or one per time of its recurrence; all or nothing. Everything that is wrong is
 * told at once, by channel and field. The draft that it was composed in is used up. The posts are handed to the machine,
 * to their queues or to their approvers in this transaction.
 */
export async function submit(c: Submission, machine: PostParts): Promise<Reply> {
  const { intent } = c.body
  mustBeWhole(c.body)
  mustBeAllowed(c)
  const batchId = await openBatch(c)
  await useUpDraft(c)
  const parts = await partsOf(c)
  if (intent !== 'DRAFT') {
    await mustBeAccepted(
      c,
      parts,
      new Set(
        parts.filter(
          ({ plan }) =>
            intent !== 'NEEDS_APPROVAL' &&
            plan.kind === 'times' &&
            plan.times.some(({ schedule: { type } }) => type === 'NOW'),
        ),
      ),
    )
    await mustFitCap(
      c,
      parts.map((part) => ({ channel: part.channel, at: part.at, posts: counted(intent, part) })),
    )
  }

  await storePosts(c, batchId, parts, (part) => stateOf(intent, part))
  await shelve(c, parts.flatMap(idsOf), { labelIds: c.body.labels, campaignIds: c.body.campaignIds })
  const personId = c.caller.personId
  await note(
    c.tx,
    c.org.orgId,
    c.now,
    parts.flatMap(idsOf).map((postId) => ({ postId, kind: 'created', personId })),
  )
  await note(
    c.tx,
    c.org.orgId,
    c.now,
    parts.flatMap((part) =>
      aiHappenings(
        idsOf(part),
        c.body.channels.find(({ channelId }) => channelId === part.channel.id)?.aiHelp,
        personId,
      ),
    ),
  )
  const queued = await handOver(c, machine, parts)
  await tell(c, batchId, parts, queued)
  const posts = parts.flatMap((part) =>
    part.posts.map(({ postId, time }) => ({
      postId,
      channelId: part.channel.id,
      status: stateOf(intent, part),
      dueAt: (queued.get(postId) ?? dueOf(part, time))?.toISOString() ?? null,
    })),
  )
  const isSentNow =
    intent === 'SCHEDULE' && parts.every((part) => part.posts.every(({ time }) => time.schedule.type === 'NOW'))
  return { batchId, posts, message: messages[isSentNow ? 'PUBLISH' : intent] }
}

/** The rights and the plan's gates that the intent asks for. */
function mustBeAllowed(c: Submission): void {
  const { intent, channels, schedule: shared } = c.body
  if (intent === 'DRAFT') return
  if (intent === 'NEEDS_APPROVAL') mustSendForApproval(c)
  else mustPublish(c)
  mustHavePlan(c)
  if (intent === 'NEEDS_APPROVAL') mustHaveGate(c, 'approval_workflows')
  const types = new Set([shared.type, ...channels.flatMap(({ schedule: own }) => (own ? [own.type] : []))])
  if ([...types].some((type) => type.startsWith('RECURRING_'))) mustHaveGate(c, 'repeat')
  if (types.has('QUEUE')) mustHaveGate(c, 'queues')
}

const idsOf = (part: Part): string[] => part.posts.map(({ postId }) => postId)

function stateOf(intent: Submission['body']['intent'], { plan }: Part): PostState {
  if (intent === 'DRAFT') return 'DRAFTS'
  if (intent === 'NEEDS_APPROVAL') return 'NEEDS_APPROVAL'
  return plan.kind === 'queue' ? 'QUEUED' : 'SCHEDULED'
}

/** How many of a channel's posts stand in its cap: those with a time to come, and the queued ones. */
function counted(intent: Submission['body']['intent'], { plan, posts }: Part): number {
  if (plan.kind === 'queue') return intent === 'NEEDS_APPROVAL' ? 0 : posts.length
  return posts.filter(({ time }) => time.schedule.type === 'ONCE').length
}

/** What the reply says of the time; a draft without one and what waits for a slot have none. */
function dueOf({ plan }: Part, time: NewPost['time']): Date | null {
  if (plan.kind === 'queue' || (plan.kind === 'draft' && time.wallTime === null)) return null
  return time.dueAt
}

/** Gives the posts to whoever acts on them next. Answers the slots of those that were queued. */
async function handOver(
  c: Submission,
  machine: PostParts,
  parts: readonly Part[],
): Promise<ReadonlyMap<string, Date | null>> {
  const { intent, workflowId } = c.body
  if (intent === 'DRAFT') return new Map()
  if (intent === 'NEEDS_APPROVAL') {
    // the contract's shape was checked: without a workflow it is refused
    if (workflowId !== undefined)
      await sendForApproval(
        c,
        parts.flatMap((part) => part.posts.map(({ postId }) => ({ postId }))),
        workflowId,
      )
    return new Map()
  }
  await schedule(
    c,
    machine,
    parts.flatMap((part) =>
      part.plan.kind === 'times' ? part.posts.map(({ postId, time }) => ({ ...part, postId, dueAt: time.dueAt })) : [],
    ),
  )
  return await queue(
    c,
    machine,
    parts.flatMap(({ channel, plan, posts }) =>
      plan.kind === 'queue'
        ? posts.map(({ postId }) => ({ postId, channelId: channel.id, position: plan.position }))
        : [],
    ),
  )
}

/** Timeline, audit and live events: one statement each, however many posts there are. */
async function tell(
  c: Submission,
  batchId: string,
  parts: readonly Part[],
  queued: ReadonlyMap<string, Date | null>,
): Promise<void> {
  const { intent } = c.body
  const personId = c.caller.personId
  // what is sent for approval is noted where the round is opened
  const isMachines = intent !== 'DRAFT' && intent !== 'NEEDS_APPROVAL'
  const happenings = parts.flatMap((part) =>
    part.posts.map(({ postId, time }): Happening =>
      part.plan.kind === 'queue'
        ? { postId, kind: 'queued', personId, dueAt: queued.get(postId) ?? null }
        : { postId, kind: 'scheduled', personId, dueAt: time.dueAt },
    ),
  )
  if (isMachines) await note(c.tx, c.org.orgId, c.now, happenings)
  await c.audit(
    parts.flatMap((part) =>
      part.posts.map(({ postId, series }) => ({
        entityId: postId,
        detail: { intent, batchId, channelId: part.channel.id, ...(series && { seriesId: series.seriesId }) },
      })),
    ),
  )
  await c.emit(parts.flatMap((part) => idsOf(part).map((ref) => ({ kind: 'post' as const, ref }))))
}

/**
 * The draft's row goes; its id is kept with the batch, so that neither an autosave that comes late can bring it back nor
 * a second submit of the same draft, from another tab or after a lost answer, can post it again.
 */
async function useUpDraft(c: Submission): Promise<void> {
  const { draftId } = c.body
  if (!draftId) return
  const draft = await loadPostIfAny(c, draftId)
  if (!draft) {
    const elsewhere = await c.tx
      .selectFrom('post')
      .select('id')
      .where('org_id', '=', c.org.orgId)
      .where('id', '=', draftId)
      .executeTakeFirst()
    if (elsewhere) throw fail('NOT_FOUND')
    return
  }
  if (!mayChange(c, draft, 'edit')) throw fail('NOT_FOUND')
  if (draft.state !== 'DRAFTS' && (draft.state !== 'DELETED' || draft.deleted_from !== 'DRAFTS'))
    throw locked('edit', draft.state)
  await c.tx.deleteFrom('post').where('org_id', '=', c.org.orgId).where('id', '=', draft.id).execute()
  await c.emit({ kind: 'post', ref: draft.id })
}

/** Waits for another submit of the same draft that is under way. Throws POST_LOCKED when the draft was submitted before. */
async function openBatch(c: Submission): Promise<string> {
  const id = randomUUIDv7()
  const row = {
    org_id: c.org.orgId,
    id,
    project_id: c.project.projectId,
    author_id: c.caller.personId,
    intent: c.body.intent,
    draft_id: c.body.draftId ?? null,
    created_at: c.now,
  }
  const opened = await c.tx
    .insertInto('batch')
    .values(row)
    .onConflict((conflict) => conflict.columns(['org_id', 'draft_id']).where('draft_id', 'is not', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!opened)
    throw fail('POST_LOCKED', {
      detail: 'This draft was submitted already. Look at its posts in the calendar.',
      meta: { submitted: true },
    })
  return id
}
