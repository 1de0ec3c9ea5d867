import { randomUUIDv7 } from 'node:crypto'
import type { z } from 'zod'
import { assetIdsOf } from '#contract/content.ts'
import type { ComposedChannel, Schedule, submitPost } from '#contract/submit.ts'
import type { PostState } from '#contract/postStates.ts'
import { channelsById } from '../access/channels.ts'
import { insertMany } from '../db/insertMany.ts'
import { insertDeferred, insertWithCommit } from '../db/transaction.ts'
import { fail } from '../errors.ts'
import { fillAll, mayHaveLinks } from '../links/fill.ts'
import { linkHosts } from '../links/hosts.ts'
import { readLinkSettings } from '../links/settings.ts'
import { assetsById } from '../media/access.ts'
import { loadPostIfAny, mayChange, mustPublish, mustSendForApproval, type PostRecord } from './access.ts'
import { mustHaveGate, mustHavePlan } from '../plans/gates.ts'
import { aiTimelineEvents, aiHelpKnownOf } from './aiHelped.ts'
import { lockCaps, mustFitCap, type Standings } from './cap.ts'
import { mustHaveBioPages } from './bioLinks.ts'
import { mustBeAccepted } from './checks.ts'
import { mustBeWhole, channelSubmissionsOf, type ChannelSubmission, type Submission } from './composing.ts'
import { alreadySubmitted, lockDraftId, wasSubmitted } from './draftId.ts'
import { copyTaxonomy, applyTaxonomy } from './handOver.ts'
import { withFittedFiles } from './fitFiles.ts'
import { joinQueue } from './joinQueue.ts'
import { openApprovals } from '../approvals/open.ts'
import { schedule, scheduleNew, type PostDeps } from './schedule.ts'
import { stale } from './stale.ts'
import { dueOf, storePosts } from './storePosts.ts'
import { addTimelineEvent, type NewTimelineEvent } from '../publishing/timeline.ts'

type Reply = z.output<(typeof submitPost)['reply']>

const messages = {
  PUBLISH: 'Post sent for processing',
  SCHEDULE: 'Post Scheduled',
  QUEUE: 'Post Queued',
  NEEDS_APPROVAL: 'Post sent for approval',
  DRAFT: 'Draft saved',
} as const

/**
 * Creates one batch: for each channel a post, or one per time of its recurrence; all or nothing. Everything wrong is
 * reported at once, by channel and field. The first post takes over the draft that it was composed in: its row, ID,
 * notes and history. The posts go to the engine, their queues or their approvers in this transaction.
 */
export async function submit(c: Submission, machine: PostDeps): Promise<Reply> {
  const { intent } = c.body
  const channelIds = c.body.channels.map(({ channelId }) => channelId)
  mustBeWhole(c.body)
  mustBeAllowed(c)
  const draft = await claimDraft(c)
  const batchId = await openBatch(c)
  // one round trip for what the rest reads from the database
  const [channels, assets, standings, links] = await Promise.all([
    channelsById(c, channelIds),
    assetsById(c, c.body.channels.flatMap(assetIdsIn)),
    intent === 'DRAFT' ? new Map() : lockCaps(c, channelIds, addsOneEach(c.body)),
    intent !== 'DRAFT' && c.body.channels.some(mayContainLinks) ? readLinkSettings(c) : null,
  ])
  const composed = withDraftId(channelSubmissionsOf(c, channels), c.body.draftId)
  const written = links
    ? await fillAll(c, composed, {
        settings: links,
        hosts: linkHosts(machine.env),
        // what the submit doesn't mention is taken over from the draft
        campaigns: c.body.campaignIds ? { campaignIds: c.body.campaignIds } : draft ? { postId: draft.id } : null,
      })
    : composed
  const parts = intent === 'DRAFT' ? written : await withFittedFiles(c, machine.media, written, assets)
  if (intent !== 'DRAFT') {
    await mustHaveBioPages(c, machine, parts)
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
      assets,
    )
    await mustFitCap(
      c,
      parts.map((part) => ({ channel: part.channel, at: part.at, posts: counted(intent, part) })),
      standings,
    )
  }

  const postIds = parts.flatMap(idsOf)
  await storePosts(c, { batchId, draft, parts }, (part) => stateOf(intent, part))
  let queued: Slots = new Map()
  if (!draft && isPlain(c.body, parts, standings)) {
    // nothing reads what is stored before the commit: one statement stores it all
    await noteBeginnings(c, parts, draft, insertWithCommit)
    scheduleNew(c, machine, parts.flatMap(timedPosts), assets)
    await tell(c, batchId, parts, queued, insertWithCommit)
  } else {
    await insertDeferred(c.tx)
    // what the submit doesn't mention is taken over from the draft
    if (draft)
      await copyTaxonomy(
        c,
        draft.id,
        postIds.filter((postId) => postId !== draft.id),
      )
    await applyTaxonomy(c, postIds, { labelIds: c.body.labels, campaignIds: c.body.campaignIds })
    await noteBeginnings(c, parts, draft, insertMany)
    queued = await handOver(c, machine, parts)
    await tell(c, batchId, parts, queued, insertMany)
  }
  const posts = parts.flatMap((part) =>
    part.posts.map(({ postId, time }) => ({
      postId,
      channelId: part.channel.id,
      status: stateOf(intent, part),
      dueAt: (queued.get(postId) ?? dueOf(intent, part, time))?.toISOString() ?? null,
    })),
  )
  const isSentNow =
    intent === 'SCHEDULE' && parts.every((part) => part.posts.every(({ time }) => time.schedule.type === 'NOW'))
  return { batchId, posts, message: messages[isSentNow ? 'PUBLISH' : intent] }
}

