import { sql, type RawBuilder } from 'kysely'
import type { FigureName } from '#contract/analytics/catalog/names.ts'
import { engagementFigures, type EngagementFigure, type Range } from '#contract/dashboard.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { iso } from '../posts/rowJson.ts'
import type { Asker, JsonRow } from './counts.ts'

const within = (from: string, to: string): RawBuilder<boolean> => sql`f.day between ${from}::date and ${to}::date`
const list = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(parts)

/** The figures that each of Brand Engagement's is made of: some platforms count views, others impressions. */
const madeOf: Record<EngagementFigure, readonly FigureName[]> = {
  impressions: ['views', 'impressions'],
  reactions: ['reactions'],
  comments: ['comments'],
  shares: ['shares'],
}

/**
 * The reply of dashboardBrandEngagement, from `figure_day`, without the channels of platforms whose terms forbid adding their
 * figures to others (`apart`).
 */
export function brandEngagementJson(c: Asker, range: Range, apart: readonly PlatformKey[]): RawBuilder<JsonRow> {
  const scope = c.project.channelIds && [...c.project.channelIds]
  const names = engagementFigures.flatMap((figure) => madeOf[figure])
  // names of the contract's own list, never of a request
  const figures = engagementFigures.map((name) => ({ name, of: sql`f.name = any(${[...madeOf[name]]}::text[])` }))
  return sql<JsonRow>`
    with gained as materialized (
      select f.* from figure_day f where f.org_id = ${c.org.orgId} and f.project_id = ${c.project.projectId} and f.name = any(${[...names, 'readings']}::text[]) and ${within(range.compareFrom, range.to)}
        ${scope ? sql`and f.channel_id = any(${scope}::uuid[])` : sql``}
        ${apart.length > 0 ? sql`and f.channel_id <> all(array(select ch.id from channel ch where ch.org_id = ${c.org.orgId} and ch.platform = any(${[...apart]}::text[])))` : sql``}
    ), totals as (
      select n.name, t.value, t.before from (values ${list(figures.map(({ name }) => sql`(${sql.lit(name)})`))}) n(name)
      cross join lateral (
        select sum(f.gain) filter (where ${within(range.from, range.to)}) as value, sum(f.gain) filter (where ${within(range.compareFrom, range.compareTo)}) as before
        from gained f where (${sql.join(
          figures.map(({ name, of }) => sql`(n.name = ${sql.lit(name)} and ${of})`),
          sql` or `,
        )})
      ) t
    )
    select json_build_object('range', ${JSON.stringify(range)}::json,
      'totals', (select json_object_agg(t.name, json_build_object('value', t.value, 'before', t.before, 'changePercent', round((t.value - t.before) * 100 / nullif(abs(t.before), 0), 2))) from totals t),
      'days', (select json_agg(r order by r.date) from (
        select d::date as date, ${list(figures.map(({ name, of }) => sql`coalesce(sum(f.gain) filter (where ${of}), 0) as ${sql.raw(name)}`))}
        from generate_series(${range.from}::date, ${range.to}::date, interval '1 day') d left join gained f on f.day = d::date group by d) r),
      'readings', (select coalesce(sum(f.gain), 0) from gained f where f.name = 'readings' and ${within(range.from, range.to)}),
      'asOf', (select ${iso('max(f.read_at)')} from gained f where f.name = 'readings' and ${within(range.from, range.to)} and f.readings > 0))::text as json`
}
