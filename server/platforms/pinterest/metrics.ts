import { reportedMetrics, sumOfReported, type PostMetrics } from '#contract/metrics.ts'
import type { Metrics } from '../platform.ts'
import { call, isGone, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import { PinFigures, type PinMetrics } from './schemas.ts'

/** One call per Pin: lifetime metrics are part of the Pin. A Pin that has none yet is returned without metrics. */
export const metrics: Metrics = {
  most: 1,
  needs: ['pins:read'],
  read: withSecret(async (reach, own, _account, posts) => {
    const of = new Map<string, PostMetrics>()
    for (const { remoteId } of posts) {
      const found = await call(reach, own, {
        path: `/pins/${encodeURIComponent(remoteId)}`,
        query: { pin_metrics: 'true' },
        reply: PinFigures,
      })
      if (found.kind !== 'ok') {
        if (isGone(found)) continue
        return refusalOf(found, { doing: 'show-figures', irreversible: false })
      }
      of.set(remoteId, metricsIn(found.value.pin_metrics))
    }
    return { kind: 'metrics', of }
  }),
}

/** What a Pin tells of itself, wherever it is read: none if it has no figures yet. */
export function metricsIn(told: PinMetrics): PostMetrics {
  // for younger Pins, the last 90 days are everything; for others they're the best there is without a total
  const figures = told?.lifetime_metrics ?? told?.all_time ?? told?.['90d']
  if (!figures) return {}
  return reportedMetrics({
    impressions: figures.impression,
    reactions: figures.reaction,
    comments: figures.comment,
    saves: figures.save,
    // clicks on the Pin and on its link are both someone wanting to see more
    clicks: sumOfReported(figures.outbound_click ?? figures.clickthrough, figures.pin_click),
    linkClicks: figures.outbound_click ?? figures.clickthrough,
    videoViews: figures.video_mrc_view,
    followersGained: figures.user_follow,
    profileViews: figures.profile_visit,
    averageWatchMs: figures.video_avg_watch_time,
  })
}
