import type { ReportEntry } from '#contract/reports/reports.ts'
import { dayAndTimeOf } from '#web/lib/format.ts'

type Schedule = ReportEntry['schedules'][number]

/** When a report is sent next: its soonest schedule that isn't paused. */
export function nextSending(schedules: readonly Schedule[]): { text: string; paused: boolean } | undefined {
  const going = schedules.filter(({ paused }) => paused === null)
  const [next] = going.toSorted((a, b) => a.nextDueAt.localeCompare(b.nextDueAt))
  if (next) return { text: dayAndTimeOf(next.nextDueAt, next.timezone), paused: false }
  return schedules.length > 0 ? { text: 'Paused', paused: true } : undefined
}
