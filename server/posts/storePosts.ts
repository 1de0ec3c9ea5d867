import { sql } from 'kysely'
import type { DraftBody } from '#contract/drafts.ts'
import type { PostState } from '#contract/postStates.ts'
import type { DeferredInsert } from '../db/deferredInserts.ts'
import { insertDeferred, insertWithCommit } from '../db/transaction.ts'
import { overrule } from '../delivery/overrule.ts'
import { noteNewUses, noteUses } from '../media/uses.ts'
import type { PostRecord } from './access.ts'
import { assetIdsOf } from '#contract/content.ts'
import type { NewPost, ChannelSubmission, Submission } from './composing.ts'
import { headlineOf, imagesOf } from './content.ts'
import { composerSchedule } from './time.ts'

type Batch = {
  batchId: string
  /** The stored draft that one of the posts replaces. */
  draft: PostRecord | undefined
  parts: readonly ChannelSubmission[]
}

/**
 * Stores the rows of a batch: its series, its posts, and the files that they use. They're inserted with the
 * transaction's commit, unless `insertDeferred` comes first. The post with the draft's ID takes over its row, one
 * version later.
 */
export async function storePosts(
  c: Submission,
  { batchId, draft, parts }: Batch,
  stateOf: (part: ChannelSubmission) => PostState,
): Promise<void> {
  await insertWithCommit(
    c.tx,
    'series',
    parts.flatMap((part) => seriesRow(c, part)),
  )
  const rows = parts.flatMap((part) => {
    const shared = sharedColumns(c, batchId, part, stateOf(part))
    return part.posts.map((post) => ({ ...shared, ...ownColumns(c, part, post) }))
  })
  await insertWithCommit(
    c.tx,
    'post',
    rows.filter(({ id }) => id !== draft?.id),
  )
  const uses = parts.flatMap((part) => part.posts.map(({ postId }) => ({ postId, assetIds: assetIdsOf(part) })))
  noteNewUses(
    c.tx,
    c.org.orgId,
    uses.filter(({ postId }) => postId !== draft?.id),
  )
  const taken = rows.find(({ id }) => id === draft?.id)
  if (!draft || !taken) return
  await insertDeferred(c.tx)
  await takeOver(c, draft, taken)
  await noteUses(
    c.tx,
    c.org.orgId,
    uses.filter(({ postId }) => postId === draft.id),
  )
}

/** Turns the draft's row into the post. When the draft was started, and who wrote its first text, stays. */
async function takeOver(
  c: Submission,
  draft: PostRecord,
  { org_id, id, created_at: _begun, ...columns }: DeferredInsert<'post'>,
): Promise<void> {
  // what an earlier attempt left belongs to the post's earlier content
  const fresh = { deleted_from: null, failure: null, warning: null }
  const row = { ...columns, ...fresh, version: draft.version + 1 }
  const names = sql.join(Object.keys(row).map((column) => sql.ref(column)))
  await sql`update post set (${names}) = (select ${names} from json_populate_record(null::post, ${JSON.stringify(row)}::json)) where org_id = ${org_id} and id = ${id}`.execute(
    c.tx,
  )
  await overrule(
    sql`send_key = null`,
    sql`where d.org_id = ${org_id} and d.subject_id = ${id} and d.subject = 'post'`,
  ).execute(c.tx)
}

function seriesRow(c: Submission, { plan, posts: [first] }: ChannelSubmission) {
  if (plan.kind !== 'times' || !plan.recurrence || !first?.series) return []
  return [
    {
      org_id: c.org.orgId,
      id: first.series.seriesId,
      project_id: c.project.projectId,
      recurrence: plan.recurrence,
      created_at: c.now,
      created_by: c.caller.personId,
    },
  ]
}

function sharedColumns(c: Submission, batchId: string, part: ChannelSubmission, state: PostState) {
  const { channel, postType, contents, details, firstComment, mentions } = part
  return {
    org_id: c.org.orgId,
    project_id: c.project.projectId,
    batch_id: batchId,
    channel_id: channel.id,
    author_id: c.caller.personId,
    state,
    post_type: postType,
    contents,
    details,
    excerpt: headlineOf(contents),
    images: imagesOf(contents),
    first_comment: firstComment,
    mentions,
    draft: state === 'DRAFTS' ? draftFor(c, part) : null,
    created_at: c.now,
    updated_at: c.now,
  }
}

/**
 * When a new post is due; null for a draft without a time, for one that waits for a slot, and for one that is published
 * once it's approved.
 */
export function dueOf(intent: Submission['body']['intent'], { plan }: ChannelSubmission, time: NewPost['time']) {
  const isTimed =
    plan.kind === 'times'
      ? time.schedule.type === 'ONCE' || intent !== 'NEEDS_APPROVAL'
      : plan.kind === 'draft' && time.wallTime !== null
  return isTimed ? time.dueAt : null
}

function ownColumns(c: Submission, part: ChannelSubmission, { postId, time, series }: NewPost) {
  const { channel, plan } = part
  return {
    id: postId,
    schedule: time.schedule,
    wall_time: time.wallTime,
    zone: time.wallTime === null ? (channel.zone ?? time.zone) : time.zone,
    due_at: dueOf(c.body.intent, part, time),
    shown_at: plan.kind === 'queue' ? c.now : time.dueAt,
    series_id: series?.seriesId ?? null,
    series_index: series?.index ?? null,
    series_count: series?.count ?? null,
  }
}

function draftFor(
  c: Submission,
  { contents: [first, ...thread], details, channel, asked, firstComment, postType }: ChannelSubmission,
): DraftBody {
  const { labels, campaignIds, workflowId } = c.body
  return {
    ...(first?.title !== undefined && { title: first.title }),
    text: first?.text ?? '',
    media: first?.media ?? [],
    ...(thread.length > 0 && { thread }),
    channelIds: [channel.id],
    additionalDetails: details,
    ...(firstComment !== '' && { firstComment }),
    variants: { [channel.id]: { postType } },
    ...(labels && { labelIds: labels }),
    ...(campaignIds && { campaignIds }),
    ...(workflowId !== undefined && { workflowId }),
    schedule: composerSchedule(asked, channel.zone ?? c.project.zone),
  }
}
