import { reportedMetrics, sumOfReported, type PostMetrics } from '#contract/metrics.ts'
import type { Metrics } from '../platform.ts'
import { call, refused, withSecret } from './client.ts'
import { isGone } from './refusals.ts'
import { Status } from './schemas.ts'

/** One call per post: only servers since 4.3 return several at once. Views aren't counted. */
export const metrics: Metrics = {
  most: 1,
  read: withSecret(async (reach, own, _account, posts) => {
    const of = new Map<string, PostMetrics>()
    for (const { remoteId } of posts) {
      const seen = await call(reach, own, { path: `/api/v1/statuses/${remoteId}`, reply: Status })
      if (seen.kind === 'ok') of.set(remoteId, metricsIn(seen.value))
      else if (!isGone(seen)) return refused(seen, own, 'show-figures')
    }
    return { kind: 'metrics', of }
  }),
}

/** What a status tells of itself, wherever it is read. */
export function metricsIn(
  status: Pick<Status, 'favourites_count' | 'replies_count' | 'reblogs_count' | 'quotes_count'>,
): PostMetrics {
  return reportedMetrics({
    reactions: status.favourites_count,
    comments: status.replies_count,
    // a boost and a quote are each someone passing the post on; servers before 4.5 count no quotes
    shares: sumOfReported(status.reblogs_count, status.quotes_count),
    reposts: status.reblogs_count,
    quotes: status.quotes_count,
  })
}
