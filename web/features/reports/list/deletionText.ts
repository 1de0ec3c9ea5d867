import type { ReportEntry } from '#contract/reports/reports.ts'
import { count } from '#web/lib/format.ts'

/** What goes with a report. */
export function deletionText({
  reportName,
  links,
  schedules,
}: Pick<ReportEntry, 'reportName' | 'links' | 'schedules'>) {
  const parts = [
    ...(links > 0 ? [`${count(links, 'open link')}, which then ${links === 1 ? 'leads' : 'lead'} nowhere`] : []),
    ...(schedules.length > 0 ? [`${count(schedules.length, 'schedule')} with the files already sent`] : []),
  ]
  return parts.length === 0
    ? `${reportName} is deleted for everyone. The figures stay.`
    : `${reportName} is deleted for everyone, with ${parts.join(', and ')}. The figures stay.`
}
