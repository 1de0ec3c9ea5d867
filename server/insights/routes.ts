import { sql } from 'kysely'
import type { z } from 'zod'
import { FigureName } from '#contract/analytics/catalog/names.ts'
import { postReport, postReports } from '#contract/insights.ts'
import { PostMetrics } from '#contract/metrics.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { seeChannelIfAny } from '../access/channels.ts'
import { andVisible } from '../access/visiblePosts.ts'
import { handle, type Context, type Route } from '../http/route.ts'
import type { Platform } from '../platforms/platform.ts'
import { findPost } from '../posts/access.ts'
import { platformOf } from '../posts/checks.ts'

export const insightRoutes = ({ platforms }: { platforms: (key: PlatformKey) => Platform | undefined }): Route[] => [
  handle(postReport, (c) => reportPost(c, platforms)),
  handle(postReports, reportPosts),
]

/** The platform's metrics of a post, by day. Same refusals as for the post itself. */
async function reportPost(
  c: Context<typeof postReport>,
  platforms: (key: PlatformKey) => Platform | undefined,
): Promise<z.output<(typeof postReport)['reply']>> {
  const post = await findPost(c, c.params.postId)
  const channel = post.channel_id === null ? undefined : await seeChannelIfAny(c, post.channel_id)
  const { rows } = await sql<{ day: string; figures: unknown; read_at: Date }>`
    select distinct on (day) (read_at at time zone 'UTC')::date::text as day, figures, read_at from post_metric where org_id = ${c.org.orgId} and post_id = ${post.id} order by day, read_at desc`.execute(
    c.tx,
  )
  const days = rows.map(({ day, figures }) => ({ date: day, figures: PostMetrics.parse(figures) }))
  return {
    postId: post.id,
    told: channel !== undefined && platforms(platformOf(channel))?.metrics !== undefined,
    figures: days.at(-1)?.figures ?? null,
    readAt: rows.at(-1)?.read_at.toISOString() ?? null,
    days,
  }
}

/** The latest metrics of those posts that the caller can see. */
async function reportPosts(c: Context<typeof postReports>): Promise<z.output<(typeof postReports)['reply']>> {
  const { rows } = await sql<{ id: string; figures: Record<string, unknown>; read_at: Date }>`
    select p.id, f.figures, f.read_at from post p join post_figure f on f.org_id = p.org_id and f.post_id = p.id and f.name = 'published'
    where p.org_id = ${c.org.orgId} and p.project_id = ${c.project.projectId} and p.id = any(${c.query.postIds}::uuid[]) and f.read_at is not null${andVisible(c)}`.execute(
    c.tx,
  )
  return {
    reports: rows.map(({ id, figures, read_at: readAt }) => ({
      postId: id,
      figures: PostMetrics.parse(ofCatalog(figures)),
      readAt: readAt.toISOString(),
    })),
  }
}

/** What the platform reported, without what we worked out of it. */
const ofCatalog = (figures: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(figures).filter(([name]) => FigureName.safeParse(name).success))
