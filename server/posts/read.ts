import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import type { PostContent } from '#contract/content.ts'
import type { DraftBody } from '#contract/drafts.ts'
import { because, sentenceOf } from '#contract/failures/catalog.ts'
import { StoredReason } from '#contract/failures/define.ts'
import type { Post, TimelineEntry } from '#contract/posts.ts'
import type { Schedule } from '#contract/submit.ts'
import { detailText } from '#contract/timeline.ts'
import { pictureAddress } from '../access/channels.ts'
import { isVisibleTo } from '../access/visiblePosts.ts'
import { readAndCommit } from '../db/transaction.ts'
import { fail } from '../errors.ts'
import { placeNow, revisionAt } from '../http/revision.ts'
import { passThrough, type ProjectContext, type RawJson } from '../http/route.ts'
import { assetUrl, type AssetRow } from '../media/access.ts'
import { followUpsIn, reasonIn } from '../publishing/followUps.ts'
import { draftOf } from './content.ts'
import { iso } from './rowJson.ts'
import type { PostDeps } from './schedule.ts'

/** One post with everything that its page shows: contents with their files, and its timeline in order. */
export async function readPost(c: ProjectContext, postId: string, platforms: PostDeps['platforms']): Promise<Post> {
  const { rows } = await postQuery(c, postId, false).execute(c.tx)
  return present(c, rows[0], platforms)
}

/**
 * The same as JSON, and ends the transaction: the first request takes two round trips, later ones one. From the second
 * time on that a post is read, its reply says what it was made from, so that it can be sent again.
 */
export async function readPostAndCommit(
  c: ProjectContext & { isAskedAgain(question: string): boolean },
  postId: string,
  platforms: PostDeps['platforms'],
): Promise<RawJson> {
  const query = postQuery(c, postId, c.isAskedAgain(postId))
  const [row] = await readAndCommit<Row>(c.tx, { compile: () => query.compile(c.tx) })
  const post = present(c, row, platforms)
  const { place, stamp } = row ?? {}
  const asOf = place && stamp ? { revision: revisionAt(place, c, c.now), postId: post.postId, stamp } : undefined
  return passThrough(JSON.stringify(post), asOf)
}

type Row = { channel_id: string | null; author_id: string; post: string; place: string | null; stamp: string | null }

/** What PostgreSQL writes of a post; what needs words or a platform's answer is added by `present`. */
type Written = Omit<Post, 'contents' | 'changesThere' | 'parts' | 'timeline' | 'warning' | 'draft'> & {
  contents: PostContent[]
  draft: unknown
  warning: unknown
  changes: unknown[]
  followUps: unknown[]
  files: Pick<AssetRow, 'id' | 'org_id' | 'project_id' | 'content_type' | 'width' | 'height'>[]
  timeline: (Omit<TimelineEntry, 'note'> & { detail: unknown })[]
}

const taxonomy = (name: 'label' | 'campaign', json: string) =>
  sql.raw(`(select coalesce(json_agg(${json} order by lower(l.name), l.id), '[]')
    from post_${name} pl join ${name} l on l.org_id = pl.org_id and l.id = pl.${name}_id
    where pl.org_id = p.org_id and pl.post_id = p.id and l.project_id = p.project_id)`)

const channel = sql`json_build_object('channelId', c.id, 'channelName', c.name, 'handle', c.handle, 'platformName', c.platform,
  'profileUrl', ${pictureAddress('c')}, 'simulated', c.simulated)`

/** Its names, files, history and follow-ups are read by subqueries: for one post, less work than the clauses of a list. */
const written = (scope: readonly string[] | null) => sql<string>`json_build_object(
  'postId', p.id, 'batchId', p.batch_id, 'status', p.state, 'postType', p.post_type, 'at', ${iso('p.shown_at')}, 'dueAt', ${iso('p.due_at')},
  'timezone', p.zone, 'excerpt', p.excerpt, 'images', p.images, 'permalink', p.permalink, 'failure', p.failure, 'ai', p.origin = 'ai', 'version', p.version,
  'channel', (select ${channel} from channel c where c.org_id = p.org_id and c.id = p.channel_id and c.project_id = p.project_id),
  'draftChannels', case when p.channel_id is null and p.draft is not null then (select coalesce(json_agg(${channel} order by w.nth), '[]')
    from jsonb_array_elements_text(p.draft -> 'channelIds') with ordinality w(id, nth) join channel c on c.org_id = p.org_id and c.id = w.id::uuid
    where c.project_id = p.project_id${scope ? sql` and c.id = any(${[...scope]}::uuid[])` : sql``}) else '[]' end,
  'author', (select json_build_object('userId', a.id, 'name', trim(a.first_name || ' ' || a.last_name))
    from member m join person a on a.id = m.person_id where m.org_id = p.org_id and m.person_id = p.author_id),
  'labels', ${taxonomy('label', "json_build_object('labelId', l.id, 'labelName', l.name, 'color', l.color)")},
  'campaigns', ${taxonomy('campaign', "json_build_object('campaignId', l.id, 'name', l.name)")},
  'series', case when p.series_id is not null then json_build_object('seriesId', p.series_id, 'index', p.series_index, 'count', p.series_count) end,
  'contents', p.contents, 'additionalDetails', p.details, 'firstComment', p.first_comment, 'mentions', p.mentions, 'draft', p.draft,
  'schedule', p.schedule, 'objectId', p.remote_id, 'warning', p.warning,
  'publishedAt', ${iso('p.published_at')}, 'createdAt', ${iso('p.created_at')}, 'updatedAt', ${iso('p.updated_at')},
  'timeline', (select coalesce(json_agg(json_build_object('kind', e.kind, 'at', ${iso('e.at')}, 'by', trim(a.first_name || ' ' || a.last_name), 'dueAt', ${iso('e.due_at')}, 'detail', e.detail) order by e.at, e.id), '[]')
    from post_event e left join person a on a.id = e.person_id where e.org_id = p.org_id and e.post_id = p.id),
  'files', (select coalesce(json_agg(json_build_object('id', f.id, 'org_id', f.org_id, 'project_id', f.project_id, 'content_type', f.content_type, 'width', f.width, 'height', f.height)), '[]')
    from asset f where f.org_id = p.org_id and f.project_id = p.project_id
      and f.id = any(array(select (m.id #>> '{}')::uuid from jsonb_path_query(p.contents, '$[*].media[*].assetId') m(id)))),
  'workflow', (select json_build_object('workflowId', g.workflow_id, 'workflowName', g.workflow_name, 'state', g.state, 'step', g.step, 'steps', jsonb_array_length(g.steps))
    from approval g where g.org_id = p.org_id and g.post_id = p.id order by g.sent_at desc, g.id desc limit 1),
  'changes', (select coalesce(json_agg(json_build_object('subject', d.subject, 'state', d.state, 'failure', d.failure) order by d.wanted_at), '[]')
    from delivery d where d.org_id = p.org_id and d.subject_id = p.id and d.subject in ('edit', 'deletion') and d.state in ('failed', 'unsure') and d.failure is not null),
  'followUps', (select coalesce(json_agg(json_build_object('key', d.key, 'details', d.details, 'state', d.state, 'failure', d.failure) order by d.place), '[]')
    from delivery d where d.org_id = p.org_id and d.subject_id = p.id and d.subject = 'follow-up')
)::text`

