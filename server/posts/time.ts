import { isZone } from '#contract/common.ts'
import { SCHEDULE } from '#contract/constants.ts'
import type { DraftBody } from '#contract/drafts.ts'
import { problem } from '#contract/postProblems.ts'
import type { Schedule } from '#contract/submit.ts'
import { recurrenceErrors, timesToMake, type Recurrence } from '#contract/series.ts'
import { instantOf, parseWallTime, secondsOf, wallText, wallTimeOf } from '#contract/time.ts'
import { fail } from '../errors.ts'

/** When a post is published, as its row stores it: the requested schedule, the wall time and zone, and the resulting instant. */
export type PlannedTime = { schedule: Schedule; dueAt: Date; wallTime: string | null; zone: string }
export type OneTime = Extract<Schedule, { type: 'NOW' | 'ONCE' }>

const PAST_MS = SCHEDULE.pastMinutes * 60_000

/**
 * The time of a schedule. The wall time in its zone is kept and the instant computed from it; seconds are kept, so
 * that nothing is published early. A time more than an hour ago is refused (TIME_PASSED, field `schedule`); a nearer
 * one means now.
 */
export function planTime(schedule: OneTime, now: Date, zone: string, at = ''): PlannedTime {
  if (schedule.type === 'NOW') return { schedule, dueAt: now, wallTime: null, zone }
  const { timezone } = schedule.details
  const asked = new Date(schedule.details.utc)
  const instant = new Date(instantOf(wallTimeOf(asked, timezone), timezone).getTime() + secondsOf(asked))
  if (now.getTime() - instant.getTime() > PAST_MS)
    throw fail('TIME_PASSED', { problems: { [`${at}schedule`]: [problem('time-passed')] } })
  if (instant <= now) return { schedule: { type: 'NOW' }, dueAt: now, wallTime: null, zone: timezone }
  return timeAt(instant, timezone)
}

/** That instant as a time to send at, unchecked. */
export const timeAt = (instant: Date, timezone: string): PlannedTime => ({
  schedule: { type: 'ONCE', details: { utc: instant.toISOString(), timezone } },
  dueAt: instant,
  wallTime: wallText(wallTimeOf(instant, timezone)),
  zone: timezone,
})

/**
 * The times of a recurrence, in order. Chosen times follow the rules of single ones; past days of a range create no
 * post. Throws BAD_INPUT for an invalid range or day, TIME_PASSED if nothing is left.
 */
export function planSeries(recurrence: Recurrence, now: Date, at = ''): PlannedTime[] {
  const wrong = recurrenceErrors(recurrence)
  if (wrong.length > 0)
    throw fail('BAD_INPUT', {
      errors: Object.fromEntries(wrong.map(({ field, message }) => [`${at}schedule.${field}`, [message]])),
    })
  const { timezone } = recurrence.details
  const times = timesToMake(recurrence, now)
  if (recurrence.type === 'RECURRING_CUSTOM') {
    const planned = times.map((one) =>
      planTime({ type: 'ONCE', details: { utc: one.at.toISOString(), timezone } }, now, timezone, at),
    )
    // two instants of an hour that comes twice mean the same wall time
    return planned.filter((one, i) => planned.findIndex(({ dueAt }) => dueAt.getTime() === one.dueAt.getTime()) === i)
  }
  const coming = times.map((one) => timeAt(one.at, timezone))
  if (coming.length === 0)
    throw fail('TIME_PASSED', {
      errors: { [`${at}schedule`]: ['All of these times have passed. Choose later dates.'] },
    })
  return coming
}

/**
 * The same time of day, to the millisecond (`milliseconds` after the minute), a number of days later; for a series
 * when one of its posts is moved.
 */
export function movedWith(
  wall: string,
  by: { days: number; time: string; milliseconds: number },
  zone: string,
): Date | undefined {
  const [date = ''] = wall.split('T')
  const day = new Date(`${date}T00:00:00Z`)
  const moved = new Date(day.getTime() + by.days * 86_400_000).toISOString().slice(0, 10)
  const whole = parseWallTime(moved, by.time)
  return whole && new Date(instantOf(whole, zone).getTime() + by.milliseconds)
}

/** From one wall time to another: whole calendar days, and the new time of day. */
export function stepBetween(from: string, to: string): { days: number; time: string } {
  return {
    days: Math.round((Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / 86_400_000),
    time: to.slice(11, 16),
  }
}

/** The time at which a draft is planned: it's shown there and never sent. Null if the composer has no complete time. */
export const plannedTimeOf = (draft: DraftBody) => wallPlan(draft.schedule)

function wallPlan({
  mode,
  date,
  time,
  timezone,
  times,
}: DraftBody['schedule']): { dueAt: Date; wallTime: string; zone: string } | null {
  if (mode === 'now' || mode === 'queue' || !isZone(timezone)) return null
  const first =
    mode === 'custom'
      ? times?.map((one) => parseWallTime(one.date, one.time)).filter((one) => one !== undefined)[0]
      : parseWallTime(date, time)
  return first ? { dueAt: instantOf(first, timezone), wallTime: wallText(first), zone: timezone } : null
}

/** The time of a schedule as a plan only, unchecked; null for one without a time. */
export const wishedTime = (schedule: Schedule, zone: string) => wallPlan(composerSchedule(schedule, zone))

/** A schedule as the composer's own state. */
export function composerSchedule(schedule: Schedule, zone: string): DraftBody['schedule'] {
  if (schedule.type === 'QUEUE')
    return { mode: 'queue', date: '', time: '', timezone: zone, position: schedule.details?.position ?? 'LAST' }
  if (schedule.type === 'NOW' || schedule.type === 'DRAFT') return { mode: 'now', date: '', time: '', timezone: zone }
  const { timezone } = schedule.details
  const wallOf = (utc: string) => {
    const [date = '', time = ''] = wallText(wallTimeOf(new Date(utc), timezone)).split('T')
    return { date, time }
  }
  if (schedule.type === 'ONCE') return { mode: 'once', ...wallOf(schedule.details.utc), timezone }
  if (schedule.type === 'RECURRING_CUSTOM') {
    const times = schedule.details.utc.map(wallOf)
    return { mode: 'custom', date: times[0]?.date ?? '', time: times[0]?.time ?? '', timezone, times }
  }
  const range = {
    ...wallOf(schedule.details.utcStartDate),
    timezone,
    endDate: wallOf(schedule.details.utcEndDate).date,
  }
  return schedule.type === 'RECURRING_WEEKLY'
    ? { mode: 'weekly', ...range, daysOfWeek: schedule.details.daysOfWeek }
    : { mode: 'monthly', ...range, dayOfMonth: schedule.details.dayOfMonth }
}
