import { freeToUse, toldWith, type PlatformFigures } from './define.ts'

// Display API: video.list and user.info.stats; current values only
const now = { delayHours: 0, historyDays: 0 }

export const tiktok: PlatformFigures = {
  terms: freeToUse,
  // the Research API, for research at institutions that aren't for profit
  competitors: { isPossible: false, reason: 'researchOnly' },
  zone: 'UTC',
  needs: ['user.info.stats'],
  post: toldWith({ delayHours: 0, historyDays: null }, [
    ['views', 'Video views', 'view_count'],
    ['reactions', 'Likes', 'like_count'],
    ['comments', 'Comments', 'comment_count'],
    ['shares', 'Shares', 'share_count'],
  ]),
  channel: toldWith(now, [
    ['followers', 'Followers', 'follower_count'],
    ['likesReceived', 'Total likes', 'likes_count'],
    ['posts', 'Videos', 'video_count'],
  ]),
}
