import { noMetrics, type PostMetrics } from '#contract/metrics.ts'
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
      if (seen.kind === 'ok') of.set(remoteId, figuresIn(seen.value))
      else if (!isGone(seen)) return refused(seen, own, 'show-figures')
    }
    return { kind: 'metrics', of }
  }),
}

function figuresIn({
  favourites_count: reactions,
  replies_count: comments,
  reblogs_count: boosts,
  quotes_count: quotes,
}: Status): PostMetrics {
  // boosts and quotes both share the post; servers before 4.5 don't count quotes
  const passedOn = [boosts, quotes].filter((count) => count !== null)
  return {
    ...noMetrics,
    reactions,
    comments,
    shares: passedOn.length > 0 ? passedOn.reduce((sum, count) => sum + count, 0) : null,
  }
}
