import { because, sentenceOf } from '#contract/failures/catalog.ts'
import { StoredReason } from '#contract/failures/define.ts'
import { detailText } from '#contract/timeline.ts'
import { placeNow, revisionAt } from '../http/revision.ts'
import { withStamp, type ProjectContext, type Stamped } from '../http/route.ts'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import { z } from 'zod'
import type { DraftBody } from '#contract/drafts.ts'
import { NamedPosts, rowsOf, type PostRow } from '#contract/postLists.ts'
import { fail } from '../errors.ts'
import type { Post, TimelineEntry } from '#contract/posts.ts'
import type { Database } from '../db/schema.ts'
import { readAndCommit } from '../db/transaction.ts'
import { assetUrl, type AssetRow } from '../media/access.ts'
import { followUpsIn, reasonIn } from '../publishing/followUps.ts'
import { assertVisible } from './access.ts'
import { contentsOf, detailsOf, draftOf, mentionsOf, scheduleOf } from './content.ts'
import { iso, namedPosts, namedPostsJson, type NamedPostsRow } from './rowJson.ts'
import type { PostDeps } from './schedule.ts'

/** One post with everything that its page shows: contents with their files, and its timeline in order. */
export async function readPost(c: ProjectContext, postId: string, platforms: PostDeps['platforms']): Promise<Post> {
  const { rows } = await postQuery(c, postId).execute(c.tx)
  return present(c, rows, platforms)
}

/** The same, and ends the transaction: the first request takes two round trips, later ones one. */
export async function readPostAndCommit(
  c: ProjectContext,
  postId: string,
  platforms: PostDeps['platforms'],
): Promise<Stamped<Post>> {
  const query = postQuery(c, postId)
  const rows = await readAndCommit<Row>(c.tx, { compile: () => query.compile(c.tx) })
  const post = present(c, rows, platforms)
  const { place = '', stamps } = rows[0] ?? {}
  const stamp = z.record(z.string(), z.string()).parse(stamps)[post.postId] ?? ''
  return withStamp(post, { revision: revisionAt(place, c, c.now), postId: post.postId, stamp })
}

type Row = Selectable<Database['post']> &
  NamedPostsRow & {
    timeline: unknown
    files: Pick<AssetRow, 'id' | 'org_id' | 'project_id' | 'content_type' | 'width' | 'height'>[]
    approval: unknown
    changes: unknown
    follow_ups: unknown
    place: string
    stamps: unknown
  }

/** Everything about a post in one statement: separate statements would each cost a round trip. */
function postQuery(c: ProjectContext, postId: string): RawBuilder<Row> {
  const which = sql`where p.org_id = ${c.org.orgId} and p.project_id = ${c.project.projectId} and p.id = ${postId}`
  const { ctes, columns, written } = namedPosts(c.project, which, { by: 'shown_at', way: 'asc' }, 'full')
  return sql<Row>`with ${ctes}
    select p.*, ${columns}, ${placeNow} as place, post_stamps(p.project_id, array[p.id]) as stamps,
      (select coalesce(json_agg(json_build_object('kind', e.kind, 'at', ${iso('e.at')}, 'by', trim(a.first_name || ' ' || a.last_name), 'dueAt', ${iso('e.due_at')}, 'detail', e.detail) order by e.at, e.id), '[]')
        from post_event e left join person a on a.id = e.person_id where e.org_id = p.org_id and e.post_id = p.id) as timeline,
      (select coalesce(json_agg(json_build_object('id', f.id, 'org_id', f.org_id, 'project_id', f.project_id, 'content_type', f.content_type, 'width', f.width, 'height', f.height)), '[]')
        from asset f where f.org_id = p.org_id and f.project_id = p.project_id
          and f.id = any(array(select (m.id #>> '{}')::uuid from jsonb_path_query(p.contents, '$[*].media[*].assetId') m(id)))) as files,
      (select json_build_object('workflowId', g.workflow_id, 'workflowName', g.workflow_name, 'state', g.state, 'step', g.step, 'steps', jsonb_array_length(g.steps))
        from approval g where g.org_id = p.org_id and g.post_id = p.id order by g.sent_at desc, g.id desc limit 1) as approval,
      (select coalesce(json_agg(json_build_object('subject', d.subject, 'state', d.state, 'failure', d.failure) order by d.wanted_at), '[]')
        from delivery d where d.org_id = p.org_id and d.subject_id = p.id and d.subject in ('edit', 'deletion') and d.state in ('failed', 'unsure') and d.failure is not null) as changes,
      (select coalesce(json_agg(json_build_object('key', d.key, 'details', d.details, 'state', d.state, 'failure', d.failure) order by d.place), '[]')
        from delivery d where d.org_id = p.org_id and d.subject_id = p.id and d.subject = 'follow-up') as follow_ups
    from post p, ${written} ${which}`
}

