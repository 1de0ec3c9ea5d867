import { sql } from 'kysely'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { instantOf } from '#contract/time.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { figuresOfPosts, gainsOfPosts } from './chosenPosts.ts'
import {
  addDaysTo,
  addTo,
  DAY_SECONDS,
  dayNumber,
  noDays,
  type DayValues,
  type PackedRow,
  type Window,
} from './packedDays.ts'
import type { Reader, Scope } from './scope.ts'
import { wantedTables, wants, type RowKind, type Wanted } from './wanted.ts'

/*
 * Reads figures by day from the months that they're stored in (`figure_month`): a few rows per channel and figure, whatever the
 * range, and what they amount to is worked out here. Of what posts gained, the newest lines aren't in their months yet.
 */

/** The days of the range, and those compared. */
export type DaysOfFigure = { now: DayValues; before: DayValues | null }
/** By channel and name. */
export type FiguresByDay = ReadonlyMap<string, ReadonlyMap<string, DaysOfFigure>>

/** A row as it's read: its first day is a day. */
type StoredRow = Omit<PackedRow, 'first'> & { first: string }

const storedAs = { sum: 'days', level: 'days', gain: 'gains', post: 'posts' } as const satisfies Record<RowKind, string>

/** The figures of this kind that are wanted, by day; of some posts only, without the channels' own days. */
export async function readMonths(c: Reader, scope: Read, wanted: Wanted, kind: RowKind): Promise<FiguresByDay> {
  const { compare, ...range } = scope.range
  const found = new Map<string, Map<string, DaysOfFigure>>()
  const [from, compareFrom] = [dayNumber(range.from), compare && dayNumber(compare.from)]
  for (const row of await readRows(c, scope, wanted, kind)) {
    const own = found.get(row.channel_id) ?? new Map<string, DaysOfFigure>()
    found.set(row.channel_id, own)
    const days = own.get(row.name) ?? { now: noDays(range), before: compare && noDays(compare) }
    own.set(row.name, days)
    addDaysTo(days.now, from, row)
    if (days.before && compareFrom !== null) addDaysTo(days.before, compareFrom, row)
  }
  return found
}

/** What days amount to; null without a value: lines that cancel out are none, not a 0. */
export type WindowSums = {
  value: number | null
  before: number | null
  like_value: number | null
  like_before: number | null
  /** When the newest of the range was read, of chosen posts. */
  read_at: string | null
  /** How many values are in the range's: of posts, the posts that have it. */
  count?: number
}
/** Days that both ranges have, counted from the start of each; none if `high` is less than `low`. */
export type LikeDays = { low: number; high: number }

/**
 * What these figures amount to in the range and in the days compared, and on the days of both that are alike for the channel and name.
 * Of chosen posts, `likes` are all of those days that there are.
 */
export async function readSums(
  c: Reader,
  scope: Read,
  wanted: Wanted,
  kind: 'gain' | 'post',
  { likeOf, likes }: { likeOf: (channelId: string, name: string) => LikeDays; likes: readonly LikeDays[] },
): Promise<Map<string, Map<string, WindowSums>>> {
  const { range } = scope
  const windowsFor = windowsOf(range)
  const found = new Map<string, Map<string, ReturnType<typeof windowsFor>>>()
  for (const row of await readRows(c, scope, wanted, kind, cutsOf(range, likes))) {
    const own = found.get(row.channel_id) ?? new Map<string, ReturnType<typeof windowsFor>>()
    found.set(row.channel_id, own)
    const windows = own.get(row.name) ?? windowsFor(likeOf(row.channel_id, row.name))
    own.set(row.name, windows)
    for (const window of windows) addTo(window, row)
  }
  const sumIn = ({ sum, count }: Window) => (count > 0 ? sum : null)
  return new Map(
    [...found].map(([id, figures]) => [
      id,
      new Map(
        [...figures].map(([name, [now, before, like, likeBefore]]) => [
          name,
          {
            value: sumIn(now),
            before: sumIn(before),
            like_value: sumIn(like),
            like_before: sumIn(likeBefore),
            read_at: isoOf(now.read),
            count: now.count,
          },
        ]),
      ),
    ]),
  )
}

/** Makes the windows of figures: the range, the days compared, and of both the days alike; one without days if there are none. */
function windowsOf({ compare, from, to }: InsightsRange): (like: LikeDays) => [Window, Window, Window, Window] {
  const windowOf = (first: number, last: number): Window => ({ from: first, to: last, sum: 0, count: 0, read: 0 })
  const now = { from: dayNumber(from), to: dayNumber(to) }
  const before = compare ? { from: dayNumber(compare.from), to: dayNumber(compare.to) } : { from: 0, to: -1 }
  return ({ low, high }) => [
    windowOf(now.from, now.to),
    windowOf(before.from, before.to),
    windowOf(now.from + low, now.from + high),
    windowOf(before.from + low, compare ? before.from + high : -1),
  ]
}

