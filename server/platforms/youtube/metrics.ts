import { reportedMetrics, type PostMetrics } from '#contract/metrics.ts'
import type { Metrics } from '../platform.ts'
import { call, refusalOf, withSecret } from './client.ts'
import { Videos, type Statistics } from './schemas.ts'

/** Fifty videos per call, for one unit. Shares are in the Analytics API, whose permission we don't request. */
export const metrics: Metrics = {
  most: 50,
  read: withSecret(async (reach, own, _account, posts) => {
    const found = await call(reach, own, {
      path: '/videos',
      query: { part: 'statistics', id: posts.map(({ remoteId }) => remoteId).join(','), maxResults: '50' },
      reply: Videos,
    })
    if (found.kind !== 'ok') return refusalOf(found, { doing: 'show-figures', irreversible: false })
    return { kind: 'metrics', of: new Map(found.value.items.map(({ id, statistics }) => [id, metricsIn(statistics)])) }
  }),
}

/** What a video tells of itself, wherever it is read. */
export const metricsIn = (statistics: Statistics | null): PostMetrics =>
  reportedMetrics({
    views: statistics?.viewCount,
    reactions: statistics?.likeCount,
    comments: statistics?.commentCount,
  })
