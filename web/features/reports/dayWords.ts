import type { ReportDays } from '#contract/reports/range.ts'
import { spanText } from '#contract/days.ts'

type Span = { from: string; to: string }

export const spanWords: Record<ReportDays['span'], string> = {
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '90': 'Last 90 days',
  week: 'Last week',
  month: 'Last month',
  quarter: 'Last quarter',
  custom: 'Custom',
}
export const compareWords: Record<ReportDays['compare'], string> = {
  before: 'The days before',
  year: 'A year earlier',
  off: 'Nothing',
}

/** "Last month", or the days of a custom range. */
export const daysText = ({ span }: Pick<ReportDays, 'span'>, range: Span): string =>
  span === 'custom' ? spanText(range) : spanWords[span]
