import { freeToUse, toldWith, type PlatformFigures } from './define.ts'

// Pinterest API v5: user_account/analytics, 90 days back; Pins' lifetime metrics
const posts = { delayHours: 48, historyDays: null }
const days = { delayHours: 48, historyDays: 89 }

export const pinterest: PlatformFigures = {
  terms: freeToUse,
  competitors: { isPossible: false, reason: 'ownOnly' },
  zone: 'UTC',
  needs: ['user_accounts:read'],
  post: toldWith(posts, [
    ['impressions', 'Impressions', 'impression'],
    ['reactions', 'Reactions', 'reaction'],
    ['comments', 'Comments', 'comment'],
    ['saves', 'Saves', 'save'],
    ['clicks', 'Pin clicks and outbound clicks', 'pin_click, outbound_click'],
    ['linkClicks', 'Outbound clicks', 'outbound_click'],
    ['videoViews', 'Video views', 'video_mrc_view'],
    ['followersGained', 'Follows', 'user_follow'],
    ['profileViews', 'Profile visits', 'profile_visit'],
    ['averageWatchMs', 'Average video play time', 'video_avg_watch_time'],
  ]),
  channel: toldWith(days, [
    ['impressions', 'Impressions', 'IMPRESSION'],
    ['interactions', "Engagements (Pinterest's count)", 'ENGAGEMENT'],
    ['saves', 'Saves', 'SAVE'],
    ['clicks', 'Pin clicks and outbound clicks', 'PIN_CLICK, OUTBOUND_CLICK'],
    ['linkClicks', 'Outbound clicks', 'OUTBOUND_CLICK'],
    ['videoViews', 'Video views', 'VIDEO_MRC_VIEW'],
    ['followers', 'Followers', 'user_account.follower_count', { delayHours: 0, historyDays: 0 }],
    ['posts', 'Pins', 'user_account.pin_count', { delayHours: 0, historyDays: 0 }],
  ]),
}
