import { sql, type RawBuilder } from 'kysely'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { instantOf } from '#contract/time.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { figuresOfPosts, gainsOfPosts } from './chosenPosts.ts'
import type { Reader, Scope } from './scope.ts'
import { wantedTables, wants, type RowKind, type Wanted } from './wanted.ts'

/*
 * Reads figures by day from the months that they're stored in (`figure_month`): a few rows per channel and figure, whatever the
 * range, and what they amount to is worked out here. Of what posts gained, the newest lines aren't in their months yet.
 */

/** One figure of one channel on the days of a range, by their distance from its first. 0 where there's nothing. */
export type DayValues = {
  amounts: Float64Array
  /** How many values are in the amount: 1 of a channel's own days, of gains the readings, of posts the posts. */
  counts: Float64Array
  /** When it was read last, in seconds since 1970. */
  read: Float64Array
}
/** The days of the range, and those compared. */
export type DaysOfFigure = { now: DayValues; before: DayValues | null }
/** By channel and name. */
export type FiguresByDay = ReadonlyMap<string, ReadonlyMap<string, DaysOfFigure>>

/**
 * Numbers of successive days from the first on, packed as `figure_month` keeps them. Without counts, a day is there if it was read.
 */
type Row = {
  channel_id: string
  name: string
  first: string
  amounts: Buffer
  counts: Buffer | null
  read: Buffer | null
}

const storedAs = { sum: 'days', level: 'days', gain: 'gains', post: 'posts' } as const satisfies Record<RowKind, string>

/**
 * The figures of this kind that are wanted; of some posts only, without the channels' own days. When they were read is left out
 * without `withRead`. What chosen posts gained is cheaper by fewer days: with `cuts`, all of it until the next of these days is on
 * one of them.
 */
export async function readMonths(
  c: Reader,
  { range, projectIds, posts }: Pick<Scope, 'range' | 'projectIds' | 'posts'>,
  wanted: Wanted,
  kind: RowKind,
  { withRead = true, cuts = daysOfBoth(range) }: { withRead?: boolean; cuts?: readonly string[] } = {},
): Promise<FiguresByDay> {
  if (!wants(wanted, kind)) return new Map()
  const { compare } = range
  const months = [...new Set([...monthsOf(range), ...(compare ? monthsOf(compare) : [])])]
  const stored = storedAs[kind]
  // looked up by the index, whatever the planner knows of the table
  const byMonth = sql`
    select ch.id as channel_id, m.name, m.month::text as first, m.amounts, m.counts, ${withRead ? sql`m.read` : sql`null::bytea as read`}
    from (select id, (select array_agg(name) from w where w.of_kind = ch.of_kind) as names from ch) ch cross join lateral (
      select * from figure_month where org_id = ${c.org.orgId} and channel_id = ch.id and kind = ${stored} and name = any(ch.names) and month = any(${months}::date[]) offset 0
    ) m`
  // one statement: a fold between two would hide its lines from both
  const newLines = sql`
    select l.channel_id, l.name, l.day::text, sum(l.amount)::bigint::bytea, sum(l.n)::int::bytea, max(seconds_after(l.day, l.read_at))::bytea
    from figure_line l join ch on ch.id = l.channel_id join w on w.of_kind = ch.of_kind and w.name = l.name
    where l.org_id = ${c.org.orgId} and l.project_id = any(${projectIds}::uuid[]) and l.kind = ${stored} group by l.channel_id, l.name, l.day`
  const ofAll = stored === 'days' ? byMonth : sql`${byMonth} union all ${newLines}`
  const ofPosts = (chosen: RawBuilder<unknown>) =>
    stored === 'gains'
      ? gainsOfPosts(c, chosen, cuts)
      : figuresOfPosts(
          c,
          chosen,
          range,
          wanted.rows.map(({ name }) => name),
        )
  const rows = posts === null || stored === 'days' ? ofAll : ofPosts(posts)
  const found = await sql<Row>`with ${wantedTables(wanted, kind)} ${rows}`.execute(c.tx)
  return byChannel(found.rows, range)
}

