import { noMetrics, type PostMetrics } from '#contract/metrics.ts'
import type { Metrics } from '../platform.ts'
import { call, readSecret, refusalOf } from './client.ts'
import { Videos } from './schemas.ts'

/** Fifty videos in one call, at the price of one unit. Shares stand in the Analytics API, for which no right is asked. */
export const metrics: Metrics = {
  most: 50,
  read: async (reach, secret, _account, posts) => {
    const own = readSecret(secret)
    if (own.kind !== 'secret') return own
    const found = await call(reach, own.value, { path: '/videos', query: { part: 'statistics', id: posts.map(({ remoteId }) => remoteId).join(','), maxResults: '50' }, reply: Videos })
    if (found.kind !== 'ok') return refusalOf(found, { doing: 'show the figures', irreversible: false })
    const figures = found.value.items.map(({ id, statistics }): [string, PostMetrics] => [id, { ...noMetrics, reactions: statistics?.likeCount ?? null, comments: statistics?.commentCount ?? null, videoViews: statistics?.viewCount ?? null }])
    return { kind: 'metrics', of: new Map(figures) }
  },
}
