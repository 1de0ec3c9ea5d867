import { sql, type RawBuilder } from 'kysely'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import type { Reader } from './scope.ts'

/**
 * What chosen posts gained, worked out from their readings as `figure_line` counts all posts', by day in the project's zone, for
 * the tables `ch` and `w` (wanted.ts). `posts` is a condition on the measured post `p`.
 */
export function gainsOfPosts(
  { org, project }: Reader,
  posts: RawBuilder<boolean>,
  range: InsightsRange,
): RawBuilder<unknown> {
  // the reading before the range belongs to the first gain in it, so the range is chosen afterwards
  return sql`
    select g.channel_id, g.name, d.day::text as first, sum(d.part)::text as amounts, count(*)::text as counts, max(seconds_after(d.day, g.read_at))::text as read from (
      select p.channel_id, f.name, m.read_at, coalesce(lag(m.read_at) over by_reading, m.since) as since,
        f.value - coalesce(lag(f.value) over by_reading, case when m.after_gap then null else 0 end) as gain
      from ch join measured_post p on p.org_id = ${org.orgId} and p.channel_id = ch.id join w on w.of_kind = ch.of_kind join post_metric m on m.org_id = p.org_id and m.post_id = p.id
        cross join lateral reported_figures(m.figures) f
      where p.project_id = ${project.projectId} and ${posts} and f.name = w.name
      window by_reading as (partition by m.post_id, f.name order by m.read_at)
    ) g cross join lateral gain_by_day(g.since, g.read_at, g.gain, ${project.zone}) d where g.gain is not null and ${inDays(range, sql`d.day`)}
    group by g.channel_id, g.name, d.day`
}

/** Whether a day is in the range, or in the days that it's compared with. */
const inDays = ({ from, to, compare }: InsightsRange, day: RawBuilder<unknown>): RawBuilder<boolean> =>
  compare
    ? sql`(${day} between ${from}::date and ${to}::date or ${day} between ${compare.from}::date and ${compare.to}::date)`
    : sql`(${day} between ${from}::date and ${to}::date)`