/** Everything about a post in one statement: separate statements would each cost a round trip. `asOf` is what it's made from. */
const postQuery = ({ org, project }: ProjectContext, postId: string, asOf: boolean): RawBuilder<Row> =>
  sql<Row>`select p.channel_id, p.author_id, ${written(project.channelIds)} as post, ${asOf ? stampNow : sql`null as place, null as stamp`}
    from post p where p.org_id = ${org.orgId} and p.project_id = ${project.projectId} and p.id = ${postId}`

const stampNow = sql`${placeNow} as place, post_stamps(p.project_id, array[p.id]) ->> p.id::text as stamp`

function present(c: ProjectContext, row: Row | undefined, platforms: PostDeps['platforms']): Post {
  if (!row || !isVisibleTo(c, row)) throw fail('NOT_FOUND')
  // written by the statement above; its JSON columns by the schemas of the contract, which check every reply in tests
  const { files, changes, followUps, ...post } = JSON.parse(row.post) as Written
  return {
    ...post,
    contents: post.contents.map((content) => ({
      ...content,
      media: content.media.map((media) => ({ ...media, ...fileOf(files.find(({ id }) => id === media.assetId)) })),
    })),
    draft: post.status === 'DRAFTS' ? withTaxonomy(draftOf({ draft: post.draft }), post) : null,
    schedule: shownSchedule(post),
    changesThere:
      post.channel !== null &&
      post.objectId !== null &&
      platforms(post.channel.platformName)?.publish.edit !== undefined,
    warning: post.warning === null && changes.length === 0 ? null : warningOf(post.warning, changes),
    parts:
      followUps.length === 0
        ? []
        : followUpsIn(followUps).map(({ reason, ...part }) => ({ ...part, reason: reason && sentenceOf(reason) })),
    timeline: post.timeline.map(({ detail, ...entry }) => ({ ...entry, note: detailText(detail) })),
  }
}

/** What the post's page shows of a schedule whose time is missing: the post's own. */
function shownSchedule({ schedule, at, timezone }: Pick<Post, 'schedule' | 'at' | 'timezone'>): Schedule {
  const isTimed = schedule.type !== 'NOW' && schedule.type !== 'QUEUE' && schedule.type !== 'DRAFT'
  return isTimed && !schedule.details ? { type: 'ONCE', details: { utc: at, timezone } } : schedule
}

/** A draft that was a post keeps its labels and campaigns. */
function withTaxonomy(
  draft: DraftBody | null,
  { labels, campaigns }: Pick<Post, 'labels' | 'campaigns'>,
): DraftBody | null {
  if (!draft) return null
  const labelIds = draft.labelIds === undefined && labels.length > 0 ? labels.map(({ labelId }) => labelId) : undefined
  const campaignIds =
    draft.campaignIds === undefined && campaigns.length > 0 ? campaigns.map(({ campaignId }) => campaignId) : undefined
  return { ...draft, ...(labelIds && { labelIds }), ...(campaignIds && { campaignIds }) }
}

const fileOf = (asset: Written['files'][number] | undefined) => ({
  url: asset ? assetUrl(asset) : '',
  contentType: asset?.content_type ?? '',
  width: asset?.width ?? null,
  height: asset?.height ?? null,
})

/** Failed follow-ups of the live post, and the results of edits and deletions on the platform that no one has been told about yet. */
function warningOf(warning: unknown, changes: unknown): string | null {
  const left = Changes.parse(changes).map(({ subject, state, failure }) => {
    const reason = reasonIn(failure)
    if (state === 'unsure') return reason
    return because(subject === 'edit' ? 'edit-failed' : 'deletion-failed', { because: reason })
  })
  return [...(Warnings.parse(warning) ?? []), ...left].map(sentenceOf).join(' ') || null
}

const Changes = z.array(z.object({ subject: z.string(), state: z.string(), failure: StoredReason }))
const Warnings = z.array(StoredReason).nullable()
