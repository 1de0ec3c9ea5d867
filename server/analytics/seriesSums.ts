import { sql, type RawBuilder } from 'kysely'
import type { FigureName } from '#contract/analytics/catalog/names.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { midnightOf, readMonths, valueOn, type DaysOfFigure, type DayValues } from './months.ts'
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
  return wanted.channels.flatMap(({ id, of }) => {
    const own = found.get(id)
    if (!own) return []
    const figures = (rowsOf.get(of) ?? []).flatMap((row) => {
      const days = own.get(row.name)
      return days ? [{ row, days: sideBySide(days, range, row) }] : []
    })
    return [
      ...figures.map(({ row, days }) => ({ channel_id: id, name: row.name, ...sumsOf(days) })),
      ...rateOf(figures).map((sums) => ({ channel_id: id, name: 'engagementRate', ...sums })),
    ]
  })
}

/** A day of both sides. It's compared if both have it and it was read after it was over. */
type Day = { now: number | null; before: number | null; isLike: boolean; isFinal: boolean; read: number | null }
type Sums = Omit<SeriesSums, 'channel_id' | 'name'>

/** The days of a figure by their distance from the start of each range; null where neither has one. */
function sideBySide({ now, before }: DaysOfFigure, range: InsightsRange, row: WantedRow): (Day | null)[] {
  const length = Math.max(now.amounts.length, before?.amounts.length ?? 0)
  const isAfter = (side: DayValues | null, from: string | undefined, i: number, days: number) =>
    side !== null && from !== undefined && (side.read[i] ?? 0) >= midnightOf(from, i + days, row.zone)
  return Array.from({ length }, (_, i) => {
    const [value, other] = [valueOn(now, i), valueOn(before, i)]
    if (value === null && other === null) return null
    return {
      now: value,
      before: other,
      isLike:
        value !== null &&
        other !== null &&
        isAfter(now, range.from, i, 1) &&
        isAfter(before, range.compare?.from, i, 1),
      isFinal: value !== null && isAfter(now, range.from, i, row.delayDays + 1),
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
  const sides = figures.filter(({ row }) => row.side !== null)
  if (sides.length === 0) return []
  const length = Math.max(...sides.map(({ days }) => days.length))
  const days = Array.from({ length }, (_, i) => {
    const of = (side: WantedRow['side'], isLike = false) =>
      sides.flatMap(({ row, days: all }) => {
        const day = row.side === side ? all[i] : null
        return day && (!isLike || day.isLike) ? [day] : []
      })
    const pair = (which: 'now' | 'before', isLike = false) => {
      const [part, whole] = [sumOf(of('part', isLike), which), sumOf(of('whole', isLike), which)]
      return part === null || whole === null ? null : { part, whole }
    }
    return {
      now: pair('now'),
      before: pair('before'),
      like: pair('now', true),
      likeBefore: pair('before', true),
      isFinal: [...of('part'), ...of('whole')].every(({ isFinal }) => isFinal),
    }
  })
  const added = (which: 'now' | 'before' | 'like' | 'likeBefore') => {
    const pairs = days.flatMap((day) => day[which] ?? [])
    if (pairs.length === 0) return { part: null, whole: null, days: 0 }
    return {
      part: pairs.reduce((sum, { part }) => sum + part, 0),
      whole: pairs.reduce((sum, { whole }) => sum + whole, 0),
      days: pairs.length,
    }
  }
  const [now, before, like, likeBefore] = [added('now'), added('before'), added('like'), added('likeBefore')]
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
      final_at: lastOf(days, ({ now: pair, isFinal }) => pair !== null && isFinal),
      read_at: null,
    },
  ]
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
/** How old a level may be, in days. */
export const LEVEL_DAYS = 7

/** The levels of channels at the end of the range, and of the days compared. */
export async function readLevels(
  c: Reader,
  { range }: Pick<Scope, 'range'>,
  today: string,
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
