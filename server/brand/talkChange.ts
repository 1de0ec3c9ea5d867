import type { BrandTalk } from '#contract/analytics/brand.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { percentChange } from '#contract/format.ts'
import { addDays, daysIn } from '../rangeDays.ts'

/** What was written on a day on channels that were connected before the days compared began. */
export type SameOnDay = { side: 'value' | 'before'; day: string; same: number }
type Change = Pick<BrandTalk['total'], 'changePercent' | 'whyNotComparable'>

/**
 * The change in what was written, like with like: on channels that were connected all the time, on the days that are over, from the
 * first day of each side. Otherwise the reason why there's none. Pure.
 */
export function talkChange(
  counted: readonly SameOnDay[],
  { range, today, channels }: { range: InsightsRange; today: string; /** Connected all the time. */ channels: number },
): Change {
  const { from, compare } = range
  if (!compare) return { changePercent: null, whyNotComparable: null }
  if (channels === 0) return { changePercent: null, whyNotComparable: 'differentChannels' }
  const both = Math.min(daysIn(range), daysIn(compare))
  const over = Math.min(both, from >= today ? 0 : daysIn({ from, to: addDays(today, -1) }))
  if (over * 2 < both) return { changePercent: null, whyNotComparable: 'notFinal' }
  const sum = (side: SameOnDay['side'], first: string) =>
    counted.reduce((all, one) => all + (one.side === side && one.day < addDays(first, over) ? one.same : 0), 0)
  const percent = percentChange(sum('value', from), sum('before', compare.from))
  return percent === undefined
    ? { changePercent: null, whyNotComparable: 'nothingBefore' }
    : { changePercent: Number(percent), whyNotComparable: null }
}
