import type { PostType } from '#contract/platforms/rules.ts'
import { reportedMetrics, sumOfReported, type PostMetrics } from '#contract/metrics.ts'
import { isBadParameter, isGone, isPermissionError } from '../graph.ts'
import { insightIn, Insights, type InsightData } from '../graphInsights.ts'
import type { Metrics } from '../platform.ts'
import { read, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'

/** What every post of the feed reports. A name that doesn't suit the kind of post fails the whole call, as do retired names. */
const COMMON = 'views,reach,likes,comments,shares,saved'
const NAMES: Partial<Record<PostType, string>> = {
  reel: `${COMMON},total_interactions,reposts,ig_reels_avg_watch_time,ig_reels_video_view_total_time,reels_skip_rate`,
  story: 'views,reach,replies,shares,total_interactions,follows,profile_visits,navigation',
}
const OF_A_POST = `${COMMON},total_interactions,follows,profile_visits`

/** One call per post: the API has no batch. Stories can be read until they end, after 24 hours. */
export const metrics: Metrics = {
  most: 1,
  needs: ['instagram_business_manage_insights'],
  read: withSecret(async (reach, own, _account, posts) => {
    const of = new Map<string, PostMetrics>()
    for (const { remoteId, postType } of posts) {
      const ask = (metric: string) => read(reach, own, `/${remoteId}/insights`, { metric }, Insights)
      let found = await ask(NAMES[postType] ?? OF_A_POST)
      // a single video becomes a reel, which has other names than a post
      if (isBadParameter(found) && !isGone(found) && postType !== 'story') found = await ask(COMMON)
      if (found.kind === 'ok') of.set(remoteId, metricsIn(found.value.data))
      // under 5 viewers, Instagram reports nothing about a story, as if the permission were missing
      else if (postType === 'story' && isPermissionError(found)) of.set(remoteId, {})
      else if (!isGone(found)) return refusalOf(found, { doing: 'show-figures', irreversible: false })
    }
    return { kind: 'metrics', of }
  }),
}

function metricsIn(data: InsightData): PostMetrics {
  const value = (name: string) => insightIn(data, name)
  const watched = value('ig_reels_video_view_total_time')
  const skipped = value('reels_skip_rate')
  return reportedMetrics({
    views: value('views'),
    reach: value('reach'),
    interactions: value('total_interactions'),
    reactions: value('likes'),
    comments: value('comments') ?? value('replies'),
    shares: sumOfReported(value('shares'), value('reposts')),
    sends: value('shares'),
    reposts: value('reposts'),
    saves: value('saved'),
    followersGained: value('follows'),
    profileViews: value('profile_visits'),
    navigation: value('navigation'),
    watchSeconds: watched === null ? null : Math.round(watched / 1000),
    averageWatchMs: value('ig_reels_avg_watch_time'),
    // percent, with decimals
    skipRate: skipped === null ? null : Math.round(skipped * 100),
  })
}
