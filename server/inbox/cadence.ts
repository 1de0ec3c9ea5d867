const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

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
  if (since(pushedAt) < 12 * HOUR) return 6 * HOUR
  if (since(postedAt) < 2 * HOUR) return MINUTE
  if (isWatched) return 5 * MINUTE
  const quiet = Math.min(since(heardAt), since(postedAt))
  if (quiet < DAY) return 15 * MINUTE
  return quiet < 7 * DAY ? HOUR : 6 * HOUR
}
