import { instantOf, wallText, type WallTime } from '#contract/time.ts'

const DAY = 86_400_000
/** How far published posts and channels' figures go back. */
export const HISTORY_DAYS = 730

export type Moment = { dueAt: Date; wallTime: string }

/** A time of the day that is so many days from now, in a zone. */
export function momentOf(now: Date, day: number, hour: number, minute: number, zone: string): Moment {
  const date = new Date(now.getTime() + day * DAY)
  const wall: WallTime = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour,
    minute,
  }
  return { dueAt: instantOf(wall, zone), wallTime: wallText(wall) }
}

/** From Sunday, 0, to Saturday, of that same day. */
export const weekdayOf = (now: Date, day: number): number => new Date(now.getTime() + day * DAY).getUTCDay()
