/** Calendar days, `2026-11-20`: no zone, no time. */
type Day = string
type Span = { from: Day; to: Day }

const DAY_MS = 86_400_000
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The day so many days later. */
export const addDays = (day: Day, count: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)

/** "20 Nov 2026" (DD MMM YYYY) of a calendar day. */
export function dayText(day: Day): string {
  const [year, month, date] = day.split('-')
  return `${date} ${MONTHS[Number(month) - 1]} ${year}`
}

/** "20 Nov" */
export const shortDay = (day: Day): string => dayText(day).slice(0, 6)

/** "17 Nov to 23 Nov 2026" */
export function spanText({ from, to }: Span): string {
  if (from === to) return dayText(from)
  return `${from.slice(0, 4) === to.slice(0, 4) ? shortDay(from) : dayText(from)} to ${dayText(to)}`
}
