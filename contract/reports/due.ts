import { dateOf, dayNumber, daysInMonth, occurrenceAt, type Occurrence } from '../series.ts'
import { parseWallTime, wallTimeOf, type WallTime } from '../time.ts'
import type { ReportTime } from './schedules.ts'

/*
 * When a schedule is due. Its days are calendar days of its zone and its time is a wall time, so both stay the same when the clocks
 * change: a time that is skipped that day moves forward by the gap, one that occurs twice is the first.
 */

export type DueTime = Pick<Occurrence, 'at' | 'shift'>
type Day = Pick<WallTime, 'year' | 'month' | 'day'>

const weekdayOf = (n: number): number => (((n + 4) % 7) + 7) % 7
/** So many days are looked at on each side: a zone's clock can be ahead of UTC by up to 14 hours, or a day can be skipped. */
const BESIDE = 2

/** The first due time after an instant. */
export function nextDue(when: ReportTime, after: Date): DueTime {
  const today = dayNumber(wallTimeOf(after, when.timezone))
  for (const day of daysFrom(when, today - BESIDE)) {
    const due = dueOn(when, day)
    if (due.at > after) return due
  }
  throw new Error('a schedule without a due time')
}

/** The due times after one instant and up to another, the earliest first; of more than `most` the last ones. */
export function dueTimes(
  when: ReportTime,
  { after, until, most }: { after: Date; until: Date; most: number },
): DueTime[] {
  const due: DueTime[] = []
  for (let next = nextDue(when, after); next.at <= until; next = nextDue(when, next.at)) due.push(next)
  return due.slice(-most)
}

function dueOn({ time, timezone }: ReportTime, { year, month, day }: Day): DueTime {
  const clock = parseWallTime('2000-01-01', time)
  if (!clock) throw new Error('a schedule without a time')
  const { at, shift } = occurrenceAt({ year, month, day, hour: clock.hour, minute: clock.minute }, timezone)
  return { at, shift }
}

/** The schedule's days from a day on, without an end. */
function* daysFrom({ frequency, day }: Pick<ReportTime, 'frequency' | 'day'>, first: number): Generator<Day> {
  if (frequency === 'weekly') {
    for (let n = first + ((day - weekdayOf(first) + 7) % 7); ; n += 7) yield dateOf(n)
  }
  for (let { year, month } = dateOf(first); ; month += 1) {
    if (month > 12) {
      month = 1
      year += 1
    }
    const found = { year, month, day: Math.min(day, daysInMonth(year, month)) }
    if (dayNumber(found) >= first) yield found
  }
}
