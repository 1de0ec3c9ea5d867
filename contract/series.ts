import { z } from 'zod'
import { Instant, Zone } from './common.ts'
import { SCHEDULE } from './constants.ts'
import { instantOf, offsetMinutes, wallTimeOf, type WallTime, secondsOf } from './time.ts'

/*
 * A recurrence creates a limited series of posts. Its days are calendar days in the zone, its time of day is the wall
 * time of its first instant; both stay the same when the clocks change (decisions, Posts).
 */

const range = { timezone: Zone, utcStartDate: Instant, utcEndDate: Instant }

export const WeeklyDetails = z.object({
  ...range,
  daysOfWeek: z.array(z.int().min(0).max(6)).min(1, 'Choose at least one day').max(7),
})
const MonthlyDetails = z.object({
  ...range,
  dayOfMonth: z.int().min(1, 'Day of month must be 1 to 31').max(31, 'Day of month must be 1 to 31'),
})
const CustomDetails = z.object({
  timezone: Zone,
  utc: z
    .array(Instant)
    .min(1, 'Choose at least one time')
    .max(SCHEDULE.customEntries, `You can choose up to ${SCHEDULE.customEntries} times`),
})
export const Recurrence = z.discriminatedUnion('type', [
  z.object({ type: z.literal('RECURRING_WEEKLY'), details: WeeklyDetails }),
  z.object({ type: z.literal('RECURRING_MONTHLY'), details: MonthlyDetails }),
  z.object({ type: z.literal('RECURRING_CUSTOM'), details: CustomDetails }),
])
export type Recurrence = z.infer<typeof Recurrence>
/** Whether a schedule creates several posts. */
export const isRecurrence = (schedule: { type: string }): schedule is Recurrence =>
  schedule.type.startsWith('RECURRING_')

/**
 * One time of a series. `shift` says how a clock change affected it: `skipped` if the wall time doesn't exist on that
 * day and was moved forward by the gap, `double` if it occurs twice and the first was used. `offset` is in minutes.
 */
export type Occurrence = { at: Date; wall: WallTime; offset: number; shift: 'skipped' | 'double' | null }

const DAY = 86_400_000
/** A calendar day as a number, of which each following day is one more. */
export const dayNumber = ({ year, month, day }: Pick<WallTime, 'year' | 'month' | 'day'>): number =>
  Date.UTC(year, month - 1, day) / DAY
/** The calendar day of such a number. */
export const dateOf = (n: number): Pick<WallTime, 'year' | 'month' | 'day'> => {
  const date = new Date(n * DAY)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}
const weekdayOf = (n: number): number => new Date(n * DAY).getUTCDay()
export const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Why a range is refused, by field of its details; empty when it may be. Ranges count calendar days of the zone. */
export function recurrenceErrors(recurrence: Recurrence): { field: string; message: string }[] {
  if (recurrence.type === 'RECURRING_CUSTOM') {
    const { utc } = recurrence.details
    return new Set(utc).size < utc.length ? [{ field: 'details.utc', message: 'The same time is listed twice' }] : []
  }
  const { timezone, utcStartDate, utcEndDate } = recurrence.details
  const days =
    dayNumber(wallTimeOf(new Date(utcEndDate), timezone)) - dayNumber(wallTimeOf(new Date(utcStartDate), timezone))
  const { min, max } = recurrence.type === 'RECURRING_WEEKLY' ? SCHEDULE.weeklyDays : SCHEDULE.monthlyDays
  if (days < min) return [{ field: 'details.utcEndDate', message: `The range must be at least ${min} days` }]
  if (days > max) return [{ field: 'details.utcEndDate', message: `The range can be at most ${max} days` }]
  return occurrences(recurrence).length === 0
    ? [{ field: 'details', message: 'None of the selected days is in this range' }]
    : []
}

/** Every time in the series, in order, from the first day of its range to the last. */
export function occurrences(recurrence: Recurrence): Occurrence[] {
  const { timezone } = recurrence.details
  if (recurrence.type === 'RECURRING_CUSTOM') {
    const instants = [...new Set(recurrence.details.utc)]
      .map((utc) => new Date(utc))
      .toSorted((a, b) => a.getTime() - b.getTime())
    return instants.map((at) => ({
      at,
      wall: wallTimeOf(at, timezone),
      offset: offsetMinutes(at, timezone),
      shift: null,
    }))
  }
  const { utcStartDate, utcEndDate } = recurrence.details
  const start = wallTimeOf(new Date(utcStartDate), timezone)
  const first = dayNumber(start)
  const last = dayNumber(wallTimeOf(new Date(utcEndDate), timezone))
  const days =
    recurrence.type === 'RECURRING_WEEKLY'
      ? weekly(first, last, recurrence.details.daysOfWeek)
      : monthly(first, last, recurrence.details.dayOfMonth)
  const seconds = secondsOf(new Date(utcStartDate))
  return days.map((n) => {
    const one = occurrenceAt({ ...dateOf(n), hour: start.hour, minute: start.minute }, timezone)
    return { ...one, at: new Date(one.at.getTime() + seconds) }
  })
}

/**
 * The times that create posts when submitted now: days of a range that have passed create none. Chosen times are all
 * kept: one that has passed is refused individually.
 */
export function timesToMake(recurrence: Recurrence, now: Date): Occurrence[] {
  const all = occurrences(recurrence)
  return recurrence.type === 'RECURRING_CUSTOM' ? all : all.filter(({ at }) => at > now)
}

function weekly(first: number, last: number, daysOfWeek: readonly number[]): number[] {
  const days: number[] = []
  for (let n = first; n <= last; n += 1) if (daysOfWeek.includes(weekdayOf(n))) days.push(n)
  return days
}

/** A month that doesn't have the day uses its last. */
function monthly(first: number, last: number, dayOfMonth: number): number[] {
  const days: number[] = []
  for (let { year, month } = dateOf(first); ;) {
    const n = dayNumber({ year, month, day: Math.min(dayOfMonth, daysInMonth(year, month)) })
    if (n > last) return days
    if (n >= first) days.push(n)
    month += 1
    if (month > 12) {
      month = 1
      year += 1
    }
  }
}

/** The wall time as an instant, with how a clock change affected it. */
export function occurrenceAt(wall: WallTime, timezone: string): Occurrence {
  const at = instantOf(wall, timezone)
  const shown = wallTimeOf(at, timezone)
  const isSame = shown.day === wall.day && shown.hour === wall.hour && shown.minute === wall.minute
  const offset = offsetMinutes(at, timezone)
  // the same wall time again within a day: clocks usually change by an hour, but half an hour and two exist
  const again = [30, 60, 120].some((minutes) => {
    const later = wallTimeOf(new Date(at.getTime() + minutes * 60_000), timezone)
    return later.hour === wall.hour && later.minute === wall.minute && later.day === wall.day
  })
  return { at, wall: isSame ? wall : shown, offset, shift: isSame ? (again ? 'double' : null) : 'skipped' }
}
