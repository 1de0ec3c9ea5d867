import { reportedMetrics, type PostMetrics } from '#contract/metrics.ts'
import { isBadParameter, isGone } from '../graph.ts'
import type { Metrics } from '../platform.ts'
import { read, refusalOf, withSecret } from './client.ts'
import { PostFigures } from './schemas.ts'

/** Reported without insights. */
const COUNTS = 'id,shares,reactions.limit(0).summary(total_count),comments.limit(0).summary(total_count)'
/** Names that are valid since 2026-06-15: an older one would fail the whole call (changelog of version 25.0). */
const INSIGHTS =
  'insights.metric(post_media_view,post_total_media_view_unique,post_clicks,post_reactions_by_type_total)'
const OF_A_VIDEO = 'id,views,likes.limit(0).summary(total_count),comments.limit(0).summary(total_count)'

/** One call per post. Facebook reports nothing about stories. */
export const metrics: Metrics = {
  most: 1,
  needs: ['read_insights'],
  read: withSecret(async (reach, own, _account, posts) => {
    const of = new Map<string, PostMetrics>()
    for (const { remoteId, postType } of posts) {
      if (postType === 'story') continue
      // a post of the feed is named by its Page and its own id, a video by one id
      const isPost = remoteId.includes('_')
      const ask = (fields: string) => read(reach, own, `/${remoteId}`, { fields }, PostFigures)
      let found = await ask(isPost ? `${COUNTS},${INSIGHTS}` : OF_A_VIDEO)
      // when Facebook retires a name, the counts are still there
      if (isPost && isBadParameter(found) && !isGone(found)) found = await ask(COUNTS)
      if (found.kind === 'ok') of.set(remoteId, metricsIn(found.value))
      else if (!isGone(found)) return refusalOf(found, 'show-figures')
    }
    return { kind: 'metrics', of }
  }),
}

function metricsIn({ reactions, likes, comments, shares, views, insights }: PostFigures): PostMetrics {
  const reported = (name: string): number | Record<string, number> | null =>
    insights.data.find((one) => one.name === name)?.values[0]?.value ?? null
  const count = (name: string): number | null => {
    const value = reported(name)
    return typeof value === 'number' ? value : null
  }
  const byType = reported('post_reactions_by_type_total')
  // kinds of reactions that nobody chose are left out
  const kind = (name: string): number | null => (byType && typeof byType === 'object' ? (byType[name] ?? 0) : null)
  return reportedMetrics({
    // videos and reels have no insights here: what Facebook calls views is their count
    views: count('post_media_view') ?? views,
    reach: count('post_total_media_view_unique'),
    clicks: count('post_clicks'),
    reactions: reactions ?? likes,
    likes: kind('like'),
    loves: kind('love'),
    laughs: kind('haha'),
    wows: kind('wow'),
    sads: kind('sorry'),
    angers: kind('anger'),
    comments,
    shares,
    videoViews: views,
  })
}