const mayContainLinks = ({ contents, additionalDetails: details = {}, firstComment }: ComposedChannel): boolean =>
  mayHaveLinks({ contents, details, firstComment })

type Slots = ReadonlyMap<string, Date | null>

const assetIdsIn = ({ contents, additionalDetails = {} }: ComposedChannel): string[] =>
  assetIdsOf({ contents, details: additionalDetails })

/** Whether the submit adds one post to each of its channels, at a time. */
function addsOneEach({ intent, channels, schedule }: Submission['body']): boolean {
  const isSingle = ({ type }: Schedule) => type === 'NOW' || type === 'ONCE'
  return (
    (intent === 'SCHEDULE' || intent === 'PUBLISH') &&
    isSingle(schedule) &&
    channels.every(({ schedule: own }) => !own || isSingle(own))
  )
}

/** Whether its new posts only go to their lanes: at times, without labels or campaigns, with no queue to move. */
function isPlain(
  { intent, labels = [], campaignIds = [] }: Submission['body'],
  parts: readonly ChannelSubmission[],
  standings: Standings,
): boolean {
  return (
    (intent === 'SCHEDULE' || intent === 'PUBLISH') &&
    labels.length === 0 &&
    campaignIds.length === 0 &&
    parts.every(({ plan, channel }) => plan.kind === 'times' && standings.get(channel.id)?.queued === 0)
  )
}

const timedPosts = (part: ChannelSubmission) =>
  part.plan.kind === 'times' ? part.posts.map(({ postId, time }) => ({ ...part, postId, dueAt: time.dueAt })) : []

/** The permissions and plan features that the intent requires. */
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

const idsOf = (part: ChannelSubmission): string[] => part.posts.map(({ postId }) => postId)

function stateOf(intent: Submission['body']['intent'], { plan }: ChannelSubmission): PostState {
  if (intent === 'DRAFT') return 'DRAFTS'
  if (intent === 'NEEDS_APPROVAL') return 'NEEDS_APPROVAL'
  return plan.kind === 'queue' ? 'QUEUED' : 'SCHEDULED'
}

/** How many of a channel's posts count towards its cap: those with a future time, and queued ones. */
function counted(intent: Submission['body']['intent'], { plan, posts }: ChannelSubmission): number {
  if (plan.kind === 'queue') return intent === 'NEEDS_APPROVAL' ? 0 : posts.length
  return posts.filter(({ time }) => time.schedule.type === 'ONCE').length
}

/** Passes the posts to the engine, their queues or their approvers. Returns the slots of the queued ones. */
async function handOver(c: Submission, machine: PostDeps, parts: readonly ChannelSubmission[]): Promise<Slots> {
  const { intent, workflowId } = c.body
  if (intent === 'DRAFT') return new Map()
  if (intent === 'NEEDS_APPROVAL') {
    // the contract checked the shape: without a workflow it's refused
    if (workflowId !== undefined)
      await openApprovals(
        c,
        parts.flatMap((part) => part.posts.map(({ postId }) => ({ postId }))),
        workflowId,
      )
    return new Map()
  }
  await schedule(c, machine, parts.flatMap(timedPosts))
  return await joinQueue(
    c,
    machine,
    parts.flatMap(({ channel, plan, posts }) =>
      plan.kind === 'queue'
        ? posts.map(({ postId }) => ({ postId, channelId: channel.id, position: plan.position }))
        : [],
    ),
  )
}

