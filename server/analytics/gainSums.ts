import { sql } from 'kysely'
import type { FigureName } from '#contract/analytics/catalog/names.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { gainsOf, inRange } from './gains.ts'
import type { Reader, Scope } from './scope.ts'
import { wants, type Wanted } from './wanted.ts'

/*
 * What posts gained in the range, added up per channel. A channel's days are covered from its first reading to its last one,
 * whether or not something was gained on them. The first one is a part of a day, and until all posts that are read once a day were
 * read after a day was over, two more days begin: so whole days are those between.
 */

/** So many days around the ranges a reading shows that they're covered: posts are read at least once a month. */
const AROUND_DAYS = 31

/** The days of a channel's first and last reading. Its whole days are from the day after the first to two days before the last. */
export type Covered = { first: string; last: string; read_at: string | null }
const DAYS_TO_BEGIN = 1
export const DAYS_TO_END = 2
export type GainSums = {
  channel_id: string
  name: FigureName
  value: number | null
  before: number | null
  like_value: number | null
  like_before: number | null
}

/** The whole days that both ranges have, counted from the start of each; none if `high` is less than `low`. */
export function wholeDays(
  { from, to, compare }: Scope['range'],
  covered: Pick<Covered, 'first' | 'last'>,
): { low: number; high: number } {
  if (!compare) return { low: 0, high: -1 }
  const [first, last] = [addDays(covered.first, DAYS_TO_BEGIN), addDays(covered.last, -DAYS_TO_END)]
  const offset = (start: string, day: string) => daysIn({ from: start, to: day }) - 1
  return {
    low: Math.max(0, offset(from, first), offset(compare.from, first)),
    high: Math.min(offset(from, last), offset(compare.from, last), daysIn({ from, to }) - 1, daysIn(compare) - 1),
  }
}

/** What posts gained, per channel and figure, and which days of each channel are covered. */
export async function readGainSums(
  c: Reader,
  scope: Scope,
  wanted: Wanted,
): Promise<{ covered: Map<string, Covered>; sums: GainSums[] }> {
  if (!wants(wanted, 'gain')) return { covered: new Map(), sums: [] }
  const covered = await readCovered(c, scope)
  const { range } = scope
  const names = [...new Set(wanted.rows.filter(({ kind }) => kind === 'gain').map(({ name }) => name))]
  const [now, before] = [inRange(range, sql`g.day`), inRange(range.compare, sql`g.day`)]
  const whole = [...covered].map(([id, days]) => ({ id, ...wholeDays(range, days) }))
  const like = (first: string) => sql`g.day - ${first}::date between v.low and v.high`
  // lines are added up before anything is joined to them: how many there are is what the planner knows least
  const { rows } = await sql<GainSums>`
    with g as materialized (
      select l.channel_id, l.name, l.day, sum(l.gain) as gain, sum(l.readings) as readings from ${gainsOf(c, scope, names)} l group by l.channel_id, l.name, l.day
    )
    select g.channel_id, g.name, case when sum(g.readings) filter (where ${now}) > 0 then (sum(g.gain) filter (where ${now}))::bigint end as value,
      case when sum(g.readings) filter (where ${before}) > 0 then (sum(g.gain) filter (where ${before}))::bigint end as before,
      coalesce(sum(g.gain) filter (where ${now} and ${like(range.from)}), 0)::bigint as like_value,
      coalesce(sum(g.gain) filter (where ${before} and ${like(range.compare?.from ?? range.from)}), 0)::bigint as like_before
    from g left join unnest(${whole.map(({ id }) => id)}::uuid[], ${whole.map(({ low }) => low)}::int[], ${whole.map(({ high }) => high)}::int[]) v(id, low, high) on v.id = g.channel_id
    group by g.channel_id, g.name`.execute(c.tx)
  return { covered, sums: rows }
}

/** From which reading to which each channel's days are covered. */
async function readCovered({ tx, org }: Reader, { range, channels, projectIds }: Scope): Promise<Map<string, Covered>> {
  const { from, to, compare } = range
  const [start, end] = [
    compare && compare.from < from ? compare.from : from,
    compare && compare.to > to ? compare.to : to,
  ]
  const { rows } = await sql<Covered & { channel_id: string }>`
    with readings as (
      select f.channel_id, f.day, max(f.read_at) as read_at from figure_day f
      where f.org_id = ${org.orgId} and f.project_id = any(${projectIds}::uuid[]) and f.name = 'readings' and f.channel_id = any(${channels.map(({ channelId }) => channelId)}::uuid[])
        and f.day between ${addDays(start, -AROUND_DAYS)}::date and ${addDays(end, AROUND_DAYS)}::date
      group by f.channel_id, f.day having sum(f.readings) > 0
    )
    select channel_id, min(day)::text as first, max(day)::text as last,
      to_char(max(read_at) filter (where ${inRange(range, sql`day`)}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as read_at
    from readings group by channel_id`.execute(tx)
  return new Map(rows.map(({ channel_id: id, ...covered }) => [id, covered]))
}
