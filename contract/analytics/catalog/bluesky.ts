import { freeToUse, toldWith, type PlatformFigures } from './define.ts'

// Lexicons app.bsky.feed.defs#postView and app.bsky.actor.defs#profileViewDetailed; current values only. Views aren't counted
const now = { delayHours: 0, historyDays: 0 }

export const bluesky: PlatformFigures = {
  terms: freeToUse,
  // lexicons app.bsky.actor.getProfile and app.bsky.feed.getAuthorFeed
  competitors: {
    isPossible: true,
    account: ['followers', 'posts'],
    post: ['reactions', 'comments', 'shares'],
    example: 'name.bsky.social',
  },
  zone: 'UTC',
  post: toldWith({ delayHours: 0, historyDays: null }, [
    ['reactions', 'Likes', 'likeCount'],
    ['comments', 'Replies', 'replyCount'],
    ['shares', 'Reposts and quotes', 'repostCount, quoteCount'],
    ['reposts', 'Reposts', 'repostCount'],
    ['quotes', 'Quotes', 'quoteCount'],
    ['saves', 'Bookmarks', 'bookmarkCount'],
  ]),
  channel: toldWith(now, [
    ['followers', 'Followers', 'followersCount'],
    ['posts', 'Posts', 'postsCount'],
  ]),
}
