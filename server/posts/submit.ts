import { randomUUIDv7 } from 'node:crypto'
import type { z } from 'zod'
import type { DraftBody, submitPost } from '#contract/posts.ts'
import { PostState } from '#contract/postStates.ts'
import { channelsById, type ChannelRow } from '../channels/access.ts'
import { fail } from '../errors.ts'
import type { Context } from '../http/route.ts'
import { loadPostIfAny, mayChange, mustHavePlan, mustPublish } from './access.ts'
import { mustFitCap } from './cap.ts'
import { mustBeAccepted, type Composed } from './checks.ts'
import { contentColumns } from './content.ts'
import { schedule, type PostParts } from './schedule.ts'
import { composerSchedule, planTime, wishedTime, type PlannedTime } from './time.ts'
import { note } from './timeline.ts'
import { locked } from './words.ts'

type Submission = Context<typeof submitPost>
type Reply = z.output<(typeof submitPost)['reply']>
type NewPost = Composed & { postId: string }

const messages: Record<string, string> = { NOW: 'Post sent for processing', ONCE: 'Post Scheduled', DRAFT: 'Draft saved' }

/**
 * One batch, one post per channel, all or nothing. Everything that is wrong is told at once, by channel and field. The
 * draft that it was composed in is used up. PUBLISH and SCHEDULE hand the posts to the machine in this transaction.
 */
export async function submit(c: Submission, parts: PostParts): Promise<Reply> {
  const { intent } = c.body
  mustBeWhole(c.body)
  if (intent !== 'DRAFT') {
    mustPublish(c)
    mustHavePlan(c)
  }
  const batchId = await openBatch(c)
  await useUpDraft(c)
  const posts = await composedPosts(c)
  const time = timeOf(c)
  if (intent !== 'DRAFT') await mustBeAccepted(c, posts, time.schedule.type === 'NOW')
  if (time.schedule.type === 'ONCE') await mustFitCap(c, posts)

  await c.tx.insertInto('post').values(posts.map((post) => rowOf(c, batchId, post, time))).execute()
  if (intent !== 'DRAFT') await schedule(c, parts, posts.map((post) => ({ ...post, dueAt: time.dueAt })))
  const personId = c.caller.personId
  await note(c.tx, c.org.orgId, c.now, posts.flatMap(({ postId }) => [{ postId, kind: 'created', personId }, ...(intent === 'DRAFT' ? [] : [{ postId, kind: 'scheduled', personId, dueAt: time.dueAt } as const])]))
  for (const { postId, channel } of posts) {
    await c.audit({ entityId: postId, detail: { intent, batchId, channelId: channel.id } })
    await c.emit({ kind: 'post', ref: postId })
  }
  const status = PostState.parse(intent === 'DRAFT' ? 'DRAFTS' : 'SCHEDULED')
  const dueAt = intent === 'DRAFT' && time.wallTime === null ? null : time.dueAt.toISOString()
  return { batchId, posts: posts.map(({ postId, channel }) => ({ postId, channelId: channel.id, status, dueAt })), ...(messages[time.schedule.type] && { message: messages[time.schedule.type] }) }
}

/** What no channel has to be asked for: at least one channel, each once, and a schedule that fits the intent. */
function mustBeWhole({ intent, channels, schedule: { type } }: Submission['body']): void {
  const errors: Record<string, string[]> = {}
  if (channels.length === 0) errors['channels'] = ['Choose at least one channel.']
  const seen = new Set<string>()
  for (const [i, { channelId }] of channels.entries()) {
    if (seen.has(channelId)) errors[`channels.${i}.channelId`] = ['This channel is chosen twice.']
    seen.add(channelId)
  }
  if (intent === 'QUEUE' || intent === 'NEEDS_APPROVAL') errors['intent'] = ['This cannot be done yet.']
  if (intent === 'PUBLISH' && type !== 'NOW') errors['schedule'] = ['Publishing now takes no time.']
  if (intent === 'SCHEDULE' && type !== 'ONCE') errors['schedule'] = ['Choose a time.']
  if (Object.keys(errors).length > 0) throw fail('BAD_INPUT', { errors })
}

