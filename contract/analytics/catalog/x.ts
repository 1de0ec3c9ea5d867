import { freeToUse, toldWith, type PlatformFigures } from './define.ts'

// X API v2: tweets' public and non-public metrics, users' public metrics; what one costs: pricing page of the X API
const posts = { delayHours: 0, historyDays: null }

export const x: PlatformFigures = {
  terms: freeToUse,
  // users/by/username and users/:id/tweets, charged for each account and post
  competitors: {
    isPossible: true,
    account: ['followers', 'posts'],
    post: ['impressions', 'reactions', 'comments', 'shares'],
    example: '@name',
  },
  readPrices: { post: 0.005, account: 0.01 },
  zone: 'UTC',
  post: toldWith(posts, [
    ['impressions', 'Impressions', 'public_metrics.impression_count'],
    ['reactions', 'Likes', 'public_metrics.like_count'],
    ['comments', 'Replies', 'public_metrics.reply_count'],
    ['shares', 'Reposts and quotes', 'public_metrics.repost_count, quote_count'],
    ['reposts', 'Reposts', 'public_metrics.repost_count'],
    ['quotes', 'Quotes', 'public_metrics.quote_count'],
    ['saves', 'Bookmarks', 'public_metrics.bookmark_count'],
    ['clicks', 'URL clicks', 'non_public_metrics.url_link_clicks', { historyDays: 30 }],
    ['linkClicks', 'Link clicks', 'non_public_metrics.url_link_clicks', { historyDays: 30 }],
    ['profileViews', 'Profile visits', 'non_public_metrics.user_profile_clicks', { historyDays: 30 }],
    ['interactions', "Engagements (X's count)", 'non_public_metrics.engagements', { historyDays: 30 }],
  ]),
  channel: toldWith({ delayHours: 0, historyDays: 0 }, [
    ['followers', 'Followers', 'public_metrics.followers_count'],
    ['posts', 'Posts', 'public_metrics.tweet_count'],
  ]),
}
