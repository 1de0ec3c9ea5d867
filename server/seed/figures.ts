import { sql } from 'kysely'
import { noMetrics, type PostMetrics } from '#contract/metrics.ts'
import type { Tx } from '../db/kysely.ts'
import { keepFigures, nextReading, type Due } from '../insights/readMetrics.ts'
import { seeded } from './random.ts'

const HOUR = 3_600_000
/** Platforms that don't report views. */
const withoutViews = new Set(['bluesky', 'mastodon'])

/** Metrics of a project's published posts, read when they would have been read, and growing from reading to reading. */
export async function seedFigures(
  tx: Tx,
  { orgId, projectId }: { orgId: string; projectId: string },
  now: Date,
): Promise<void> {
  const random = seeded(4211)
  const { rows } = await sql<Due & { platform: string }>`
    select p.id, p.remote_id, p.post_type, p.published_at, c.platform from post p join channel c on c.org_id = p.org_id and c.id = p.channel_id
    where p.org_id = ${orgId} and p.project_id = ${projectId} and p.state = 'PUBLISHED' and p.remote_id is not null and p.published_at is not null
    order by p.published_at, p.id`.execute(tx)
  for (const post of rows) {
    const views = 300 + random.below(4200)
    const liking = 0.02 + random.next() * 0.06
    let at = new Date(post.published_at.getTime() + HOUR)
    while (at <= now) {
      const share = grownBy((at.getTime() - post.published_at.getTime()) / HOUR)
      const figures = figuresOf(views * share, liking, !withoutViews.has(post.platform))
      await keepFigures(tx, orgId, [post], new Map([[post.remote_id, figures]]), at)
      at = nextReading(post.published_at, at)
    }
  }
}

/** A post gets most of its reach on its first day. */
const grownBy = (hours: number): number => 1 - Math.exp(-hours / 14)

function figuresOf(views: number, liking: number, tellsViews: boolean): PostMetrics {
  const reactions = Math.round(views * liking)
  return {
    ...noMetrics,
    impressions: tellsViews ? Math.round(views) : null,
    reach: tellsViews ? Math.round(views * 0.8) : null,
    reactions,
    comments: Math.round(reactions * 0.12),
    shares: Math.round(reactions * 0.08),
  }
}
