const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A post is followed this closely, so long. */
export const AFTER_A_POST = { every: MINUTE, within: 2 * HOUR }
/** How often someone who uses the app sees what is new. */
export const WHILE_WATCHED = { every: 5 * MINUTE }
/** A platform that sent something within this time sends by itself. */
export const PUSHED_WITHIN = 12 * HOUR

export type Activity = {
  /** The channel's newest published post. */
  postedAt: Date | null
  /** When something was last received. */
  heardAt: Date | null
  /** When the platform last sent something by itself. */
  pushedAt: Date | null
  /** Someone of the organization used the app within the last hour. */
  isWatched: boolean
}

/**
 * How long to wait before the next reading, in milliseconds: a minute in the two hours after a post, five while someone is
 * there, else the longer the less comes in. What the platform sends by itself is only reconciled.
 */
export function readingInterval({ postedAt, heardAt, pushedAt, isWatched }: Activity, now: Date): number {
  const since = (at: Date | null): number => (at === null ? Number.POSITIVE_INFINITY : now.getTime() - at.getTime())
  if (since(pushedAt) < PUSHED_WITHIN) return 6 * HOUR
  if (since(postedAt) < AFTER_A_POST.within) return AFTER_A_POST.every
  if (isWatched) return WHILE_WATCHED.every
  const quiet = Math.min(since(heardAt), since(postedAt))
  if (quiet < DAY) return 15 * MINUTE
  return quiet < 7 * DAY ? HOUR : 6 * HOUR
}

/**
 * When to read again what was read at this time. Readings begin when a minute does and end a moment later: unless that moment
 * is left out, each would have to wait for the minute after the one that it's due in.
 */
export function dueAfter(readAt: Date, interval: number): Date {
  const due = readAt.getTime() + interval
  return new Date(due - (due % MINUTE))
}
