import { sql } from 'kysely'
import type { z } from 'zod'
import { postReport } from '#contract/insights.ts'
import { PostMetrics } from '#contract/metrics.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { seeChannelIfAny } from '../access/channels.ts'
import { handle, type Context, type Route } from '../http/route.ts'
import type { Platform } from '../platforms/platform.ts'
import { findPost } from '../posts/access.ts'
import { platformOf } from '../posts/checks.ts'

export const insightRoutes = ({ platforms }: { platforms: (key: PlatformKey) => Platform | undefined }): Route[] => [
  handle(postReport, (c) => reportPost(c, platforms)),
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
