import { noMetrics, type PostMetrics } from '#contract/metrics.ts'
import type { Metrics } from '../platform.ts'
import { call, isGone, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import { PinFigures } from './schemas.ts'

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
      const told = found.value.pin_metrics
      // for younger Pins, the last 90 days are everything; for others they're the best there is without a total
      const figures = told?.lifetime_metrics ?? told?.all_time ?? told?.['90d']
      of.set(
        remoteId,
        figures
          ? {
              ...noMetrics,
              impressions: figures.impression,
              reactions: figures.reaction,
              comments: figures.comment,
              saves: figures.save,
              clicks: sumOf(figures.outbound_click ?? figures.clickthrough, figures.pin_click),
              videoViews: figures.video_mrc_view,
            }
          : noMetrics,
      )
    }
    return { kind: 'metrics', of }
  }),
}

/** Clicks on the Pin and on its link both count as clicks. */
const sumOf = (one: number | null, other: number | null): number | null =>
  one === null && other === null ? null : (one ?? 0) + (other ?? 0)