/** The days on which something that is added up begins, or the one after it ends. */
function cutsOf({ from, to, compare }: InsightsRange, likes: readonly LikeDays[]): string[] {
  const both = [{ from, to }, ...(compare ? [compare] : [])]
  const cuts = both.flatMap((range) => [
    range.from,
    addDays(range.to, 1),
    ...likes.flatMap(({ low, high }) => (high < low ? [] : [addDays(range.from, low), addDays(range.from, high + 1)])),
  ])
  return [...new Set(cuts)].toSorted()
}

type Read = Pick<Scope, 'range' | 'projectIds' | 'posts'>
/**
 * The rows of figures by day of this kind. With `cuts`, of days that are added up: what there is from one of these days to the next may
 * be on one day between them, and only chosen posts have when it was read.
 */
async function readRows(
  c: Reader,
  { range, projectIds, posts }: Read,
  wanted: Wanted,
  kind: RowKind,
  cuts?: readonly string[],
): Promise<PackedRow[]> {
  if (!wants(wanted, kind)) return []
  if (posts !== null && kind === 'gain') return await gainsOfPosts(c, posts, wanted, cuts ?? daysOfBoth(range))
  const { compare } = range
  const months = [...new Set([...monthsOf(range), ...(compare ? monthsOf(compare) : [])])]
  const stored = storedAs[kind]
  // what a whole month amounts to is on its first day
  const divided = cuts ? months.filter((first) => cuts.some((cut) => cut > first && cut <= endOf(first))) : months
  const packed =
    divided.length === months.length
      ? sql`m.amounts, m.counts`
      : sql`
      case when m.month = any(${divided}::date[]) then m.amounts else m.total::bytea end as amounts, case when m.month = any(${divided}::date[]) then m.counts else m.total_count::bytea end as counts`
  // looked up by the index, whatever the planner knows of the table
  const byMonth = sql`
    select ch.id as channel_id, m.name, m.month::text as first, ${packed}, ${cuts ? sql`null::bytea as read` : sql`m.read`}
    from (select id, (select array_agg(name) from w where w.of_kind = ch.of_kind) as names from ch) ch cross join lateral (
      select * from figure_month where org_id = ${c.org.orgId} and channel_id = ch.id and kind = ${stored} and name = any(ch.names) and month = any(${months}::date[]) offset 0
    ) m`
  // one statement: a fold between two would hide its lines from both
  const newLines = sql`
    select l.channel_id, l.name, l.day::text, sum(l.amount)::bigint::bytea, sum(l.n)::int::bytea, max(seconds_after(l.day, l.read_at))::bytea
    from figure_line l join ch on ch.id = l.channel_id join w on w.of_kind = ch.of_kind and w.name = l.name
    where l.org_id = ${c.org.orgId} and l.project_id = any(${projectIds}::uuid[]) and l.kind = ${stored} group by l.channel_id, l.name, l.day`
  const ofAll = stored === 'days' ? byMonth : sql`${byMonth} union all ${newLines}`
  const names = wanted.rows.map(({ name }) => name)
  const rows = posts === null || stored === 'days' ? ofAll : figuresOfPosts(c, posts, range, names, cuts)
  const found = await sql<StoredRow>`with ${wantedTables(wanted, kind)} ${rows}`.execute(c.tx)
  const numbers = new Map<string, number>()
  return found.rows.map((row) => {
    const first = numbers.get(row.first) ?? dayNumber(row.first)
    numbers.set(row.first, first)
    return { ...row, first }
  })
}

/** The first days of the months that a range touches. */
function monthsOf({ from, to }: { from: string; to: string }): string[] {
  const [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7)) - 1]
  const count = (Number(to.slice(0, 4)) - year) * 12 + Number(to.slice(5, 7)) - month
  return Array.from({ length: count }, (_, i) => new Date(Date.UTC(year, month + i, 1)).toISOString().slice(0, 10))
}

/** The last day of the month that begins on a day. */
const endOf = (first: string): string =>
  new Date(Date.UTC(Number(first.slice(0, 4)), Number(first.slice(5, 7)), 0)).toISOString().slice(0, 10)

/** Every day of the range and of the days compared, and the one after each. */
function daysOfBoth({ from, to, compare }: InsightsRange): string[] {
  const days = [{ from, to }, ...(compare ? [compare] : [])].flatMap((days) =>
    Array.from({ length: daysIn(days) + 1 }, (_, n) => addDays(days.from, n)),
  )
  return [...new Set(days)].toSorted()
}

/** When the newest of these days was read, of those that have a value. */
export function newestRead(days: readonly DayValues[]): string | null {
  let newest = 0
  for (const { counts, read } of days)
    for (const [i, at] of read.entries()) if (counts[i] !== 0 && at > newest) newest = at
  return isoOf(newest)
}

/** An instant in seconds since 1970; 0 is none. */
const isoOf = (seconds: number): string | null => (seconds === 0 ? null : new Date(seconds * 1000).toISOString())

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
