import { sql, type RawBuilder } from 'kysely'
import type { FigureName } from '#contract/analytics/catalog/names.ts'
import type { Reader, Scope } from './scope.ts'
import { wants, wantedTables, type Wanted } from './wanted.ts'

/*
 * Channels' own days, added up in the database: only one row per channel and figure leaves it. A day is compared if both sides
 * have it and its value was read after it was over; days are aligned by their distance from the start of their range.
 */

/** One figure of a channel by its own days, or its engagement rate, whose `whole…` are views or impressions. */
export type SeriesSums = {
  channel_id: string
  name: FigureName | 'engagementRate'
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
  { range }: Pick<Scope, 'range'>,
  wanted: Wanted,
): Promise<SeriesSums[]> {
  if (!wants(wanted, 'sum')) return []
  const { compare } = range
  const hasRate = wanted.rows.some(({ side, kind }) => side !== null && kind === 'sum')
  const sides = sql`(values (false, ${range.from}::date, ${range.to}::date)${compare ? sql`, (true, ${compare.from}::date, ${compare.to}::date)` : sql``}) s(is_before, first, last)`
  const { rows } = await sql<SeriesSums>`
    with ${wantedTables(wanted, 'sum')},
    reported as (
      select ch.id as channel_id, f.name, w.side, s.is_before, f.day - s.first as at, f.value, f.read_at, (f.read_at at time zone w.zone)::date - f.day as age, w.delay
      from ch join w on w.of_kind = ch.of_kind cross join ${sides}
        join channel_figure f on f.org_id = ${c.org.orgId} and f.channel_id = ch.id and f.name = w.name and f.day between s.first and s.last
    ), by_day as materialized (
      select channel_id, name, side, at, sum(value) filter (where not is_before) as now, sum(value) filter (where is_before) as before,
        ${compare ? sql`count(*) = 2 and min(age) > 0` : sql`false`} as is_like,
        max(read_at) filter (where not is_before) as read_at, bool_or(not is_before and age > delay) as is_final
      from reported group by channel_id, name, side, at
    )${hasRate ? sql`, ${rateByDay}` : sql``}
    select channel_id, name, sum(now)::bigint as value, sum(before)::bigint as before, count(now)::int as days, count(before)::int as days_before,
      (sum(now) filter (where is_like))::bigint as like_value, (sum(before) filter (where is_like))::bigint as like_before, (count(*) filter (where is_like))::int as like_days,
      null::bigint as whole, null::bigint as whole_before, null::bigint as like_whole, null::bigint as like_whole_before,
      max(at) filter (where is_final) as final_at, ${iso(sql`max(read_at)`)} as read_at
    from by_day group by channel_id, name
    ${hasRate ? sql`union all ${rates}` : sql``}`.execute(c.tx)
  return rows
}

/** Both sides of the rate by day. What is compared is each of its figures that both days have. */
const rateByDay = sql`
  rate_day as (
    select channel_id, at, sum(now) filter (where side = 'part') as part, sum(now) filter (where side = 'whole') as whole,
      sum(before) filter (where side = 'part') as part_before, sum(before) filter (where side = 'whole') as whole_before,
      sum(now) filter (where side = 'part' and is_like) as like_part, sum(now) filter (where side = 'whole' and is_like) as like_whole,
      sum(before) filter (where side = 'part' and is_like) as like_part_before, sum(before) filter (where side = 'whole' and is_like) as like_whole_before,
      bool_and(is_final) as is_final
    from by_day where side is not null group by channel_id, at
  )`
const [hasNow, hadBefore, isLike] = [
  sql`part is not null and whole is not null`,
  sql`part_before is not null and whole_before is not null`,
  sql`like_part is not null and like_whole is not null`,
]
const rates = sql`
  select channel_id, 'engagementRate', (sum(part) filter (where ${hasNow}))::bigint, (sum(part_before) filter (where ${hadBefore}))::bigint,
    (count(*) filter (where ${hasNow}))::int, (count(*) filter (where ${hadBefore}))::int,
    (sum(like_part) filter (where ${isLike}))::bigint, (sum(like_part_before) filter (where ${isLike}))::bigint, (count(*) filter (where ${isLike}))::int,
    (sum(whole) filter (where ${hasNow}))::bigint, (sum(whole_before) filter (where ${hadBefore}))::bigint,
    (sum(like_whole) filter (where ${isLike}))::bigint, (sum(like_whole_before) filter (where ${isLike}))::bigint,
    max(at) filter (where is_final and ${hasNow}), null::text
  from rate_day group by channel_id`

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
