import { sql, type RawBuilder } from 'kysely'
import { engagementFigures, type Range } from '#contract/dashboard.ts'
import { iso } from '../posts/rowJson.ts'
import type { Asker, JsonRow } from './counts.ts'

const within = (from: string, to: string): RawBuilder<boolean> => sql`e.day between ${from}::date and ${to}::date`
const list = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(parts)

/** The reply of dashboardBrandEngagement, from the rows of `engagement`. */
export function brandEngagementJson(c: Asker, range: Range): RawBuilder<JsonRow> {
  const scope = c.project.channelIds && [...c.project.channelIds]
  // names of the contract's own list, never of a request
  const figures = engagementFigures.map((name) => ({ name, column: sql.raw(name) }))
  return sql<JsonRow>`
    with gained as materialized (
      select * from engagement e where e.org_id = ${c.org.orgId} and e.project_id = ${c.project.projectId} and ${within(range.compareFrom, range.to)}
        ${scope ? sql`and e.channel_id = any(${scope}::uuid[])` : sql``}
    ), totals as (
      select f.name, f.value, f.before from (select ${list(
        figures.flatMap(({ name, column }) => [
          sql`sum(e.${column}) filter (where ${within(range.from, range.to)}) as ${sql.raw(`${name}_now`)}`,
          sql`sum(e.${column}) filter (where ${within(range.compareFrom, range.compareTo)}) as ${sql.raw(`${name}_before`)}`,
        ]),
      )} from gained e) t cross join lateral (values ${list(figures.map(({ name }) => sql`(${sql.lit(name)}, t.${sql.raw(`${name}_now`)}, t.${sql.raw(`${name}_before`)})`))}) f(name, value, before)
    )
    select json_build_object('range', ${JSON.stringify(range)}::json,
      'totals', (select json_object_agg(t.name, json_build_object('value', t.value, 'before', t.before, 'changePercent', round((t.value - t.before) * 100 / nullif(abs(t.before), 0), 2))) from totals t),
      'days', (select json_agg(r order by r.date) from (
        select d::date as date, ${list(figures.map(({ name, column }) => sql`coalesce(sum(e.${column}), 0) as ${sql.raw(name)}`))}
        from generate_series(${range.from}::date, ${range.to}::date, interval '1 day') d left join gained e on e.day = d::date group by d) r),
      'readings', (select coalesce(sum(e.readings), 0) from gained e where ${within(range.from, range.to)}),
      'asOf', (select ${iso('max(e.read_at)')} from gained e where ${within(range.from, range.to)} and e.readings > 0))::text as json`
}
