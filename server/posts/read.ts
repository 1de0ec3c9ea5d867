import { because, sentenceOf } from '#contract/failures/catalog.ts'
import { StoredReason } from '#contract/failures/define.ts'
import { detailText } from '#contract/timeline.ts'
import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { DraftBody } from '#contract/drafts.ts'
import { NamedPosts, rowsOf, type PostRow } from '#contract/postLists.ts'
import { fail } from '../errors.ts'
import type { Post, TimelineEntry } from '#contract/posts.ts'
import { assetsById, assetUrl, type AssetRow } from '../media/access.ts'
import { followUpsOf } from '../publishing/followUps.ts'
import { findPost, type PostRecord } from './access.ts'
import { contentsOf, detailsOf, draftOf, mentionsOf, scheduleOf } from './content.ts'
import { iso, namedPosts, namedPostsJson, type NamedPostsRow } from './rowJson.ts'
import type { PostDeps } from './schedule.ts'

const EntryJson = z.object({
  kind: z.string(),
  at: z.string(),
  by: z.string().nullable(),
  dueAt: z.string().nullable(),
  detail: z.unknown(),
})

/** One post with everything that its page shows: contents with their files, and what happened to it in order. */
export async function readPost(c: ProjectContext, postId: string, platforms: PostDeps['platforms']): Promise<Post> {
  const post = await findPost(c, postId)
  const contents = contentsOf(post)
  const [row, timeline, assets] = await Promise.all([
    rowOf(c, postId),
    timelineOf(c, postId),
    assetsById(
      c,
      contents.flatMap(({ media }) => media.map(({ assetId }) => assetId)),
    ),
  ])
  return {
    ...row,
    contents: contents.map((content) => ({
      ...content,
      media: content.media.map((media) => ({ ...media, ...fileOf(assets.get(media.assetId)) })),
    })),
    additionalDetails: detailsOf(post),
    firstComment: post.first_comment,
    mentions: mentionsOf(post),
    workflow: await workflowOf(c, postId),
    draft: post.state === 'DRAFTS' ? withTaxonomy(draftOf(post), row) : null,
    schedule: scheduleOf(post),
    objectId: post.remote_id,
    publishedAt: post.published_at?.toISOString() ?? null,
    changesThere:
      row.channel !== null &&
      post.remote_id !== null &&
      platforms(row.channel.platformName)?.publish.edit !== undefined,
    warning: await warningOf(c, post),
    parts: (await followUpsOf(c.tx, c.org.orgId, postId)).map(({ reason, ...part }) => ({
      ...part,
      reason: reason && sentenceOf(reason),
    })),
    createdAt: post.created_at.toISOString(),
    updatedAt: post.updated_at.toISOString(),
    timeline,
  }
}

/** A draft that was a post carries the labels and campaigns that it had. */
function withTaxonomy(draft: DraftBody | null, { labels, campaigns }: PostRow): DraftBody | null {
  if (!draft) return null
  const labelIds = draft.labelIds === undefined && labels.length > 0 ? labels.map(({ labelId }) => labelId) : undefined
  const campaignIds =
    draft.campaignIds === undefined && campaigns.length > 0 ? campaigns.map(({ campaignId }) => campaignId) : undefined
  return { ...draft, ...(labelIds && { labelIds }), ...(campaignIds && { campaignIds }) }
}

const fileOf = (asset: AssetRow | undefined) => ({
  url: asset ? assetUrl(asset) : '',
  contentType: asset?.content_type ?? '',
  width: asset?.width ?? null,
  height: asset?.height ?? null,
})

async function rowOf(c: ProjectContext, postId: string): Promise<PostRow> {
  const which = sql`where p.org_id = ${c.org.orgId} and p.id = ${postId}`
  const { ctes, columns } = namedPosts(c.project, which, { by: 'shown_at', way: 'asc' }, 'full')
  const { rows } = await sql<NamedPostsRow>`with ${ctes} select ${columns}`.execute(c.tx)
  const [row] = rows.flatMap((json) => rowsOf(NamedPosts.parse(JSON.parse(namedPostsJson(c.project, json)))))
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** What did not succeed after the post was live, and a change of it that was begun and of which nothing more was heard. */
async function warningOf(c: ProjectContext, post: Pick<PostRecord, 'id' | 'warning'>): Promise<string | null> {
  const begun = await c.tx
    .selectFrom('post_edit')
    .select('began_at')
    .where('org_id', '=', c.org.orgId)
    .where('post_id', '=', post.id)
    .executeTakeFirst()
  const isLost = begun !== undefined && c.now.getTime() - begun.began_at.getTime() > EDIT_PATIENCE_MS
  const warnings = [...(Warnings.parse(post.warning) ?? []), ...(isLost ? [because('edit-unconfirmed')] : [])]
  return warnings.map(sentenceOf).join(' ') || null
}

const Warnings = z.array(StoredReason).nullable()
/** A change that is under way is not lost yet. */
const EDIT_PATIENCE_MS = 120_000

const WorkflowJson = z.object({
  workflowId: z.string().nullable(),
  workflowName: z.string(),
  state: z.enum(['open', 'approved', 'rejected', 'void']),
  step: z.int(),
  steps: z.int(),
})

/** The last round of approval, in short. Who decided what is answered by the room of workflows. */
async function workflowOf(c: ProjectContext, postId: string): Promise<Post['workflow']> {
  const { rows } = await sql<{ json: unknown }>`
    select json_build_object('workflowId', workflow_id, 'workflowName', workflow_name, 'state', state, 'step', step, 'steps', jsonb_array_length(steps)) as json
    from approval where org_id = ${c.org.orgId} and post_id = ${postId} order by sent_at desc, id desc limit 1`.execute(
    c.tx,
  )
  return WorkflowJson.nullable().parse(rows[0]?.json ?? null)
}

async function timelineOf(c: ProjectContext, postId: string): Promise<TimelineEntry[]> {
  const { rows } = await sql<{ json: unknown }>`
    select json_build_object('kind', e.kind, 'at', ${iso('e.at')}, 'by', trim(a.first_name || ' ' || a.last_name), 'dueAt', ${iso('e.due_at')}, 'detail', e.detail) as json
    from post_event e left join person a on a.id = e.person_id
    where e.org_id = ${c.org.orgId} and e.post_id = ${postId} order by e.at, e.id`.execute(c.tx)
  return rows.map(({ json }) => {
    const { detail, ...entry } = EntryJson.parse(json)
    // kinds are written from the contract's list; the reply is checked by it
    return { ...entry, note: detailText(detail) } as TimelineEntry
  })
}
