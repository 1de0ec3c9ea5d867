import { timeText } from '../format.ts'
import type { BusinessHours } from './settings.ts'

/* Business hours and waits within them, in words. */

const DAY = 1440
const short = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** "09:00 AM" of a minute of the day; the day's end is "Midnight". */
export const minuteText = (minute: number): string =>
  minute === DAY ? 'Midnight' : timeText(new Date(minute * 60_000), 'UTC')

/** "Mon–Fri 09:00 AM–05:00 PM, Sat 10:00 AM–02:00 PM": days in a row with the same hours are one; null if there are none. */
export function hoursText(hours: BusinessHours): string | null {
  const runs: { first: number; last: number; open: string }[] = []
  for (const [day, value] of hours.entries()) {
    if (value === null) continue
    const [from = 0, to = 0] = value
    const open = from === 0 && to === DAY ? 'all day' : `${minuteText(from)}–${minuteText(to)}`
    const before = runs.at(-1)
    if (before && before.last === day - 1 && before.open === open) before.last = day
    else runs.push({ first: day, last: day, open })
  }
  const names = ({ first, last }: { first: number; last: number }) =>
    first === last ? short[first] : `${short[first]}–${short[last]}`
  return runs.length === 0 ? null : runs.map((run) => `${names(run)} ${run.open}`).join(', ')
}

/** "2 h 15 min" of business time, in whole minutes. A business day isn't 24 hours long, so hours are the largest unit. */
export function waitText(minutes: number): string {
  if (minutes < 1) return 'Under 1 min'
  const whole = Math.round(minutes)
  const [hours, rest] = [Math.floor(whole / 60), whole % 60]
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours.toLocaleString('en')} h` : `${hours.toLocaleString('en')} h ${rest} min`
}
