import { sql, type RawBuilder } from 'kysely'
import type { FigureName } from '#contract/analytics/catalog/names.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { LEVEL_DAYS } from '#contract/analytics/growth.ts'
import { daysIn } from '../rangeDays.ts'
import { midnightsFrom, readMonths, valueOn, type DaysOfFigure } from './months.ts'
import type { DayValues } from './packedDays.ts'
import { addPair, noSums } from './ratePairs.ts'
import type { Reader, Scope } from './scope.ts'
import { wants, wantedTables, type Wanted, type WantedRow } from './wanted.ts'

/*
 * What channels' own days amount to. A day is compared if both sides have it and its value was read after it was over; days are
 * aligned by their distance from the start of their range.
 */

/** One figure of a channel by its own days, or its engagement rate, whose `whole…` are views or impressions. */
export type SeriesSums = {
  channel_id: string
  name: string
  value: number | null
  before: number | null
  days: number
  days_before: number
  like_value: number | null
  like_before: number | null
  like_days: number
  whole: number | null
  whole_before: number | null
  like_whole: number | null
  like_whole_before: number | null
  /** The last final day, counted from the first one of the range. */
  final_at: number | null
  read_at: string | null
}

/** What channels' own days amount to, of figures that add up. */
export async function readSeriesSums(
  c: Reader,
  scope: Pick<Scope, 'range' | 'projectIds'>,
  wanted: Wanted,
): Promise<SeriesSums[]> {
  const { range } = scope
  const found = await readMonths(c, { ...scope, posts: null }, wanted, 'sum')
  const rowsOf = Map.groupBy(
    wanted.rows.filter(({ kind }) => kind === 'sum'),
    ({ of }) => of,
  )
  const beginsIn = beginnings(range, wanted.rows)
  return wanted.channels.flatMap(({ id, of }) => {
    const own = found.get(id)
    if (!own) return []
    const figures = (rowsOf.get(of) ?? []).flatMap((row) => {
      const [days, begins] = [own.get(row.name), beginsIn.get(row.zone)]
      return days && begins ? [{ row, days: sideBySide(days, begins, row) }] : []
    })
    return [
      ...figures.map(({ row, days }) => ({ channel_id: id, name: row.name, ...sumsOf(days) })),
      ...rateOf(figures).map((sums) => ({ channel_id: id, name: 'engagementRate', ...sums })),
    ]
  })
}

/** When the days of each range begin, in seconds since 1970, and as many after them as values take to be final. */
type Beginnings = { now: Float64Array; before: Float64Array | null }

function beginnings({ compare, ...range }: InsightsRange, rows: readonly WantedRow[]): Map<string, Beginnings> {
  const later = Math.max(0, ...rows.map(({ delayDays }) => delayDays)) + 1
  return new Map(
    rows.map(({ zone }) => {
      const of = (days: { from: string; to: string }) => midnightsFrom(days.from, daysIn(days) + later, zone)
      return [zone, { now: of(range), before: compare && of(compare) }]
    }),
  )
}

/** A day of both sides. It's compared if both have it and it was read after it was over. */
type Day = { now: number | null; before: number | null; isLike: boolean; isFinal: boolean; read: number | null }
type Sums = Omit<SeriesSums, 'channel_id' | 'name'>

/** The days of a figure by their distance from the start of each range; null where neither has one. */
function sideBySide({ now, before }: DaysOfFigure, begins: Beginnings, { delayDays }: WantedRow): (Day | null)[] {
  const length = Math.max(now.amounts.length, before?.amounts.length ?? 0)
  const isRead = (side: DayValues | null, begin: Float64Array | null, i: number, daysLater: number) =>
    (side?.read[i] ?? 0) >= (begin?.[i + daysLater] ?? Infinity)
  return Array.from({ length }, (_, i) => {
    const [value, other] = [valueOn(now, i), valueOn(before, i)]
    if (value === null && other === null) return null
    return {
      now: value,
      before: other,
      isLike: value !== null && other !== null && isRead(now, begins.now, i, 1) && isRead(before, begins.before, i, 1),
      isFinal: value !== null && isRead(now, begins.now, i, delayDays + 1),
      read: value === null ? null : (now.read[i] ?? null),
    }
  })
}

