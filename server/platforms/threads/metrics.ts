import { reportedMetrics, sumOfReported, type PostMetrics } from '#contract/metrics.ts'
import { graph, isGone } from '../graph.ts'
import { insightIn, Insights, type InsightData } from '../graphInsights.ts'
import type { Metrics } from '../platform.ts'
import { BASE, READ_TIMEOUT_MS, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'

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
      if (found.kind === 'ok') of.set(remoteId, metricsIn(found.value.data))
      else if (!isGone(found)) return refusalOf(found, { doing: 'show-figures', irreversible: false })
    }
    return { kind: 'metrics', of }
  }),
}

function metricsIn(data: InsightData): PostMetrics {
  const value = (name: string) => insightIn(data, name)
  return reportedMetrics({
    views: value('views'),
    reactions: value('likes'),
    comments: value('replies'),
    // a repost, a quote and a share are each someone passing the post on
    shares: sumOfReported(value('reposts'), value('quotes'), value('shares')),
    reposts: value('reposts'),
    quotes: value('quotes'),
    sends: value('shares'),
  })
}
