import { freeToUse, toldWith, type PlatformFigures } from './define.ts'

// Mastodon API: Status and Account entities; current values only. Views aren't counted
const now = { delayHours: 0, historyDays: 0 }

export const mastodon: PlatformFigures = {
  terms: freeToUse,
  // methods/accounts, lookup and statuses: as far as the channel's own server knows them
  competitors: {
    isPossible: true,
    account: ['followers', 'posts'],
    post: ['reactions', 'comments', 'shares'],
    example: 'name@mastodon.social',
  },
  zone: 'UTC',
  post: toldWith({ delayHours: 0, historyDays: null }, [
    ['reactions', 'Favorites', 'favourites_count'],
    ['comments', 'Replies', 'replies_count'],
    ['shares', 'Boosts and quotes', 'reblogs_count, quotes_count'],
    ['reposts', 'Boosts', 'reblogs_count'],
    ['quotes', 'Quotes', 'quotes_count'],
  ]),
  channel: toldWith(now, [
    ['followers', 'Followers', 'followers_count'],
    ['posts', 'Posts', 'statuses_count'],
  ]),
}
