import { noMetrics, type PostMetrics } from '#contract/metrics.ts'
import { isGone } from '../graph.ts'
import type { Metrics } from '../platform.ts'
import { read, refusalOf, withSecret } from './client.ts'
import { PostFigures } from './schemas.ts'

/** Names valid since 2026-06-15; an older one would fail the whole call (changelog of version 25.0). */
const OF_A_POST =
  'id,shares,reactions.limit(0).summary(total_count),comments.limit(0).summary(total_count),insights.metric(post_media_view,post_total_media_view_unique)'
const OF_A_VIDEO = 'id,views,likes.limit(0).summary(total_count),comments.limit(0).summary(total_count)'

/** One call per post. There are no known valid metric names for stories. */
export const metrics: Metrics = {
  most: 1,
  needs: ['read_insights'],
  read: withSecret(async (reach, own, _account, posts) => {
    const of = new Map<string, PostMetrics>()
    for (const { remoteId, postType } of posts) {
      if (postType === 'story') continue
      // a feed post's ID is the Page's and its own, a video has one ID
      const found = await read(
        reach,
        own,
        `/${remoteId}`,
        { fields: remoteId.includes('_') ? OF_A_POST : OF_A_VIDEO },
        PostFigures,
      )
      if (found.kind === 'ok') of.set(remoteId, figuresIn(found.value))
      else if (!isGone(found)) return refusalOf(found, 'show-figures')
    }
    return { kind: 'metrics', of }
  }),
}

function figuresIn({ reactions, likes, comments, shares, views, insights }: PostFigures): PostMetrics {
  const figure = (name: string): number | null =>
    insights.data.find((one) => one.name === name)?.values[0]?.value ?? null
  return {
    ...noMetrics,
    impressions: figure('post_media_view'),
    reach: figure('post_total_media_view_unique'),
    reactions: reactions ?? likes,
    comments,
    shares,
    videoViews: views,
  }
}
