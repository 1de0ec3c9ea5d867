import { CALENDAR } from '#contract/constants.ts'
import { addDays, dayText } from '#contract/days.ts'
import { offsetText } from '#contract/format.ts'
import { instantOf, parseWallTime, wallTimeOf } from '#contract/time.ts'

export { addDays, dayText }

/** A calendar day, `2026-11-20`; no zone, no time. */
export type Day = string
/** A time of day on a 24-hour clock, `09:30`. */
export type Clock = string

const DAY_MS = 86_400_000

/** The day and time that clocks in the zone show at the instant. */
export function wallOf(instant: Date, zone: string): { day: Day; clock: Clock } {
  const wall = wallTimeOf(instant, zone)
  return {
    day: `${String(wall.year).padStart(4, '0')}-${two(wall.month)}-${two(wall.day)}`,
    clock: `${two(wall.hour)}:${two(wall.minute)}`,
  }
}

/**
 * The instant at which clocks in the zone show this day and time. A skipped time moves forward by the gap; an ambiguous
 * one is its first. Throws RangeError for an invalid day or time.
 */
export function instantAt(day: Day, clock: Clock, zone: string): Date {
  const wall = parseWallTime(day, clock)
  if (!wall) throw new RangeError(`No such day and time: ${day} ${clock}`)
  return instantOf(wall, zone)
}

/** Whole days in the zone, from the start of `from` until the end of `to`, exclusive. */
export function rangeOf(from: Day, to: Day, zone: string): { from: Date; to: Date } {
  return { from: instantAt(from, '00:00', zone), to: instantAt(addDays(to, 1), '00:00', zone) }
}

/** `Europe/Berlin, GMT+1`: the zone with its offset at the instant. */
export function zoneText(zone: string, at: Date): string {
  return `${zone}, ${offsetText(at, zone)}`
}

/** A range's zone: with its offset if it's the same for all of it, otherwise by name alone. */
export function zoneTextOver(zone: string, from: Date, until: Date): string {
  return clockChangeBetween(from, until, zone) ? zone : zoneText(zone, from)
}

/** The clock change between two instants, if the zone has one, to mention it next to a range. */
export function clockChangeBetween(from: Date, to: Date, zone: string): { before: string; after: string } | undefined {
  const [before, after] = [offsetText(from, zone), offsetText(to, zone)]
  return before === after ? undefined : { before, after }
}

export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(Date.parse(`${text}T00:00Z`)) &&
    utc(text).toISOString().startsWith(text)
  )
}

/** The same day of another month, or that month's last day. */
export function addMonths(day: Day, count: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + count, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return dayOf(new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(date, last))))
}

/** 0 for Sunday to 6 for Saturday. */
export function weekday(day: Day): number {
  return utc(day).getUTCDay()
}

export function daysBetween(from: Day, to: Day): number {
  return Math.round((utc(to).getTime() - utc(from).getTime()) / DAY_MS)
}

/** The seven days of the day's week, from Sunday. */
export function weekOf(day: Day): Day[] {
  const first = addDays(day, -weekday(day))
  return Array.from({ length: 7 }, (_, i) => addDays(first, i))
}

/** The days of the month's grid: 35 from a Sunday, 42 only if the month doesn't fit. */
export function monthGrid(month: Day): Day[] {
  const first = `${month.slice(0, 7)}-01`
  const lead = weekday(first)
  const inMonth = daysBetween(first, addMonths(first, 1))
  const length = lead + inMonth > CALENDAR.days ? CALENDAR.days + 7 : CALENDAR.days
  const start = addDays(first, -lead)
  return Array.from({ length }, (_, i) => addDays(start, i))
}

const names = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
const monthNames = names({ month: 'long', year: 'numeric' })
const longNames = names({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const weekdayNames = names({ weekday: 'short' })

/** "November 2026" */
export function monthName(day: Day): string {
  return monthNames.format(utc(day))
}

/** "Friday 20 November 2026", for names that screen readers announce. */
export function longDay(day: Day): string {
  return longNames.format(utc(day)).replace(',', '')
}

/** "Fri" */
export function shortWeekday(day: Day): string {
  return weekdayNames.format(utc(day))
}

/** `09:30` from 9, 30, AM; and back. */
export function clockFrom(hour12: number, minute: number, half: 'AM' | 'PM'): Clock {
  const hour = (hour12 % 12) + (half === 'PM' ? 12 : 0)
  return `${two(hour)}:${two(minute)}`
}

export function clockParts(clock: Clock): { hour12: number; minute: number; half: 'AM' | 'PM' } {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return { hour12: ((hour + 11) % 12) + 1, minute, half: hour < 12 ? 'AM' : 'PM' }
}

/** "09:30 AM" of a time of day. */
export function clockText(clock: Clock): string {
  const { hour12, minute, half } = clockParts(clock)
  return `${two(hour12)}:${two(minute)} ${half}`
}

/** The browser's own zone. */
export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function utc(day: Day): Date {
  return new Date(`${day}T00:00:00Z`)
}

function dayOf(date: Date): Day {
  return date.toISOString().slice(0, 10)
}