function present(c: ProjectContext, [found]: readonly Row[], platforms: PostDeps['platforms']): Post {
  const post = assertVisible(c, found)
  const [row] = rowsOf(NamedPosts.parse(JSON.parse(namedPostsJson(c.project, post))))
  if (!row) throw fail('NOT_FOUND')
  const files = new Map(post.files.map((file) => [file.id, file]))
  return {
    ...row,
    contents: contentsOf(post).map((content) => ({
      ...content,
      media: content.media.map((media) => ({ ...media, ...fileOf(files.get(media.assetId)) })),
    })),
    additionalDetails: detailsOf(post),
    firstComment: post.first_comment,
    mentions: mentionsOf(post),
    workflow: LastApproval.nullable().parse(post.approval),
    draft: post.state === 'DRAFTS' ? withTaxonomy(draftOf(post), row) : null,
    schedule: scheduleOf(post),
    objectId: post.remote_id,
    publishedAt: post.published_at?.toISOString() ?? null,
    changesThere:
      row.channel !== null &&
      post.remote_id !== null &&
      platforms(row.channel.platformName)?.publish.edit !== undefined,
    warning: warningOf(post),
    parts: followUpsIn(post.follow_ups).map(({ reason, ...part }) => ({
      ...part,
      reason: reason && sentenceOf(reason),
    })),
    createdAt: post.created_at.toISOString(),
    updatedAt: post.updated_at.toISOString(),
    timeline: timelineOf(post.timeline),
  }
}

/** A draft that was a post keeps its labels and campaigns. */
function withTaxonomy(draft: DraftBody | null, { labels, campaigns }: PostRow): DraftBody | null {
  if (!draft) return null
  const labelIds = draft.labelIds === undefined && labels.length > 0 ? labels.map(({ labelId }) => labelId) : undefined
  const campaignIds =
    draft.campaignIds === undefined && campaigns.length > 0 ? campaigns.map(({ campaignId }) => campaignId) : undefined
  return { ...draft, ...(labelIds && { labelIds }), ...(campaignIds && { campaignIds }) }
}

const fileOf = (asset: Row['files'][number] | undefined) => ({
  url: asset ? assetUrl(asset) : '',
  contentType: asset?.content_type ?? '',
  width: asset?.width ?? null,
  height: asset?.height ?? null,
})

/** Failed follow-ups of the live post, and the results of edits and deletions on the platform that no one has been told about yet. */
function warningOf({ warning, changes }: Pick<Row, 'warning' | 'changes'>): string | null {
  const left = Changes.parse(changes).map(({ subject, state, failure }) => {
    const reason = reasonIn(failure)
    if (state === 'unsure') return reason
    return because(subject === 'edit' ? 'edit-failed' : 'deletion-failed', { because: reason })
  })
  return [...(Warnings.parse(warning) ?? []), ...left].map(sentenceOf).join(' ') || null
}

const Changes = z.array(z.object({ subject: z.string(), state: z.string(), failure: StoredReason }))
const Warnings = z.array(StoredReason).nullable()

/** A summary of the last approval round. */
const LastApproval = z.object({
  workflowId: z.string().nullable(),
  workflowName: z.string(),
  state: z.enum(['open', 'approved', 'rejected', 'void']),
  step: z.int(),
  steps: z.int(),
})

const Timeline = z.array(
  z.object({
    kind: z.string(),
    at: z.string(),
    by: z.string().nullable(),
    dueAt: z.string().nullable(),
    detail: z.unknown(),
  }),
)

const timelineOf = (json: unknown): TimelineEntry[] =>
  Timeline.parse(json).map(
    // kinds are written from the contract's list; the reply is checked by it
    ({ detail, ...entry }) => ({ ...entry, note: detailText(detail) }) as TimelineEntry,
  )
