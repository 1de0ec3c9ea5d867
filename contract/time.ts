/**
 * Wall times in zones, the same on the server and in the browser (decisions, Posts: a skipped time moves forward by the
 * gap, a repeated one is the first occurrence). Without Temporal, which browsers lack.
 */

export type WallTime = { year: number; month: number; day: number; hour: number; minute: number }

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(timeZone: string): Intl.DateTimeFormat {
  let known = formatters.get(timeZone)
  if (!known) {
    known = new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
      era: 'short',
    })
    formatters.set(timeZone, known)
  }
  return known
}

/** The wall time in that zone at the instant. */
export function wallTimeOf(instant: Date, timeZone: string): WallTime {
  // "11/20/2026 A, 09:30:00": its numbers are in this order, and reading its parts takes twice as long
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0] =
    formatter(timeZone).format(instant).match(/\d+/g)?.map(Number) ?? []
  return { year, month, day, hour, minute }
}

const asUtc = (wall: WallTime) => Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute)

/** Minutes that the zone's clock is ahead of UTC at the instant. */
export function offsetMinutes(instant: Date, timeZone: string): number {
  const minute = Math.floor(instant.getTime() / 60_000)
  return asUtc(wallTimeOf(instant, timeZone)) / 60_000 - minute
}

/** The instant at which the zone's clock shows the wall time. */
export function instantOf(wall: WallTime, timeZone: string): Date {
  const guess = asUtc(wall)
  const day = 24 * 60 * 60_000
  const before = offsetMinutes(new Date(guess - day), timeZone)
  const after = offsetMinutes(new Date(guess + day), timeZone)
  // trying the earlier offset first returns the first occurrence of a repeated time
  for (const offset of before >= after ? [before, after] : [after, before]) {
    const instant = new Date(guess - offset * 60_000)
    if (asUtc(wallTimeOf(instant, timeZone)) === guess) return instant
  }
  // skipped by a clock change: the offset before it moves the time forward by the gap
  return new Date(guess - before * 60_000)
}

/** "2026-11-20" and "09:30" as a wall time; undefined if either is invalid. */
export function parseWallTime(date: string, time: string): WallTime | undefined {
  const d = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)
  const t = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time)
  if (!d || !t) return undefined
  const wall = { year: Number(d[1]), month: Number(d[2]), day: Number(d[3]), hour: Number(t[1]), minute: Number(t[2]) }
  const check = new Date(asUtc(wall))
  return check.getUTCMonth() + 1 === wall.month && check.getUTCDate() === wall.day ? wall : undefined
}

/**
 * The part of an instant beyond its whole minute, in milliseconds: wall times have none, and no zone's offset has any.
 */
export const secondsOf = (instant: Date): number => instant.getTime() % 60_000

const two = (n: number) => String(n).padStart(2, '0')

/** A wall time as "2026-11-20T09:30", as the database stores it. */
export function wallText(wall: WallTime): string {
  return `${wall.year}-${two(wall.month)}-${two(wall.day)}T${two(wall.hour)}:${two(wall.minute)}`
}
