import { noMetrics, type PostMetrics } from '#contract/metrics.ts'
import { graph, isGone } from '../graph.ts'
import type { Metrics } from '../platform.ts'
import { BASE, READ_TIMEOUT_MS, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import { Insights } from './schemas.ts'

const METRICS = 'views,likes,replies,reposts,quotes,shares'

/** One call per post: the API has no batches (Threads, insights). */
export const metrics: Metrics = {
  most: 1,
  needs: ['threads_manage_insights'],
  read: withSecret(async (reach, own, _account, posts) => {
    const of = new Map<string, PostMetrics>()
    for (const { remoteId } of posts) {
      const found = await graph(reach, {
        base: BASE,
        path: `/${remoteId}/insights`,
        token: own.accessToken,
        query: { metric: METRICS },
        reply: Insights,
        timeoutMs: READ_TIMEOUT_MS,
      })
      if (found.kind === 'ok') of.set(remoteId, figuresIn(found.value))
      else if (!isGone(found)) return refusalOf(found, { doing: 'show-figures', irreversible: false })
    }
    return { kind: 'metrics', of }
  }),
}

function figuresIn({
  data,
}: {
  data: { name: string; values: { value: number }[]; total_value: { value: number } | null }[]
}): PostMetrics {
  const figure = (name: string): number | null => {
    const found = data.find((one) => one.name === name)
    return found ? (found.total_value?.value ?? found.values[0]?.value ?? null) : null
  }
  // reposts, quotes and shares all share the post
  const passedOn = ['reposts', 'quotes', 'shares'].map(figure).filter((count) => count !== null)
  return {
    ...noMetrics,
    impressions: figure('views'),
    reactions: figure('likes'),
    comments: figure('replies'),
    shares: passedOn.length > 0 ? passedOn.reduce((sum, count) => sum + count, 0) : null,
  }
}
