import { SCHEDULE } from '#contract/constants.ts'
import type { Schedule } from '#contract/submit.ts'
import { clockText, dayText, instantAt, shortWeekday, wallOf, type Clock, type Day } from './dates.ts'

/** A local time in a zone: what a person means by "Wednesday at 11". */
export type Moment = { day: Day; clock: Clock; zone: string }

export function momentAt(instant: Date, zone: string): Moment {
  return { ...wallOf(instant, zone), zone }
}

export function instantOfMoment({ day, clock, zone }: Moment): Date {
  return instantAt(day, clock, zone)
}

/** As posts have it in the API. */
export function scheduleAt(moment: Moment): Schedule {
  return { type: 'ONCE', details: { utc: instantOfMoment(moment).toISOString(), timezone: moment.zone } }
}

/** "Wed 25 Nov, 11:00 AM" */
export function momentWords({ day, clock }: Moment): string {
  return `${shortWeekday(day)} ${dayText(day).slice(0, 6)}, ${clockText(clock)}`
}

const FIVE_MINUTES = 300_000

/** The first offered time: 30 minutes ahead, rounded to five minutes. */
export function nextSlot(now: Date, zone: string): Moment {
  return momentAt(
    new Date(Math.ceil((now.getTime() + SCHEDULE.nextSlotMinutes * 60_000) / FIVE_MINUTES) * FIVE_MINUTES),
    zone,
  )
}

/** The message for a time that a clock change skips or repeats, with what happens then; undefined for all others. */
export function clockChangeNote(moment: Moment, happens = 'It will be published'): string | undefined {
  const { day, clock, zone } = moment
  const at = instantOfMoment(moment)
  const shown = wallOf(at, zone)
  if (shown.day !== day || shown.clock !== clock)
    return `Clocks move forward that day, so ${clockText(clock)} doesn't exist. ${happens} at ${clockText(shown.clock)}.`
  // clocks go back by half an hour or an hour, at one station by two
  const again = [30, 60, 120].some((minutes) => {
    const later = wallOf(new Date(at.getTime() + minutes * 60_000), zone)
    return later.day === day && later.clock === clock
  })
  return again
    ? `Clocks move back that day, so ${clockText(clock)} happens twice. ${happens} the first time.`
    : undefined
}
