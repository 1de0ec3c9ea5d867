import { sql, type RawBuilder } from 'kysely'
import type { Reader } from './scope.ts'

type Step = { at: Date; seconds: number }

/** How far the zone's clocks are ahead of UTC from an instant on, in seconds, for each change around these days, in order. */
async function offsetsOf(
  { tx, project }: Pick<Reader, 'tx' | 'project'>,
  { from, to }: { from: string; to: string },
): Promise<Step[]> {
  const ahead = sql`extract(epoch from (t at time zone ${project.zone}) - (t at time zone 'UTC'))::int`
  // each quarter of an hour, of the days on which it changes
  const { rows } = await sql<Step>`
    with days as materialized (
      select t, ${ahead} as seconds, lead(${ahead}) over (order by t) as later from generate_series(${from}::date::timestamptz - interval '1 day', ${to}::date::timestamptz + interval '3 days', interval '1 day') t
    ), changing as (
      select q.t from days cross join lateral generate_series(days.t, days.t + interval '1 day', interval '15 minutes') q(t) where days.seconds <> days.later
    )
    (select t as at, seconds from days order by t limit 1) union all (select t, ${ahead} from changing order by t)`.execute(
    tx,
  )
  return rows.filter(({ seconds }, i) => i === 0 || seconds !== rows[i - 1]?.seconds)
}

/**
 * The hours from midnight of Monday, 5 January 1970 until an instant of these days on the zone's clocks, as an integer. Asking PostgreSQL
 * for the zone's time at each of 200,000 instants takes longer than everything else.
 */
export async function localHours(
  c: Pick<Reader, 'tx' | 'project'>,
  days: { from: string; to: string },
  instant: RawBuilder<unknown>,
): Promise<RawBuilder<number>> {
  const steps = await offsetsOf(c, days)
  const cases = steps
    .slice(0, -1)
    .map(({ seconds }, i) => sql`when ${instant} < ${steps[i + 1]?.at ?? null} then ${sql.lit(seconds)}`)
  const last = sql.lit(steps.at(-1)?.seconds ?? 0)
  const ahead = cases.length === 0 ? last : sql`case ${sql.join(cases, sql` `)} else ${last} end`
  return sql<number>`floor((date_part('epoch', ${instant}) - ${sql.lit(FIRST_MONDAY)} + ${ahead}) / 3600)::int`
}
const FIRST_MONDAY = 4 * 86_400
