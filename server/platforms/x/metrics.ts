import { reportedMetrics, sumOfReported, type PostMetrics } from '#contract/metrics.ts'
import type { Metrics } from '../platform.ts'
import { call, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import { Posts, type Post } from './schemas.ts'

/** A hundred posts per call. X returns clicks only for the account's own posts of the last 30 days. */
export const metrics: Metrics = {
  most: 100,
  read: withSecret(async (reach, own, _account, posts) => {
    const found = await call(reach, own, {
      path: '/2/tweets',
      query: {
        ids: posts.map(({ remoteId }) => remoteId).join(','),
        'tweet.fields': 'public_metrics,non_public_metrics',
      },
      reply: Posts,
    })
    if (found.kind !== 'ok') return refusalOf(found, { doing: 'show-figures', irreversible: false })
    return { kind: 'metrics', of: new Map(found.value.data.map((post) => [post.id, metricsIn(post)])) }
  }),
}

/** What a post tells of itself, wherever it is read. */
export function metricsIn({
  public_metrics: seen,
  non_public_metrics: own,
}: Pick<Post, 'public_metrics' | 'non_public_metrics'>): PostMetrics {
  if (!seen) return {}
  const reposts = seen.repost_count ?? seen.retweet_count
  return reportedMetrics({
    impressions: seen.impression_count,
    reactions: seen.like_count,
    comments: seen.reply_count,
    shares: sumOfReported(reposts, seen.quote_count),
    reposts,
    quotes: seen.quote_count,
    saves: seen.bookmark_count,
    clicks: own?.url_link_clicks,
    linkClicks: own?.url_link_clicks,
    profileViews: own?.user_profile_clicks,
    interactions: own?.engagements,
  })
}
