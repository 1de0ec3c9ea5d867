import { instantOf, wallTimeOf } from '#contract/time.ts'

const DAY_MS = 86_400_000
const MOST_DAYS = 100

/**
 * What a gain between two readings adds to each day of the zone, as the database's `days_of_span`, worked out another way: by adding
 * up what was gained until each midnight.
 */
export function gainByDay(
  since: Date | null,
  until: Date,
  gain: number,
  zone: string,
): { day: string; part: number }[] {
  const began = since === null || since > until ? until : since
  const days: string[] = []
  for (let day = dayOf(began, zone); day <= dayOf(until, zone); day = dayAfter(day)) days.push(day)
  if (days.length > MOST_DAYS + 1) return []
  if (days.length === 1) return days.map((day) => ({ day, part: gain }))
  const length = BigInt(until.getTime() - began.getTime())
  const gainedBy = (day: string) => {
    const at = Math.min(midnightOf(day, zone).getTime(), until.getTime())
    return Number((BigInt(gain) * BigInt(Math.max(0, at - began.getTime()))) / length)
  }
  return days.map((day) => ({ day, part: gainedBy(dayAfter(day)) - gainedBy(day) }))
}

const two = (n: number) => String(n).padStart(2, '0')
const dayOf = (at: Date, zone: string): string => {
  const { year, month, day } = wallTimeOf(at, zone)
  return `${year}-${two(month)}-${two(day)}`
}
const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
function midnightOf(day: string, zone: string): Date {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return instantOf({ year, month, day: date, hour: 0, minute: 0 }, zone)
}
