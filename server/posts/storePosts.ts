import type { DraftBody } from '#contract/drafts.ts'
import type { PostState } from '#contract/postStates.ts'
import { insertMany } from '../db/insertMany.ts'
import { noteUses } from '../media/uses.ts'
import { assetIdsOf } from './checks.ts'
import type { NewPost, Part, Submission } from './composing.ts'
import { excerptOf, imagesOf } from './content.ts'
import { composerSchedule } from './time.ts'

/** Writes the rows of a batch: its series, its posts, and which files they use. A statement each, however many there are. */
export async function storePosts(
  c: Submission,
  batchId: string,
  parts: readonly Part[],
  stateOf: (part: Part) => PostState,
): Promise<void> {
  await insertMany(
    c.tx,
    'series',
    parts.flatMap((part) => seriesRow(c, part)),
  )
  await insertMany(
    c.tx,
    'post',
    parts.flatMap((part) => {
      const shared = sharedColumns(c, batchId, part, stateOf(part))
      return part.posts.map((post) => ({ ...shared, ...ownColumns(c, part, post) }))
    }),
  )
  const using = parts.filter((part) => assetIdsOf(part).length > 0)
  await noteUses(
    c.tx,
    c.org.orgId,
    using.flatMap((part) => part.posts.map(({ postId }) => ({ postId, assetIds: assetIdsOf(part) }))),
  )
}

function seriesRow(c: Submission, { plan, posts: [first] }: Part) {
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

function sharedColumns(c: Submission, batchId: string, part: Part, state: PostState) {
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
    excerpt: excerptOf(contents[0]?.text ?? ''),
    images: imagesOf(contents),
    first_comment: firstComment,
    mentions,
    draft: state === 'DRAFTS' ? draftFor(c, part) : null,
    created_at: c.now,
    updated_at: c.now,
  }
}

function ownColumns(c: Submission, { channel, plan }: Part, { postId, time, series }: NewPost) {
  const isTimed =
    plan.kind === 'times'
      ? time.schedule.type === 'ONCE' || c.body.intent !== 'NEEDS_APPROVAL'
      : plan.kind === 'draft' && time.wallTime !== null
  return {
    id: postId,
    schedule: time.schedule,
    wall_time: time.wallTime,
    zone: time.wallTime === null ? (channel.zone ?? time.zone) : time.zone,
    due_at: isTimed ? time.dueAt : null,
    shown_at: plan.kind === 'queue' ? c.now : time.dueAt,
    series_id: series?.seriesId ?? null,
    series_index: series?.index ?? null,
    series_count: series?.count ?? null,
  }
}

function draftFor(
  c: Submission,
  { contents: [first, ...thread], details, channel, asked, firstComment, postType }: Part,
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
