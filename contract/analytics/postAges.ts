/*
 * The ages at which posts are compared, in hours since they were published. Posts get most of what they get early, so the steps
 * get longer.
 */

const DAY = 24
export const postAges = [
  { hours: 1, text: '1 hour' },
  { hours: 6, text: '6 hours' },
  { hours: DAY, text: '1 day' },
  { hours: 2 * DAY, text: '2 days' },
  { hours: 3 * DAY, text: '3 days' },
  { hours: 5 * DAY, text: '5 days' },
  { hours: 7 * DAY, text: '7 days' },
  { hours: 14 * DAY, text: '14 days' },
  { hours: 30 * DAY, text: '30 days' },
  { hours: 60 * DAY, text: '60 days' },
  { hours: 90 * DAY, text: '90 days' },
  { hours: 180 * DAY, text: '180 days' },
  { hours: 365 * DAY, text: '1 year' },
  { hours: 730 * DAY, text: '2 years' },
] as const

/** What a post had at an age. */
export type Point = { hours: number; value: number }

/** A reading this close to an age is the one at that age: a tenth of it, at least half an hour. */
const near = (age: number) => Math.max(0.5, age / 10)
/**
 * Between two readings that aren't farther apart than this, a value grows evenly enough: on the first day at most the age itself, later
 * a day or a quarter of the age.
 */
const apart = (age: number) => (age < DAY ? Math.max(2, age) : Math.max(DAY, age / 4))

/**
 * The value at an age, in hours, from readings in their order: of the reading nearest to it if that's close, else what lies between
 * the two around it, rounded. Null if they're too far apart, and beyond the last reading.
 */
export function valueAtAge(readings: readonly Point[], age: number): number | null {
  const closest = readings
    .map((point) => ({ ...point, off: Math.abs(point.hours - age) }))
    .toSorted((a, b) => a.off - b.off)[0]
  if (closest && closest.off <= near(age)) return closest.value
  const after = readings.find(({ hours }) => hours > age)
  const before = readings.findLast(({ hours }) => hours < age)
  if (!before || !after || after.hours - before.hours > apart(age)) return null
  const part = (age - before.hours) / (after.hours - before.hours)
  return Math.round(before.value + part * (after.value - before.value))
}