async function composedPosts(c: Submission): Promise<NewPost[]> {
  const channels = await channelsById(c, c.body.channels.map((channel) => channel.channelId))
  const errors: Record<string, string[]> = {}
  const posts = c.body.channels.flatMap(({ channelId, postType, contents, additionalDetails = {} }, i) => {
    const channel = channels.get(channelId)
    if (!channel) errors[`channels.${i}.channelId`] = ['This channel does not exist, or you cannot see it.']
    return channel ? [{ postId: randomUUIDv7(), channel, postType, contents, details: additionalDetails, at: `channels.${i}.` }] : []
  })
  if (Object.keys(errors).length > 0) throw fail('NOT_FOUND', { detail: 'A chosen channel does not exist, or you cannot see it.', errors })
  return posts
}

function timeOf(c: Submission): PlannedTime {
  const { intent, schedule: asked } = c.body
  if (intent !== 'DRAFT' && asked.type !== 'DRAFT') return planTime(asked, c.now, c.project.zone)
  // a draft may be planned for any time, one that has passed too
  const planned = wishedTime(asked, c.project.zone)
  return { schedule: { type: 'DRAFT' }, dueAt: planned?.dueAt ?? c.now, wallTime: planned?.wallTime ?? null, zone: planned?.zone ?? c.project.zone }
}

function rowOf(c: Submission, batchId: string, post: NewPost, time: PlannedTime) {
  const { channel, postId, postType, contents, details } = post
  const isDraft = c.body.intent === 'DRAFT'
  return {
    org_id: c.org.orgId,
    id: postId,
    project_id: c.project.projectId,
    batch_id: batchId,
    channel_id: channel.id,
    author_id: c.caller.personId,
    state: isDraft ? 'DRAFTS' : 'SCHEDULED',
    post_type: postType,
    ...contentColumns(contents, details),
    draft: isDraft ? JSON.stringify(draftFor(c, post, channel)) : null,
    schedule: JSON.stringify(time.schedule),
    wall_time: time.wallTime,
    zone: time.wallTime === null ? (channel.zone ?? time.zone) : time.zone,
    due_at: isDraft && time.wallTime === null ? null : time.dueAt,
    shown_at: time.dueAt,
    created_at: c.now,
    updated_at: c.now,
  }
}

function draftFor(c: Submission, { contents, details }: NewPost, channel: ChannelRow): DraftBody {
  const [first] = contents
  return { text: first?.text ?? '', media: first?.media ?? [], channelIds: [channel.id], additionalDetails: details, schedule: composerSchedule(c.body.schedule, channel.zone ?? c.project.zone) }
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
    const elsewhere = await c.tx.selectFrom('post').select('id').where('org_id', '=', c.org.orgId).where('id', '=', draftId).executeTakeFirst()
    if (elsewhere) throw fail('NOT_FOUND')
    return
  }
  if (!mayChange(c, draft, 'edit')) throw fail('NOT_FOUND')
  if (draft.state !== 'DRAFTS' && (draft.state !== 'DELETED' || draft.deleted_from !== 'DRAFTS')) throw locked('edit', draft.state)
  await c.tx.deleteFrom('post').where('org_id', '=', c.org.orgId).where('id', '=', draft.id).execute()
  await c.emit({ kind: 'post', ref: draft.id })
}

/** Waits for another submit of the same draft that is under way. Throws POST_LOCKED when the draft was submitted before. */
async function openBatch(c: Submission): Promise<string> {
  const id = randomUUIDv7()
  const row = { org_id: c.org.orgId, id, project_id: c.project.projectId, author_id: c.caller.personId, intent: c.body.intent, draft_id: c.body.draftId ?? null, created_at: c.now }
  const opened = await c.tx
    .insertInto('batch')
    .values(row)
    .onConflict((conflict) => conflict.columns(['org_id', 'draft_id']).where('draft_id', 'is not', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!opened) throw fail('POST_LOCKED', { detail: 'This draft was submitted already. Look at its posts in the calendar.', meta: { submitted: true } })
  return id
}