/** The timeline entry for each post's creation: the former draft already has one, and what AI helped with so far. */
async function noteBeginnings(
  c: Submission,
  parts: readonly ChannelSubmission[],
  draft: PostRecord | undefined,
  insert: typeof insertMany,
): Promise<void> {
  const { personId } = c.caller
  const known = draft ? aiHelpKnownOf(draft) : []
  await addTimelineEvent(
    c.tx,
    c.org.orgId,
    c.now,
    parts.flatMap(idsOf).flatMap((postId): NewTimelineEvent[] => {
      if (postId !== draft?.id) return [{ postId, kind: 'created', personId }]
      return draft.state === 'DELETED' ? [{ postId, kind: 'edited', personId }] : []
    }),
    insert,
  )
  await addTimelineEvent(
    c.tx,
    c.org.orgId,
    c.now,
    parts.flatMap((part) => {
      const helped = c.body.channels.find(({ channelId }) => channelId === part.channel.id)?.aiHelp ?? []
      return idsOf(part).flatMap((postId) =>
        aiTimelineEvents(
          [postId],
          postId === draft?.id ? helped.filter((kind) => !known.includes(kind)) : helped,
          personId,
        ),
      )
    }),
    insert,
  )
}

/** Timeline, audit and live events: one statement each, however many posts there are. */
async function tell(
  c: Submission,
  batchId: string,
  parts: readonly ChannelSubmission[],
  queued: Slots,
  insert: typeof insertMany,
): Promise<void> {
  const { intent } = c.body
  const personId = c.caller.personId
  // sending for approval is recorded where the round is opened
  const isMachines = intent !== 'DRAFT' && intent !== 'NEEDS_APPROVAL'
  const happenings = parts.flatMap((part) =>
    part.posts.map(({ postId, time }): NewTimelineEvent =>
      part.plan.kind === 'queue'
        ? { postId, kind: 'queued', personId, dueAt: queued.get(postId) ?? null }
        : { postId, kind: 'scheduled', personId, dueAt: time.dueAt },
    ),
  )
  if (isMachines) await addTimelineEvent(c.tx, c.org.orgId, c.now, happenings, insert)
  await c.audit(
    parts.flatMap((part) =>
      part.posts.map(({ postId, series }) => ({
        entityId: postId,
        detail: {
          intent,
          batchId,
          channelId: part.channel.id,
          ...(c.body.draftId && { draftId: c.body.draftId }),
          ...(series && { seriesId: series.seriesId }),
        },
      })),
    ),
  )
  await c.emit(parts.flatMap((part) => idsOf(part).map((ref) => ({ kind: 'post' as const, ref }))))
}

/**
 * The draft that becomes the first post, locked; undefined if it was never saved. Every save that would create a
 * draft with this ID waits for this transaction and is then refused (drafts.ts). Throws NOT_FOUND for a draft that
 * the caller can't see or change, POST_LOCKED if it was submitted before, STALE_VERSION if it was saved elsewhere
 * since `draftVersion`.
 */
async function claimDraft(c: Submission): Promise<PostRecord | undefined> {
  const { draftId, draftVersion } = c.body
  if (!draftId) return undefined
  await lockDraftId(c, draftId)
  const draft = await loadPostIfAny(c, draftId)
  if (!draft) {
    if (await wasSubmitted(c, draftId)) throw alreadySubmitted()
    const elsewhere = await c.tx
      .selectFrom('post')
      .select('id')
      .where('org_id', '=', c.org.orgId)
      .where('id', '=', draftId)
      .executeTakeFirst()
    if (elsewhere) throw fail('NOT_FOUND')
    return undefined
  }
  const isDeleted = draft.state === 'DELETED' && draft.deleted_from === 'DRAFTS'
  if (draft.state !== 'DRAFTS' && !isDeleted) throw alreadySubmitted(draft.state)
  if (!mayChange(c, draft, 'edit')) throw fail('NOT_FOUND')
  if (!isDeleted && draftVersion !== undefined && draftVersion !== draft.version) throw stale(draft.version, {})
  return draft
}

/** The first post has the draft's ID, whether or not the draft was ever saved: links to it keep working. */
function withDraftId(parts: readonly ChannelSubmission[], draftId: string | undefined): ChannelSubmission[] {
  return parts.map((part, i) =>
    draftId !== undefined && i === 0
      ? { ...part, posts: part.posts.map((post, at) => (at === 0 ? { ...post, postId: draftId } : post)) }
      : part,
  )
}

async function openBatch(c: Submission): Promise<string> {
  const id = randomUUIDv7()
  const { draftId } = c.body
  // a post that became a draft again is submitted again: its ID belongs to the newest batch
  if (draftId)
    await c.tx
      .updateTable('batch')
      .set({ draft_id: null })
      .where('org_id', '=', c.org.orgId)
      .where('draft_id', '=', draftId)
      .execute()
  const row = {
    org_id: c.org.orgId,
    id,
    project_id: c.project.projectId,
    author_id: c.caller.personId,
    intent: c.body.intent,
    draft_id: draftId ?? null,
    composed_in: draftId ?? null,
    created_at: c.now,
  }
  await insertWithCommit(c.tx, 'batch', [row])
  return id
}
