import { dateText, momentText, offsetText, relativeText, timeText } from '#contract/format.ts'

export { count } from '#contract/format.ts'

/** ISO 8601 in UTC. */
type WireInstant = string

/** "20 Nov 2026" from an ISO instant. */
export function dateOf(instant: WireInstant, zone: string): string {
  return dateText(new Date(instant), zone)
}

/** "09:30 AM" */
export function timeOf(instant: WireInstant, zone: string): string {
  return timeText(new Date(instant), zone)
}

/** "GMT+1", the zone's offset at the instant: for rows without room for its name. */
export function offsetOf(instant: WireInstant, zone: string): string {
  return offsetText(new Date(instant), zone)
}

/** "Thu 19 Nov 2026, 09:30 AM", as the head of a post shows its time. */
export function dayAndTimeOf(instant: WireInstant, zone: string): string {
  const at = new Date(instant)
  return `${weekdayOf(at, zone)} ${dateText(at, zone)}, ${timeText(at, zone)}`
}

/** "Thu 09:30 AM", for what happened within a week or so. */
export function weekdayAndTimeOf(instant: WireInstant, zone: string): string {
  const at = new Date(instant)
  return `${weekdayOf(at, zone)} ${timeText(at, zone)}`
}

/** "09:30 AM, 20 Nov 2026", as in the audit log. */
export function momentOf(instant: WireInstant, zone: string): string {
  return momentText(new Date(instant), zone)
}

/** "5 min ago", or the date and time if older than a day. */
export function agoOf(instant: WireInstant, now: Date, zone: string): string {
  return relativeText(new Date(instant), now, zone)
}

/** "9:30a", for the calendar's narrow cells. */
export function tinyTimeOf(instant: WireInstant, zone: string): string {
  const [clock = '', half = ''] = timeOf(instant, zone).split(' ')
  return `${clock.replace(/^0/, '')}${half.charAt(0).toLowerCase()}`
}

const BYTES = ['B', 'kB', 'MB', 'GB'] as const
/** "3.1 MB"; decimal units, as platforms state their limits. */
export function bytes(size: number): string {
  let step = 0
  let value = size
  while (value >= 1000 && step < BYTES.length - 1) {
    value /= 1000
    step += 1
  }
  return `${step === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${BYTES[step]}`
}

function weekdayOf(at: Date, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: zone }).format(at)
}

/** A video's length: "0:07", "12:30", "1:02:03". */
export function lengthOf(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
