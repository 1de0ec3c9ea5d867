import { freeToUse, toldWith, type PlatformFigures } from './define.ts'

// Page insights, post insights; names that are valid since 2026-06-15. Two years of history, refreshed once in 24 hours
const posts = { delayHours: 48, historyDays: null }
const days = { delayHours: 48, historyDays: 730 }

export const facebook: PlatformFigures = {
  terms: freeToUse,
  // public Pages, their fans and posts with counts (Page Public Content Access, whose allowed use this is)
  competitors: {
    isPossible: true,
    account: ['followers'],
    post: ['reactions', 'comments', 'shares'],
    example: 'facebook.com/name',
    approval: 'Page Public Content Access',
  },
  zone: 'America/Los_Angeles',
  leastFollowers: 100,
  needs: ['read_insights'],
  post: toldWith(posts, [
    ['views', 'Views', 'post_media_view; views of a video'],
    ['reach', 'Viewers', 'post_total_media_view_unique'],
    ['videoViews', 'Video views', 'views'],
    ['reactions', 'Reactions', 'reactions.summary.total_count'],
    ['likes', 'Like reactions', 'post_reactions_by_type_total.like'],
    ['loves', 'Love and Care reactions', 'post_reactions_by_type_total.love'],
    ['laughs', 'Haha reactions', 'post_reactions_by_type_total.haha'],
    ['wows', 'Wow reactions', 'post_reactions_by_type_total.wow'],
    ['sads', 'Sad reactions', 'post_reactions_by_type_total.sorry'],
    ['angers', 'Angry reactions', 'post_reactions_by_type_total.anger'],
    ['comments', 'Comments', 'comments.summary.total_count'],
    ['shares', 'Shares', 'shares.count'],
    ['clicks', 'Clicks', 'post_clicks'],
  ]),
  channel: toldWith(days, [
    ['views', 'Views', 'page_media_view'],
    ['reach', 'Viewers', 'page_total_media_view_unique'],
    ['reach7', 'Viewers in 7 days', 'page_total_media_view_unique (week)', { historyDays: 0 }],
    ['reach28', 'Viewers in 28 days', 'page_total_media_view_unique (days_28)', { historyDays: 0 }],
    ['followers', 'Followers', 'page_follows'],
    ['interactions', "Interactions (Facebook's count)", 'page_post_engagements', { mayFall: true }],
    ['profileViews', 'Page visits', 'page_views_total'],
    ['videoViews', 'Video views', 'page_video_views'],
  ]),
}
