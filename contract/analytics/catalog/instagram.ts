import { freeToUse, toldWith, type PlatformFigures } from './define.ts'

// Instagram Platform, insights of media and of users: delayed up to 48 hours
const posts = { delayHours: 48, historyDays: null }
const days = { delayHours: 48, historyDays: 730 }

export const instagram: PlatformFigures = {
  terms: freeToUse,
  // business discovery, of professional accounts that aren't age-gated: IGUser has it, the API of Instagram's own login doesn't
  competitors: {
    isPossible: true,
    account: ['followers', 'posts'],
    post: ['reactions', 'comments'],
    example: '@name',
    variant: 'facebook',
  },
  zone: 'America/Los_Angeles',
  needs: ['instagram_business_manage_insights'],
  post: toldWith(posts, [
    ['views', 'Views', 'views'],
    ['reach', 'Accounts reached', 'reach'],
    ['interactions', "Interactions (Instagram's count)", 'total_interactions'],
    ['reactions', 'Likes', 'likes'],
    ['comments', 'Comments', 'comments, replies'],
    ['shares', 'Shares and reposts', 'shares, reposts'],
    ['sends', 'Sends', 'shares'],
    ['reposts', 'Reposts', 'reposts'],
    ['saves', 'Saves', 'saved'],
    ['followersGained', 'Follows', 'follows'],
    ['profileViews', 'Profile visits', 'profile_visits'],
    ['navigation', 'Story navigation', 'navigation'],
    ['watchSeconds', 'Reels watch time', 'ig_reels_video_view_total_time'],
    ['averageWatchMs', 'Reels average watch time', 'ig_reels_avg_watch_time'],
    ['skipRate', 'Reels skip rate', 'reels_skip_rate'],
  ]),
  channel: toldWith(days, [
    ['views', 'Views', 'views'],
    ['reach', 'Accounts reached', 'reach'],
    ['reach7', 'Accounts reached in 7 days', 'reach over 7 days', { historyDays: 0 }],
    ['reach28', 'Accounts reached in 28 days', 'reach over 28 days', { historyDays: 0 }],
    ['engagedAccounts', 'Accounts engaged', 'accounts_engaged'],
    ['interactions', "Interactions (Instagram's count)", 'total_interactions', { mayFall: true }],
    ['reactions', 'Likes', 'likes', { mayFall: true }],
    ['comments', 'Comments', 'comments', { mayFall: true }],
    ['shares', 'Shares', 'shares', { mayFall: true }],
    ['saves', 'Saves', 'saves', { mayFall: true }],
    ['followersGained', 'Follows', 'follows_and_unfollows.FOLLOWER'],
    ['followersLost', 'Unfollows', 'follows_and_unfollows.NON_FOLLOWER'],
    ['profileActions', 'Profile link taps', 'profile_links_taps'],
    ['followers', 'Followers', 'followers_count', { delayHours: 0, historyDays: 0 }],
    ['posts', 'Posts', 'media_count', { delayHours: 0, historyDays: 0 }],
  ]),
  audience: {
    breakdowns: ['age', 'gender', 'country', 'city'],
    leastFollowers: 100,
    source: 'follower_demographics',
  },
}
