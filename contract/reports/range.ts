import { z } from 'zod'
import { checkDays, type InsightsRange } from '../analytics/filter.ts'
import { Day } from '../common.ts'

/*
 * Which days a report covers. They end yesterday, the last day that is over, so that a report doesn't change while it's read; `custom`
 * names its days itself.
 */

/** `week`: Monday to Sunday; `month` and `quarter`: those of the calendar; numbers: so many days. */
export const reportSpans = ['7', '30', '90', 'week', 'month', 'quarter', 'custom'] as const
export const ReportDays = z
  .object({
    span: z.enum(reportSpans),
    /** Only of `custom`. */
    from: Day.optional(),
    to: Day.optional(),
    /** What the days are compared with: as many before (a month with the month before), the same of last year, or nothing. */
    compare: z.enum(['before', 'year', 'off']).default('before'),
  })
  .superRefine(({ span, from, to }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (span !== 'custom') {
      if (from !== undefined || to !== undefined) refuse('span', 'Only a custom range has days of its own')
    } else if (from === undefined && to === undefined) refuse('span', 'Choose the first and the last day')
    else checkDays(context, { from, to })
  })
export type ReportDays = z.infer<typeof ReportDays>

const DAY_MS = 86_400_000
const utc = (day: string): Date => new Date(`${day}T00:00:00Z`)
const text = (date: Date): string => date.toISOString().slice(0, 10)
const plusDays = (day: string, days: number): string => text(new Date(utc(day).getTime() + days * DAY_MS))
/** The same day so many months later, or that month's last one. */
function plusMonths(day: string, months: number): string {
  const date = utc(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return text(new Date(Date.UTC(year, month, Math.min(date.getUTCDate(), last))))
}

/** The days of a report that is made on `today` of its zone, and those that they're compared with. */
export function daysOfReport(days: ReportDays, today: string): InsightsRange {
  const { from, to } = spanOf(days, today)
  return { from, to, compare: comparedWith(days, { from, to }) }
}

type Span = { from: string; to: string }
function spanOf({ span, from, to }: ReportDays, today: string): Span {
  const yesterday = plusDays(today, -1)
  switch (span) {
    case 'custom':
      return { from: from ?? yesterday, to: to ?? yesterday }
    case 'week': {
      const monday = plusDays(today, -((utc(today).getUTCDay() + 6) % 7))
      return { from: plusDays(monday, -7), to: plusDays(monday, -1) }
    }
    case 'month': {
      const first = `${today.slice(0, 7)}-01`
      return { from: plusMonths(first, -1), to: plusDays(first, -1) }
    }
    case 'quarter': {
      const month = Math.floor((Number(today.slice(5, 7)) - 1) / 3) * 3 + 1
      const first = `${today.slice(0, 4)}-${String(month).padStart(2, '0')}-01`
      return { from: plusMonths(first, -3), to: plusDays(first, -1) }
    }
    case '7':
    case '30':
    case '90':
    default:
      return { from: plusDays(today, -Number(span)), to: yesterday }
  }
}

function comparedWith({ span, compare }: ReportDays, { from, to }: Span): Span | null {
  if (compare === 'off') return null
  if (compare === 'year') {
    const last = plusDays(to, 1)
    // whole months of last year stay whole, whatever February has
    return span === 'month' || span === 'quarter'
      ? { from: plusMonths(from, -12), to: plusDays(plusMonths(last, -12), -1) }
      : { from: plusMonths(from, -12), to: plusMonths(to, -12) }
  }
  const before = plusDays(from, -1)
  if (span === 'month') return { from: plusMonths(from, -1), to: before }
  if (span === 'quarter') return { from: plusMonths(from, -3), to: before }
  const days = (utc(to).getTime() - utc(from).getTime()) / DAY_MS + 1
  return { from: plusDays(from, -days), to: before }
}