function byChannel(rows: readonly Row[], { compare, ...range }: InsightsRange): FiguresByDay {
  const found = new Map<string, Map<string, DaysOfFigure>>()
  const numbers = new Map<string, number>()
  const [from, compareFrom] = [dayNumber(range.from), compare && dayNumber(compare.from)]
  for (const row of rows) {
    const own = found.get(row.channel_id) ?? new Map<string, DaysOfFigure>()
    found.set(row.channel_id, own)
    const days = own.get(row.name) ?? { now: noDays(range), before: compare && noDays(compare) }
    own.set(row.name, days)
    const first = numbers.get(row.first) ?? dayNumber(row.first)
    numbers.set(row.first, first)
    addDaysTo(days.now, from, first, row)
    if (days.before && compareFrom !== null) addDaysTo(days.before, compareFrom, first, row)
  }
  return found
}

/** The first days of the months that a range touches. */
function monthsOf({ from, to }: { from: string; to: string }): string[] {
  const [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7)) - 1]
  const count = (Number(to.slice(0, 4)) - year) * 12 + Number(to.slice(5, 7)) - month
  return Array.from({ length: count }, (_, i) => new Date(Date.UTC(year, month + i, 1)).toISOString().slice(0, 10))
}

/** Every day of the range and of the days compared, and the one after each. */
function daysOfBoth({ from, to, compare }: InsightsRange): string[] {
  const days = [{ from, to }, ...(compare ? [compare] : [])].flatMap((days) =>
    Array.from({ length: daysIn(days) + 1 }, (_, n) => addDays(days.from, n)),
  )
  return [...new Set(days)].toSorted()
}

function noDays(range: { from: string; to: string }): DayValues {
  const length = daysIn(range)
  // together: each array outside of the heap costs as much as filling it
  const all = new Float64Array(3 * length)
  const part = (nth: number) => all.subarray(nth * length, (nth + 1) * length)
  return { amounts: part(0), counts: part(1), read: part(2) }
}

const DAY_SECONDS = 86_400
/** Days since 1970. */
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000 / DAY_SECONDS

/** As `read` of a day that has nothing. */
const NEVER = -(2 ** 31)

/**
 * Adds what successive days from the day number `first` on have to those from `from` on. An amount that no number holds is rounded.
 */
function addDaysTo(days: DayValues, from: number, first: number, { amounts, counts, read }: Row): void {
  const offset = first - from
  const end = Math.min(amounts.length / 8, days.amounts.length - offset)
  for (let i = Math.max(0, -offset); i < end; i += 1) {
    const at = read?.readInt32BE(i * 4) ?? NEVER
    const count = counts?.readInt32BE(i * 4) ?? (at === NEVER ? 0 : 1)
    const amount = amounts.readInt32BE(i * 8) * 2 ** 32 + amounts.readUInt32BE(i * 8 + 4)
    const n = offset + i
    days.amounts[n] = (days.amounts[n] ?? 0) + amount
    days.counts[n] = (days.counts[n] ?? 0) + count
    if (at !== NEVER) days.read[n] = Math.max(days.read[n] ?? 0, (first + i) * DAY_SECONDS + at)
  }
}

/** When the newest of these days was read, of those that have a value. */
export function newestRead(days: readonly DayValues[]): string | null {
  let newest = 0
  for (const { counts, read } of days)
    for (const [i, at] of read.entries()) if (counts[i] !== 0 && at > newest) newest = at
  return newest === 0 ? null : new Date(newest * 1000).toISOString()
}

/** The sum of the days from one to another, by default of all; null without a value: lines that cancel out are none, not a 0. */
export function sumOver(
  { amounts, counts }: DayValues,
  { low, high }: { low: number; high: number } = { low: 0, high: amounts.length - 1 },
): number | null {
  let [sum, count] = [0, 0]
  for (let i = low; i <= high && i < amounts.length; i += 1) {
    sum += amounts[i] ?? 0
    count += counts[i] ?? 0
  }
  return count > 0 ? sum : null
}

/** The value of a day; null if there's none. */
export function valueOn(days: DayValues | null, day: number): number | null {
  const count = days?.counts[day]
  return days === null || count === undefined || count <= 0 ? null : (days.amounts[day] ?? null)
}

const midnights = new Map<string, number>()

/** When successive days begin in a platform's zone, the first one of them on `day`, in seconds since 1970. */
export function midnightsFrom(day: string, length: number, zone: string): Float64Array {
  const first = dayNumber(day)
  return Float64Array.from({ length }, (_, i) => midnightOf(first + i, zone))
}

function midnightOf(number: number, zone: string): number {
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
