import { toldWith, type PlatformFigures } from './define.ts'

// YouTube Data API (statistics) and YouTube Analytics API (reports.query by day, 48 to 72 hours behind). The Developer Policies' terms
// on derived metrics (2026-05-04) and storage (30 days)
const posts = { delayHours: 0, historyDays: null }
const days = { delayHours: 72, historyDays: 730 }

export const youtube: PlatformFigures = {
  terms: { mayBeSummed: false, keepDays: 30, accepted: 'YOUTUBE_ANALYTICS_TERMS' },
  // channels.list and videos.list
  competitors: {
    isPossible: true,
    account: ['followers', 'posts'],
    post: ['views', 'reactions', 'comments'],
    example: '@name',
  },
  zone: 'America/Los_Angeles',
  needs: ['https://www.googleapis.com/auth/yt-analytics.readonly'],
  post: toldWith(posts, [
    ['views', 'Views', 'statistics.viewCount'],
    ['reactions', 'Likes', 'statistics.likeCount'],
    ['comments', 'Comments', 'statistics.commentCount'],
  ]),
  channel: toldWith(days, [
    ['views', 'Views', 'views'],
    ['engagedViews', 'Engaged views', 'engagedViews'],
    ['watchSeconds', 'Watch time', 'estimatedMinutesWatched'],
    ['averageWatchMs', 'Average view duration', 'averageViewDuration'],
    ['averageWatchedShare', 'Average percentage viewed', 'averageViewPercentage'],
    ['reactions', 'Likes', 'likes', { mayFall: true }],
    ['comments', 'Comments', 'comments', { mayFall: true }],
    ['shares', 'Shares', 'shares'],
    ['followersGained', 'Subscribers gained', 'subscribersGained'],
    ['followersLost', 'Subscribers lost', 'subscribersLost'],
    ['followers', 'Subscribers (rounded)', 'channels.statistics.subscriberCount', { delayHours: 0, historyDays: 0 }],
    ['posts', 'Videos', 'channels.statistics.videoCount', { delayHours: 0, historyDays: 0 }],
  ]),
  audience: {
    breakdowns: ['age', 'gender', 'country', 'trafficSource'],
    units: { age: 'share', gender: 'share', country: 'views', trafficSource: 'views' },
    leastFollowers: 0,
    source: 'reports.query: viewerPercentage by ageGroup and gender, views by country and insightTrafficSourceType',
  },
}
