import { sql } from 'kysely'
import type { FigureName } from '#contract/analytics/catalog/names.ts'
import { addDays } from '../rangeDays.ts'
import { gainsOf, inRange } from './gains.ts'
import type { Reader, Scope } from './scope.ts'
import { wants, wantedTables, type Wanted } from './wanted.ts'

/*
 * What posts gained in the range, added up per channel. A channel's days are covered from its first reading to its last one,
 * whether or not something was gained on them. The first one is a part of a day, and until all posts that are read once a day were
 * read after a day was over, two more days begin: so whole days are those between.
 */

/** So many days around the ranges a reading shows that they're covered: posts are read at least once a month. */
const AROUND_DAYS = 31

/** The days of a channel's first and last reading. Its whole days are from the day after the first to two days before the last. */
export type Covered = { first: string; last: string; read_at: string | null }
export const [DAYS_TO_BEGIN, DAYS_TO_END] = [1, 2] as const
export type GainSums = {
  channel_id: string
  name: FigureName
  value: number | null
  before: number | null
  like_value: number | null
  like_before: number | null
}

/** What posts gained, per channel and figure, and which days of each channel are covered. */
export async function readGainSums(
  c: Reader,
  scope: Scope,
  wanted: Wanted,
): Promise<{ covered: Map<string, Covered>; sums: GainSums[] }> {
  if (!wants(wanted, 'gain')) return { covered: new Map(), sums: [] }
  const { org } = c
  const { range } = scope
  const { compare } = range
  const [from, compareFrom] = [range.from, compare?.from ?? range.from]
  const start = compareFrom < from ? compareFrom : from
  const end = compare && compare.to > range.to ? compare.to : range.to
  const names = [...new Set(wanted.rows.filter(({ kind }) => kind === 'gain').map(({ name }) => name))]
  const [now, before] = [inRange(range, sql`g.day`), inRange(compare, sql`g.day`)]
  const like = (first: string) => sql`g.day - ${first}::date between v.low and v.high`
  const { rows } = await sql<Omit<GainSums, 'name'> & Covered & { name: FigureName | 'readings' }>`
    with ${wantedTables(wanted, 'gain')},
    readings as (
      select f.channel_id, f.day, max(f.read_at) as read_at from figure_day f
      where f.org_id = ${org.orgId} and f.project_id = any(${scope.projectIds}::uuid[]) and f.name = 'readings' and f.channel_id in (select id from ch)
        and f.day between ${addDays(start, -AROUND_DAYS)}::date and ${addDays(end, AROUND_DAYS)}::date
      group by f.channel_id, f.day having sum(f.readings) > 0
    ), spans as (
      select channel_id, min(day) as first, max(day) as last, max(read_at) filter (where ${inRange(range, sql`day`)}) as read_at
      from readings group by channel_id
    ), covered as materialized (
      select *, greatest(first + ${DAYS_TO_BEGIN}::int - ${from}::date, first + ${DAYS_TO_BEGIN}::int - ${compareFrom}::date, 0) as low,
        least(last - ${DAYS_TO_END}::int - ${from}::date, last - ${DAYS_TO_END}::int - ${compareFrom}::date, ${range.to}::date - ${from}::date, ${compare?.to ?? range.to}::date - ${compareFrom}::date) as high
      from spans
    )
    select g.channel_id, g.name, case when sum(g.readings) filter (where ${now}) > 0 then (sum(g.gain) filter (where ${now}))::bigint end as value,
      case when sum(g.readings) filter (where ${before}) > 0 then (sum(g.gain) filter (where ${before}))::bigint end as before,
      coalesce(sum(g.gain) filter (where ${now} and ${like(from)}), 0)::bigint as like_value, coalesce(sum(g.gain) filter (where ${before} and ${like(compareFrom)}), 0)::bigint as like_before,
      null::text as first, null::text as last, null::text as read_at
    from ${gainsOf(c, scope, names)} g join ch on ch.id = g.channel_id join w on w.of_kind = ch.of_kind and w.name = g.name left join covered v on v.channel_id = g.channel_id
    group by g.channel_id, g.name
    union all
    select channel_id, 'readings', null, null, null, null, first::text, last::text, to_char(read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from covered`.execute(
    c.tx,
  )
  return {
    covered: new Map(
      rows.flatMap(({ channel_id: id, name, first, last, read_at: readAt }) =>
        name === 'readings' ? [[id, { first, last, read_at: readAt }] as const] : [],
      ),
    ),
    sums: rows.flatMap(({ name, ...row }) => (name === 'readings' ? [] : [{ ...row, name }])),
  }
}
