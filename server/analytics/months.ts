import { sql } from 'kysely'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { instantOf } from '#contract/time.ts'
import { daysIn } from '../rangeDays.ts'
import type { Reader } from './scope.ts'
import { wantedTables, wants, type RowKind, type Wanted } from './wanted.ts'

/*
 * Reads figures by day from the months that they're stored in (`figure_month`): a few rows per channel and figure, whatever the
 * range, and what they amount to is worked out here.
 */

/** One figure of one channel on the days of a range, by their distance from its first. NaN and 0 where there's nothing. */
export type DayValues = {
  amounts: Float64Array
  /** When it was read, in seconds since 1970. */
  read: Float64Array
}
/** The days of the range, and those compared. */
export type DaysOfFigure = { now: DayValues; before: DayValues | null }
/** By channel and name. */
export type FiguresByDay = ReadonlyMap<string, ReadonlyMap<string, DaysOfFigure>>

type MonthRow = { channel_id: string; name: string; month: string; amounts: string; read: string }

/** The channels' own days of the figures of this kind. */
export async function readMonths(
  c: Pick<Reader, 'tx' | 'org'>,
  range: InsightsRange,
  wanted: Wanted,
  kind: RowKind,
): Promise<FiguresByDay> {
  if (!wants(wanted, kind)) return new Map()
  const { compare } = range
  const months = new Set([...monthsOf(range), ...(compare ? monthsOf(compare) : [])])
  const { rows } = await sql<MonthRow>`
    with ${wantedTables(wanted, kind)}
    select m.channel_id, m.name, m.month::text as month, array_to_string(m.amounts, ',', '') as amounts, array_to_string(m.read, ',', '') as read
    from ch join w on w.of_kind = ch.of_kind join figure_month m on m.org_id = ${c.org.orgId} and m.channel_id = ch.id and m.kind = 'days' and m.name = w.name and m.month = any(${[...months]}::date[])`.execute(
    c.tx,
  )
  const found = new Map<string, Map<string, DaysOfFigure>>()
  for (const row of rows) {
    const own = found.get(row.channel_id) ?? new Map<string, DaysOfFigure>()
    found.set(row.channel_id, own)
    const days = own.get(row.name) ?? { now: noDays(range), before: compare && noDays(compare) }
    own.set(row.name, days)
    const [amounts, read] = [row.amounts.split(','), row.read.split(',')]
    putMonth(days.now, range, row.month, { amounts, read })
    if (compare && days.before) putMonth(days.before, compare, row.month, { amounts, read })
  }
  return found
}

/** The first days of the months that a range touches. */
function monthsOf({ from, to }: { from: string; to: string }): string[] {
  const [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7)) - 1]
  const count = (Number(to.slice(0, 4)) - year) * 12 + Number(to.slice(5, 7)) - month
  return Array.from({ length: count }, (_, i) => new Date(Date.UTC(year, month + i, 1)).toISOString().slice(0, 10))
}

const noDays = (range: { from: string; to: string }): DayValues => {
  const length = daysIn(range)
  return { amounts: new Float64Array(length).fill(Number.NaN), read: new Float64Array(length) }
}

const DAY_SECONDS = 86_400
/** Days since 1970. */
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000 / DAY_SECONDS

/** Copies what the month has of the days of a range. */
function putMonth(
  days: DayValues,
  { from }: { from: string },
  month: string,
  { amounts, read }: { amounts: readonly string[]; read: readonly string[] },
): void {
  const first = dayNumber(month)
  const offset = first - dayNumber(from)
  const start = Math.max(0, -offset)
  const end = Math.min(amounts.length, days.amounts.length - offset)
  for (let i = start; i < end; i += 1) {
    const amount = amounts[i]
    if (amount === '' || amount === undefined) continue
    days.amounts[offset + i] = Number(amount)
    days.read[offset + i] = (first + i) * DAY_SECONDS + Number(read[i])
  }
}

const midnights = new Map<string, number>()

/** When a day begins in a platform's zone, in seconds since 1970; `later` counts from the day. */
export function midnightOf(day: string, later: number, zone: string): number {
  const number = dayNumber(day) + later
  if (zone === 'UTC') return number * DAY_SECONDS
  const key = `${zone} ${number}`
  const known = midnights.get(key)
  if (known !== undefined) return known
  const date = new Date(number * DAY_SECONDS * 1000)
  const wall = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: 0,
    minute: 0,
  }
  const seconds = instantOf(wall, zone).getTime() / 1000
  // platforms have few zones and ranges two years, but nothing may grow for ever
  if (midnights.size > MOST_MIDNIGHTS) midnights.clear()
  midnights.set(key, seconds)
  return seconds
}
const MOST_MIDNIGHTS = 10_000
