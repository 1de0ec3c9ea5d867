import { z } from 'zod'
import { reported, type AccountFigures } from '../platform.ts'
import { call, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'

const METRICS = ['IMPRESSION', 'ENGAGEMENT', 'SAVE', 'PIN_CLICK', 'OUTBOUND_CLICK', 'VIDEO_MRC_VIEW'] as const
const showing = { doing: 'show-figures', irreversible: false } as const
const Count = z.number().nonnegative().nullable().catch(null)
/** Only days with the status READY have all their figures. */
const Analytics = z.object({
  all: z.object({
    daily_metrics: z
      .array(
        z.object({
          date: z.iso.date(),
          data_status: z.string().catch(''),
          metrics: z.record(z.string(), Count).catch({}),
        }),
      )
      .catch([]),
  }),
})
const Counts = z.object({ follower_count: Count, pin_count: Count })

/** By day, 90 days back and no further. */
export const accountFigures: AccountFigures = {
  series: {
    mostDays: 89,
    calls: () => 1,
    read: withSecret(async (reach, own, _account, { from, to }) => {
      const found = await call(reach, own, {
        path: '/user_account/analytics',
        query: { start_date: from, end_date: to, metric_types: METRICS.join() },
        reply: Analytics,
      })
      if (found.kind !== 'ok') return refusalOf(found, showing)
      const days = found.value.all.daily_metrics
        .filter(({ data_status: status }) => status === 'READY')
        .map(({ date, metrics }) => {
          const [pins, links] = [metrics.PIN_CLICK ?? null, metrics.OUTBOUND_CLICK ?? null]
          return {
            day: date,
            figures: reported({
              impressions: metrics.IMPRESSION,
              interactions: metrics.ENGAGEMENT,
              saves: metrics.SAVE,
              clicks: pins === null && links === null ? null : (pins ?? 0) + (links ?? 0),
              linkClicks: links,
              videoViews: metrics.VIDEO_MRC_VIEW,
            }),
          }
        })
      return { kind: 'series', days }
    }),
  },
  snapshot: withSecret(async (reach, own) => {
    const found = await call(reach, own, { path: '/user_account', reply: Counts })
    if (found.kind !== 'ok') return refusalOf(found, showing)
    return {
      kind: 'snapshot',
      figures: reported({ followers: found.value.follower_count, posts: found.value.pin_count }),
    }
  }),
}
