import { sql } from 'kysely'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { MOST_BEST_POSTS, type CompetitorPost } from '#contract/analytics/competitors.ts'
import { PostMetrics } from '#contract/metrics.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { publishedIn, publishedPosts } from '../analytics/postFigures.ts'
import type { Reader } from '../analytics/scope.ts'

/* Posts of channels and competitors, with the engagements that a platform tells of everyone's posts. */

const engagements = ['reactions', 'comments', 'shares'] as const

/** The figures of a post that are added to engagements, by platform: only those that are told of other people's posts too. */
const engagedNames: Partial<Record<PlatformKey, readonly string[]>> = Object.fromEntries(
  platformKeys.flatMap((key) => {
    const { competitors } = platformFigures[key]
    return competitors.isPossible ? [[key, engagements.filter((name) => competitors.post.includes(name))]] : []
  }),
)

/** Whether a platform tells anything of how people engage with other accounts' posts. */
export const tellsEngagements = (platform: PlatformKey): boolean => (engagedNames[platform] ?? []).length > 0

export type Span = { side: 'value' | 'before'; from: string; to: string }
/** How many posts were published, and the median and the sum of their engagements; null if none is told. */
export type Published = { posts: number; median: number | null; engagements: number | null }
type Row = Published & { side: string; id: string }
type Of = { id: string; platformName: PlatformKey }

/** What a post has of the names that are added up on its platform `pl`; null if nothing is told. */
const engaged = sql`(
  select sum((p.figures ->> n.name)::bigint) as value from jsonb_array_elements_text(${JSON.stringify(engagedNames)}::jsonb -> a.platform) n(name)
) e`
const figures = sql`count(*)::int as posts, percentile_cont(0.5) within group (order by e.value)::float8 as median, sum(e.value)::float8 as engagements`
const accounts = (all: readonly Of[]) =>
  sql`unnest(${all.map(({ id }) => id)}::uuid[], ${all.map(({ platformName }) => platformName)}::text[]) a(id, platform)`

/** What each channel published in the spans, by `publishedKey`. Without stories: no platform tells of others' stories. */
export async function readOwnPublished(
  c: Reader,
  channels: readonly Of[],
  spans: readonly Span[],
): Promise<Map<string, Published>> {
  if (channels.length === 0) return new Map()
  const posts = publishedPosts(
    c,
    spans.map(({ side, from, to }) => ({ from, to, is: sql`${side}::text` })),
  )
  const { rows } = await sql<Row>`
    select p.span as side, a.id, ${figures} from ${posts} p join ${accounts(channels)} on a.id = p.channel_id
      join measured_post m on m.org_id = p.org_id and m.id = p.post_id and m.post_type <> 'story' cross join lateral ${engaged}
    group by p.span, a.id`.execute(c.tx)
  return new Map(rows.map(({ side, id, ...own }) => [publishedKey(id, side), own]))
}

/** The same of competitors. */
export async function readTheirPublished(
  c: Reader,
  competitors: readonly Of[],
  spans: readonly Span[],
): Promise<Map<string, Published>> {
  if (competitors.length === 0) return new Map()
  const inSpan = (span: Span) => sql`
    select ${span.side}::text as side, a.id, ${figures}
    from ${accounts(competitors)} join competitor_post p on p.org_id = ${c.org.orgId} and p.competitor_id = a.id and ${publishedIn(span, c.project.zone, sql`p.published_at`)}
      cross join lateral ${engaged}
    group by a.id`
  const { rows } = await sql<Row>`${sql.join(spans.map(inSpan), sql` union all `)}`.execute(c.tx)
  return new Map(rows.map(({ side, id, ...own }) => [publishedKey(id, side), own]))
}

export const publishedKey = (id: string, side: string): string => `${id} ${side}`

/** Of each platform, the posts with the most engagements; the newest where nothing may be added up. */
export async function readBestPosts(
  c: Reader,
  competitors: readonly Of[],
  range: { from: string; to: string },
  apart: readonly PlatformKey[],
): Promise<CompetitorPost[]> {
  if (competitors.length === 0) return []
  const { rows } = await sql<{
    remote_id: string
    competitor_id: string
    published_at: Date
    excerpt: string
    permalink: string | null
    figures: unknown
    engagements: number | null
  }>`
    select * from (
      select p.remote_id, p.competitor_id, p.published_at, p.excerpt, p.permalink, p.figures, r.engagements,
        row_number() over (partition by a.platform order by r.engagements desc nulls last, p.published_at desc, p.remote_id) as place
      from ${accounts(competitors)} join competitor_post p on p.org_id = ${c.org.orgId} and p.competitor_id = a.id and ${publishedIn(range, c.project.zone, sql`p.published_at`)}
        cross join lateral ${engaged}
        cross join lateral (select case when not a.platform = any(${[...apart]}::text[]) then e.value::float8 end as engagements) r
    ) ranked where place <= ${MOST_BEST_POSTS} order by engagements desc nulls last, published_at desc, remote_id`.execute(
    c.tx,
  )
  return rows.map((row) => ({
    postId: row.remote_id,
    competitorId: row.competitor_id,
    publishedAt: row.published_at.toISOString(),
    excerpt: row.excerpt,
    permalink: row.permalink,
    figures: PostMetrics.parse(row.figures),
    engagements: row.engagements,
  }))
}