function sumsOf(days: readonly (Day | null)[]): Sums {
  const all = days.flatMap((day) => day ?? [])
  const like = all.filter(({ isLike }) => isLike)
  return {
    value: sumOf(all, 'now'),
    before: sumOf(all, 'before'),
    days: all.filter(({ now }) => now !== null).length,
    days_before: all.filter(({ before }) => before !== null).length,
    like_value: sumOf(like, 'now'),
    like_before: sumOf(like, 'before'),
    like_days: like.length,
    whole: null,
    whole_before: null,
    like_whole: null,
    like_whole_before: null,
    final_at: lastOf(days, (day) => day.isFinal),
    read_at: newestOf(all),
  }
}

/** The sums of a channel's rate: of the days that have both of its sides. What is compared is each figure that both days have. */
function rateOf(figures: readonly { row: WantedRow; days: readonly (Day | null)[] }[]): Sums[] {
  const of = (side: WantedRow['side']) => figures.flatMap(({ row, days }) => (row.side === side ? [days] : []))
  const [parts, wholes] = [of('part'), of('whole')]
  if (parts.length === 0 || wholes.length === 0) return []
  const length = Math.max(...[...parts, ...wholes].map((days) => days.length))
  const [now, before, like, likeBefore] = [noSums(), noSums(), noSums(), noSums()]
  let finalAt: number | null = null
  for (let i = 0; i < length; i += 1) {
    const isThere = addPair(now, sumOn(parts, i, 'now'), sumOn(wholes, i, 'now'))
    addPair(before, sumOn(parts, i, 'before'), sumOn(wholes, i, 'before'))
    addPair(like, sumOn(parts, i, 'now', true), sumOn(wholes, i, 'now', true))
    addPair(likeBefore, sumOn(parts, i, 'before', true), sumOn(wholes, i, 'before', true))
    if (isThere && [...parts, ...wholes].every((days) => days[i]?.isFinal ?? true)) finalAt = i
  }
  return [
    {
      value: now.part,
      before: before.part,
      days: now.days,
      days_before: before.days,
      like_value: like.part,
      like_before: likeBefore.part,
      like_days: like.days,
      whole: now.whole,
      whole_before: before.whole,
      like_whole: like.whole,
      like_whole_before: likeBefore.whole,
      final_at: finalAt,
      read_at: null,
    },
  ]
}

/** What these figures have on a day together; null if none has a value. */
function sumOn(
  figures: readonly (readonly (Day | null)[])[],
  at: number,
  which: 'now' | 'before',
  isLike = false,
): number | null {
  let sum: number | null = null
  for (const days of figures) {
    const day = days[at]
    const value = day && (!isLike || day.isLike) ? day[which] : null
    if (value !== null) sum = (sum ?? 0) + value
  }
  return sum
}

function sumOf(days: readonly Day[], which: 'now' | 'before'): number | null {
  const known = days.flatMap((day) => day[which] ?? [])
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

function lastOf<T>(days: readonly (T | null)[], isIt: (day: T) => boolean): number | null {
  const last = days.findLastIndex((day) => day !== null && isIt(day))
  return last === -1 ? null : last
}

function newestOf(days: readonly Day[]): string | null {
  const read = Math.max(...days.map((day) => day.read ?? -Infinity))
  return Number.isFinite(read) ? new Date(read * 1000).toISOString() : null
}

/** A level's last value at or before the end of each range, at most 7 days old. */
export type Level = {
  channel_id: string
  name: FigureName
  value: number | null
  day: string | null
  before: number | null
  read_at: string | null
}
/** The levels of channels at the end of the range, and of the days compared. */
export async function readLevels(
  c: Reader,
  { range, today }: Pick<Scope, 'range' | 'today'>,
  wanted: Wanted,
): Promise<Level[]> {
  if (!wants(wanted, 'level')) return []
  const end = range.to < today ? range.to : today
  const last = (day: string | undefined): RawBuilder<unknown> =>
    day === undefined
      ? sql`(select null::bigint as value, null::date as day, null::timestamptz as read_at)`
      : sql`(select f.value, f.day, f.read_at from channel_figure f where f.org_id = ${c.org.orgId} and f.channel_id = ch.id and f.name = w.name
          and f.day between ${day}::date - ${LEVEL_DAYS}::int and ${day}::date order by f.day desc limit 1)`
  const { rows } = await sql<Level>`
    with ${wantedTables(wanted, 'level')}
    select ch.id as channel_id, w.name, l.value, l.day::text as day, b.value as before, ${iso(sql`l.read_at`)} as read_at
    from ch join w on w.of_kind = ch.of_kind left join lateral ${last(end)} l on true left join lateral ${last(range.compare?.to)} b on true
    where l.value is not null or b.value is not null`.execute(c.tx)
  return rows
}

const iso = (instant: RawBuilder<unknown>) =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
