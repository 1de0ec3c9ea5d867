import { freeToUse, toldWith, type PlatformFigures } from './define.ts'

// Threads API, insights: by day since 2024-04-13
const posts = { delayHours: 48, historyDays: null }
const days = { delayHours: 48, historyDays: 730, since: '2024-04-13' }

export const threads: PlatformFigures = {
  terms: freeToUse,
  // profile discovery, whose allowed use this is: public profiles with at least 100 followers, and posts without figures
  competitors: {
    isPossible: true,
    account: ['followers'],
    post: [],
    example: '@name',
    approval: 'threads_profile_discovery',
  },
  zone: 'America/Los_Angeles',
  needs: ['threads_manage_insights'],
  post: toldWith(posts, [
    ['views', 'Views', 'views'],
    ['reactions', 'Likes', 'likes'],
    ['comments', 'Replies', 'replies'],
    ['shares', 'Reposts, quotes and shares', 'reposts, quotes, shares'],
    ['reposts', 'Reposts', 'reposts'],
    ['quotes', 'Quotes', 'quotes'],
    ['sends', 'Shares', 'shares'],
  ]),
  channel: toldWith(days, [
    ['profileViews', 'Profile views', 'views'],
    ['reactions', 'Likes', 'likes', { mayFall: true }],
    ['comments', 'Replies', 'replies', { mayFall: true }],
    ['shares', 'Reposts and quotes', 'reposts, quotes', { mayFall: true }],
    ['reposts', 'Reposts', 'reposts', { mayFall: true }],
    ['quotes', 'Quotes', 'quotes', { mayFall: true }],
    ['clicks', 'Link clicks', 'clicks'],
    ['followers', 'Followers', 'followers_count', { delayHours: 0, historyDays: 0 }],
  ]),
  audience: {
    breakdowns: ['age', 'gender', 'country', 'city'],
    leastFollowers: 100,
    source: 'follower_demographics',
  },
}
