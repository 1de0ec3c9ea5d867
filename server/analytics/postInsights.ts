import { sql } from 'kysely'
import { FigureKey } from '#contract/analytics/names.ts'
import type { PostInsights } from '#contract/analytics/posts.ts'
import { allows } from '#contract/permissions.ts'
import { type PlatformKey, PostType } from '#contract/platforms/rules.ts'
import { fail } from '../errors.ts'
import type { ProjectRequest } from '../http/route.ts'
import { kindsFor, reachable } from '../inbox/access.ts'
import { findReported } from '../posts/access.ts'
import { iso } from '../posts/rowJson.ts'
import { readPosts } from './postTable.ts'
import { readChannels } from './scope.ts'

type Figures = PostInsights['readings'][number]['figures']

/** A published post since it was published. NOT_FOUND for posts outside of the caller's role, and for unpublished ones. */
export async function readPostInsights(
  c: ProjectRequest,
  postId: string,
  apart: readonly PlatformKey[],
): Promise<PostInsights> {
  const post = await findReported(c, postId)
  const [channel] = post.channel_id === null ? [] : await readChannels(c, { channelIds: [post.channel_id] })
  if (post.state !== 'PUBLISHED' || !channel) throw fail('NOT_FOUND')
  const [latest] = await readPosts(c, { channels: [channel], apart }, [post.id])
  const readings = await readReadings(c, post.id)
  return {
    postId: post.id,
    channelId: channel.channelId,
    platformName: channel.platformName,
    postType: PostType.parse(post.post_type),
    publishedAt: post.shown_at.toISOString(),
    excerpt: post.excerpt,
    permalink: post.permalink,
    readings,
    figures: readings.length > 0 && latest ? latest.figures : null,
    conversations: await countConversations(c, post.id),
    boost: allows(c.project.permissions, 'post', 'view') ? await readBoost(c, post.id) : null,
    nextReadAt: post.metrics_at?.toISOString() ?? null,
  }
}

/** The kept readings, oldest first, each with what it gained; a gain across deleted readings isn't known. */
async function readReadings({ tx, org }: ProjectRequest, postId: string): Promise<PostInsights['readings']> {
  const { rows } = await sql<{ figures: Record<string, unknown>; read_at: Date; after_gap: boolean }>`
    select figures, read_at, after_gap from post_metric where org_id = ${org.orgId} and post_id = ${postId} order by day`.execute(
    tx,
  )
  const before: Figures = {}
  return rows.map(({ figures: stored, read_at: readAt, after_gap: isAfterGap }) => {
    const figures: Figures = {}
    const gains: Figures = {}
    for (const [key, value] of Object.entries(stored)) {
      const name = FigureKey.safeParse(key)
      if (!name.success || typeof value !== 'number') continue
      figures[name.data] = value
      const earlier = before[name.data] ?? (isAfterGap ? undefined : 0)
      if (earlier !== undefined) gains[name.data] = value - earlier
      before[name.data] = value
    }
    return { readAt: readAt.toISOString(), figures, gains }
  })
}

/** The post's conversations that the caller's role shows; null if it shows none of any kind. */
async function countConversations(c: ProjectRequest, postId: string): Promise<PostInsights['conversations']> {
  if (kindsFor(c.project, 'view').length === 0) return null
  const { rows } = await sql<{ count: number; open: number }>`
    select count(*)::int as count, count(*) filter (where c.status <> 'CLOSED')::int as open from conversation c
    where c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId} and c.post_id = ${postId} and ${reachable(c)}`.execute(
    c.tx,
  )
  return rows[0] ?? { count: 0, open: 0 }
}

/** The post's newest promotion. */
async function readBoost({ tx, org }: ProjectRequest, postId: string): Promise<PostInsights['boost']> {
  const { rows } = await sql<NonNullable<PostInsights['boost']>>`
    select b.state, b.currency, b.minor_units as "minorUnits", b.budget, b.spent, b.impressions, b.reach, ${iso('b.ends_at')} as "endsAt"
    from boost b where b.org_id = ${org.orgId} and b.post_id = ${postId} order by b.created_at desc, b.id desc limit 1`.execute(
    tx,
  )
  return rows[0] ?? null
}
