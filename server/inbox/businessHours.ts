import type { BusinessHours } from '#contract/inbox/settings.ts'
import { instantOf, offsetMinutes, wallTimeOf } from '#contract/time.ts'

/*
 * Business time: the hours in which a project answers, on the weekdays that it chose, by its zone's calendar. Holidays
 * aren't known.
 */

const MINUTE = 60_000
const DAY_MINUTES = 1440
const DAY = DAY_MINUTES * MINUTE
/** The most days to look back: business hours may be a few minutes a week. */
const DAYS_MOST = 400

/** The hours of one day: from the first instant up to and without the second, in milliseconds. */
type Period = { from: number; to: number }

/**
 * The instant from which so many business minutes passed until now: what waits since then or longer is overdue. Null
 * where there are no business hours, or too few.
 */
export function businessMinutesAgo(now: Date, minutes: number, hours: BusinessHours, zone: string): Date | null {
  const today = dayOf(now.getTime(), zone)
  let missing = minutes * MINUTE
  for (let back = 0; back < DAYS_MOST; back++) {
    const period = periodOn(today - back * DAY, hours, zone)
    if (!period) continue
    const end = Math.min(period.to, now.getTime())
    const length = end - period.from
    if (length <= 0) continue
    if (length >= missing) return new Date(end - missing)
    missing -= length
  }
  return null
}

/**
 * A clock that runs during business hours only: the business time from `first` until an instant, which must not be after
 * `last`, all in milliseconds. The time between two of them is the difference. It's made once for any number of them.
 */
export function businessClock(
  first: number,
  last: number,
  hours: BusinessHours,
  zone: string,
): (instant: number) => number {
  const end = dayOf(last, zone)
  const periods: (Period & { before: number })[] = []
  let before = 0
  for (let day = dayOf(first, zone); day <= end; day += DAY) {
    const period = periodOn(day, hours, zone)
    if (!period || period.to <= first) continue
    const from = Math.max(period.from, first)
    periods.push({ from, to: period.to, before })
    before += period.to - from
  }
  return (at) => {
    // the last period that began by then
    let [low, high] = [0, periods.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((periods[middle]?.from ?? Infinity) <= at) low = middle + 1
      else high = middle
    }
    const period = periods[low - 1]
    return period ? period.before + Math.min(at, period.to) - period.from : 0
  }
}

/** The calendar day of the zone, as midnight of that day in UTC. */
function dayOf(instant: number, zone: string): number {
  const { year, month, day } = wallTimeOf(new Date(instant), zone)
  return Date.UTC(year, month - 1, day)
}

/** The business hours of a day; undefined for a day without any. */
function periodOn(day: number, hours: BusinessHours, zone: string): Period | undefined {
  const [from, to] = hours[(new Date(day).getUTCDay() + 6) % 7] ?? []
  if (from === undefined || to === undefined) return undefined
  // finding each instant costs four times as much, and on most days no clock changes anywhere near
  const [offset, next] = [offsetAt(day - DAY, zone), offsetAt(day + 2 * DAY, zone)]
  const at = (minute: number): number =>
    offset === next ? day + (minute - offset) * MINUTE : wallInstant(day, minute, zone)
  const period = { from: at(from), to: at(to) }
  return period.from < period.to ? period : undefined
}

const offsetAt = (instant: number, zone: string): number => offsetMinutes(new Date(instant), zone)

function wallInstant(day: number, minute: number, zone: string): number {
  // the end of a day is the start of the next one
  const date = new Date(day + Math.floor(minute / DAY_MINUTES) * DAY)
  const wall = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: Math.floor((minute % DAY_MINUTES) / 60),
    minute: minute % 60,
  }
  return instantOf(wall, zone).getTime()
}
