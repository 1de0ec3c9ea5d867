import { toldWith, type PlatformFigures } from './define.ts'

// Community Management API: a rolling 12 months; what members did may be kept for a year
const posts = { delayHours: 24, historyDays: 365 }
const days = { delayHours: 48, historyDays: 365 }

export const linkedin: PlatformFigures = {
  terms: { mayBeSummed: true, keepDays: null },
  // whether followers of Pages that one doesn't manage are shown is doubtful, and posts aren't: so nothing is read
  competitors: { isPossible: false, reason: 'ownOnly' },
  zone: 'UTC',
  needs: ['rw_organization_admin'],
  kindsWithoutSeries: ['Profile'],
  post: toldWith(posts, [
    ['impressions', 'Impressions', 'impressionCount, IMPRESSION'],
    ['reach', 'Unique impressions', 'uniqueImpressionsCount, MEMBERS_REACHED'],
    ['reactions', 'Reactions', 'likeCount, REACTION'],
    ['comments', 'Comments', 'commentCount, COMMENT'],
    // reposts of Pages' posts; of profiles' posts, sends as well
    ['shares', 'Shares', 'shareCount, RESHARE, POST_SEND'],
    ['reposts', 'Reposts', 'RESHARE'],
    ['sends', 'Sends', 'POST_SEND'],
    ['saves', 'Saves', 'POST_SAVE'],
    ['clicks', 'Clicks', 'clickCount, LINK_CLICKS'],
  ]),
  channel: toldWith(days, [
    ['impressions', 'Impressions', 'organizationalEntityShareStatistics.impressionCount'],
    ['reach', 'Unique impressions', 'organizationalEntityShareStatistics.uniqueImpressionsCount'],
    ['reactions', 'Reactions', 'organizationalEntityShareStatistics.likeCount', { mayFall: true }],
    ['comments', 'Comments', 'organizationalEntityShareStatistics.commentCount', { mayFall: true }],
    ['shares', 'Shares', 'organizationalEntityShareStatistics.shareCount', { mayFall: true }],
    ['clicks', 'Clicks', 'organizationalEntityShareStatistics.clickCount'],
    ['followersGained', 'New followers', 'organizationalEntityFollowerStatistics.followerGains', { mayFall: true }],
    ['profileViews', 'Page views', 'organizationPageStatistics.views.allPageViews.pageViews'],
    ['followers', 'Followers', 'networkSizes.firstDegreeSize', { delayHours: 0, historyDays: 0 }],
  ]),
  audience: {
    breakdowns: ['country', 'industry', 'seniority'],
    leastFollowers: 0,
    source: 'organizationalEntityFollowerStatistics',
  },
}
