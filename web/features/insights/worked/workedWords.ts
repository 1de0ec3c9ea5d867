import type { WorkedBy } from '#contract/analytics/worked.ts'

/** The anchor of What worked in addresses. */
export const WHAT_WORKED = 'what-worked'

/** What posts are compared by, as tabs say it. */
export const byTitles: Record<WorkedBy, string> = {
  format: 'Format',
  label: 'Label',
  weekday: 'Weekday',
  hour: 'Hour',
  weekdayHour: 'Weekday and hour',
  length: 'Length of the text',
  dayPart: 'Time of day',
  weekdayPart: 'Weekday and time of day',
}
