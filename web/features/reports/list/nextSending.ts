import type { ReportEntry } from '#contract/reports/reports.ts'
import { dayAndTimeOf } from '#web/lib/format.ts'

type Schedule = ReportEntry['schedules'][number]

type Next = { paused: true } | { paused: false; text: string; at: Date; zone: string }

/** When a report is sent next: its soonest schedule that isn't paused. */
export function nextSending(schedules: readonly Schedule[]): Next | undefined {
  const going = schedules.filter(({ paused }) => paused === null)
  const [next] = going.toSorted((a, b) => a.nextDueAt.localeCompare(b.nextDueAt))
  if (next) {
    const { nextDueAt, timezone: zone } = next
    return { paused: false, text: dayAndTimeOf(nextDueAt, zone), at: new Date(nextDueAt), zone }
  }
  return schedules.length > 0 ? { paused: true } : undefined
}
