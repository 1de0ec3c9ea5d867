import type { QueueSlot } from '#contract/queues.ts'
import { instantOf, wallText, wallTimeOf, type WallTime } from '#contract/time.ts'

/** A slot in a particular week: its instant, and the local time in the queue's zone, as the database stores it. */
export type ComingSlot = { at: Date; wall: string }
export type Timetable = { zone: string; slots: readonly QueueSlot[] }

const DAY_MS = 86_400_000

/** The minute of an event, to compare times of posts with slots. */
export const minuteOf = (at: Date): number => Math.floor(at.getTime() / 60_000)

/**
 * The next `count` slots after an instant, soonest first, without those whose minute is taken. A local time that a
 * clock change skips moves forward by the gap, an ambiguous one is its first; two slots that coincide this way are one.
 * None for a queue without slots.
 */
export function comingSlots(
  { zone, slots }: Timetable,
  after: Date,
  count: number,
  taken: ReadonlySet<number> = new Set(),
): ComingSlot[] {
  if (slots.length === 0) return []
  const found = new Map<number, ComingSlot>()
  const today = wallTimeOf(after, zone)
  // a day's slots may move into the next one, so one more day than needed is checked
  for (let ahead = 0, enoughAt = Number.POSITIVE_INFINITY; ahead <= enoughAt; ahead += 1) {
    for (const slot of slotsOfDay(today, ahead, slots)) {
      const at = instantOf(slot, zone)
      const minute = minuteOf(at)
      if (at > after && !taken.has(minute) && !found.has(minute)) found.set(minute, { at, wall: wallText(slot) })
    }
    if (found.size >= count && enoughAt === Number.POSITIVE_INFINITY) enoughAt = ahead + 1
  }
  return [...found.values()].toSorted((a, b) => a.at.getTime() - b.at.getTime()).slice(0, count)
}

function slotsOfDay(today: WallTime, ahead: number, slots: readonly QueueSlot[]): WallTime[] {
  const date = new Date(Date.UTC(today.year, today.month - 1, today.day) + ahead * DAY_MS)
  const day = date.getUTCDay()
  return slots
    .filter((slot) => slot.day === day)
    .map(({ time }) => ({
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: Number(time.slice(0, 2)),
      minute: Number(time.slice(3, 5)),
    }))
}

/** Slots once each, from Sunday's first to Saturday's last. */
export function tidySlots(slots: readonly QueueSlot[]): QueueSlot[] {
  const key = ({ day, time }: QueueSlot): string => `${day} ${time}`
  return [...new Map(slots.map((slot) => [key(slot), { day: slot.day, time: slot.time }])).entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, slot]) => slot)
}
