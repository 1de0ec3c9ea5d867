import { NORMAL_PERIODS, type NormalRange } from '#contract/analytics/filter.ts'
import { alertFigures, type AlertFigure } from '#contract/notifications/insights.ts'
import { normalOf } from '../analytics/normalRange.ts'

/*
 * What was out of the ordinary on a day. Pure: queries read the days of each channel, and this decides what is worth a
 * notification.
 */

/** Fewer are single events, whatever is usual. */
const LEAST = 20
const WEEK = 7
/** A channel without a final day for so many days holds up no other. */
const SILENT_DAYS = 7

/** What a channel has of each figure by day: the last day is yesterday; null where nothing is known or final. */
export type ChannelDays = { channelId: string; days: Record<AlertFigure, readonly (readonly (number | null)[])[]> }
export type Unusual = { channelId: string; figure: AlertFigure } & Pick<NormalRange, 'low' | 'high' | 'value'> & {
    standing: 'above' | 'below'
  }

/** So many days are read: those of the weeks before, and as many as values may be late. */
export const READ_DAYS = NORMAL_PERIODS * WEEK + SILENT_DAYS + 1

/**
 * The last day, counted back from yesterday, that is final of all channels that report, and what was unusual on it; undefined without
 * such a day. Of followers lost only more than usual is.
 */
export function unusualOf(channels: readonly ChannelDays[]): { daysAgo: number; found: Unusual[] } | undefined {
  const ages = channels.flatMap(({ days }) => {
    const all = alertFigures.flatMap((figure) => days[figure])
    const last = Math.max(-1, ...all.map((line) => line.findLastIndex((value) => value !== null)))
    const age = READ_DAYS - 1 - last
    return last < 0 || age > SILENT_DAYS ? [] : [age]
  })
  if (ages.length === 0) return undefined
  const daysAgo = Math.max(...ages)
  const until = READ_DAYS - daysAgo
  const found = channels.flatMap(({ channelId, days }) =>
    alertFigures.flatMap((figure): Unusual[] => {
      const lines = days[figure].map((line) => line.slice(until - NORMAL_PERIODS * WEEK - 1, until))
      const usual = normalOf(lines, 1)
      if (!usual || usual.standing === 'within') return []
      const { low, high, value, standing } = usual
      const isWorse = figure === 'followersLost' && standing === 'below'
      return isWorse || Math.max(value, high) < LEAST ? [] : [{ channelId, figure, low, high, value, standing }]
    }),
  )
  return { daysAgo, found }
}
