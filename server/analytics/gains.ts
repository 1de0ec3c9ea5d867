import { sql, type RawBuilder } from 'kysely'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import type { Reader, Scope } from './scope.ts'

/*
 * What posts gained between readings of their figures, by day in the project's zone, in proportion to the time between
 * two readings: the lines of `figure_day` or, of chosen posts, the same worked out from their readings. Rows: channel_id, day, name, gain, readings,
 * read_at. Lines that cancel out until the next fold have no readings in total, and then there is no figure, not a 0.
 */
export function gainsOf(c: Reader, scope: Scope, names: readonly string[]): RawBuilder<unknown> {
  const { org, project } = c
  const ids = scope.channels.map(({ channelId }) => channelId)
  if (scope.posts === null)
    return sql`(
      select f.channel_id, f.day, f.name, f.gain, f.readings, f.read_at from figure_day f
      where f.org_id = ${org.orgId} and f.project_id = any(${scope.projectIds}::uuid[]) and f.name = any(${[...names]}::text[]) and f.channel_id = any(${ids}::uuid[])
        and ${inDays(scope.range, sql`f.day`)})`
  // the reading before the range belongs to the first gain in it, so the range is chosen afterwards
  return sql`(
    select g.channel_id, d.day, g.name, d.part as gain, 1 as readings, g.read_at from (
      select p.channel_id, f.name, m.read_at, coalesce(lag(m.read_at) over w, m.since) as since,
        f.value - coalesce(lag(f.value) over w, case when m.after_gap then null else 0 end) as gain
      from measured_post p join post_metric m on m.org_id = p.org_id and m.post_id = p.id cross join lateral reported_figures(m.figures) f
      where p.org_id = ${org.orgId} and p.project_id = ${project.projectId} and p.channel_id = any(${ids}::uuid[]) and ${scope.posts} and f.name = any(${[...names]}::text[])
      window w as (partition by m.post_id, f.name order by m.read_at)
    ) g cross join lateral gain_by_day(g.since, g.read_at, g.gain, ${project.zone}) d where g.gain is not null and ${inDays(scope.range, sql`d.day`)})`
}

/** Whether a day is in the range, or in the days that it's compared with. */
const inDays = ({ from, to, compare }: InsightsRange, day: RawBuilder<unknown>): RawBuilder<boolean> =>
  compare
    ? sql`(${day} between ${from}::date and ${to}::date or ${day} between ${compare.from}::date and ${compare.to}::date)`
    : inRange({ from, to }, day)

/** Whether a day is in the range itself; of `null`, never. */
export const inRange = (days: { from: string; to: string } | null, day: RawBuilder<unknown>): RawBuilder<boolean> =>
  days ? sql`(${day} between ${days.from}::date and ${days.to}::date)` : sql`false`
