import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { instantOf, wallTimeOf } from '#contract/time.ts'

/*
 * When a post's figures are read: after 1, 6 and 24 hours and at each midnight of the project for 30 days, so that what
 * a day gained is known when it's over; then weekly until day 90, monthly until two years, and afterwards only when
 * someone asks (decisions, Insights). Stories end after 24 hours, and nothing is reported about them afterwards.
 */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const FIRST_HOURS = [1, 6, 24]
const STORY_HOURS = [1, 6, 12, 20, 23.5]
/** From an age on, so many days lie between two readings. */
const DAILY_UNTIL = 30
const WEEKLY_UNTIL = 90
const MONTHLY_UNTIL = 730

export type Planned = { id: string; post_type: string; published_at: Date; platform: PlatformKey }

/**
 * When a post's figures are read next after a reading at `now`, in the project's zone; null for a story that is about to
 * end, and after two years.
 */
export function nextReading(
  { id, published_at: publishedAt, post_type, platform }: Planned,
  now: Date,
  zone: string,
): Date | null {
  const age = now.getTime() - publishedAt.getTime()
  const after = (ms: number) => new Date(publishedAt.getTime() + ms)
  if (post_type === 'story') {
    const next = STORY_HOURS.find((hours) => hours * HOUR > age)
    return next === undefined ? null : after(next * HOUR)
  }
  if (age < DAILY_UNTIL * DAY) {
    const hours = FIRST_HOURS.find((one) => one * HOUR > age)
    const midnight = nextMidnight(id, now, zone)
    return hours === undefined || midnight < after(hours * HOUR) ? midnight : after(hours * HOUR)
  }
  // what has to be deleted after a month is read again before
  const days = age < WEEKLY_UNTIL * DAY || platformFigures[platform].terms.keepDays !== null ? 7 : 30
  const next = (Math.floor(age / DAY / days) + 1) * days
  return next > MONTHLY_UNTIL ? null : after(next * DAY)
}

/** The next midnight of the zone and up to an hour more, so that not all posts are read in the same minute. */
function nextMidnight(id: string, now: Date, zone: string): Date {
  const later = (Number.parseInt(id.slice(-4), 16) % 60) * MINUTE
  // the day that the last midnight with this delay belongs to
  const { year, month, day } = wallTimeOf(new Date(now.getTime() - later), zone)
  const tomorrow = new Date(Date.UTC(year, month - 1, day + 1))
  const midnight = instantOf(
    {
      year: tomorrow.getUTCFullYear(),
      month: tomorrow.getUTCMonth() + 1,
      day: tomorrow.getUTCDate(),
      hour: 0,
      minute: 0,
    },
    zone,
  )
  return new Date(midnight.getTime() + later)
}
