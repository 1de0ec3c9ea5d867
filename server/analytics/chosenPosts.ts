import { sql, type RawBuilder } from 'kysely'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { publishedIn } from './postFigures.ts'
import type { Reader } from './scope.ts'

/*
 * The rows of months.ts for chosen posts, such as those of a campaign: what `figure_month` has of all posts, worked out from the
 * posts themselves. For the tables `ch` and `w` (wanted.ts); `posts` is a condition on the measured post `p`.
 */

/** What they gained by day, in the project's zone. */
export function gainsOfPosts(
  { org, project }: Reader,
  posts: RawBuilder<boolean>,
  range: InsightsRange,
): RawBuilder<unknown> {
  // the reading before the range belongs to the first gain in it, so the range is chosen afterwards
  return sql`
    select g.channel_id, g.name, d.day::text as first, array_send(array[sum(d.part)::bigint]) as amounts, array_send(array[count(*)::int]) as counts, array_send(array[max(seconds_after(d.day, g.read_at))]) as read from (
      select p.channel_id, f.name, m.read_at, coalesce(lag(m.read_at) over by_reading, m.since) as since,
        f.value - coalesce(lag(f.value) over by_reading, case when m.after_gap then null else 0 end) as gain
      from ch join measured_post p on p.org_id = ${org.orgId} and p.channel_id = ch.id join w on w.of_kind = ch.of_kind join post_metric m on m.org_id = p.org_id and m.post_id = p.id
        cross join lateral reported_figures(m.figures) f
      where p.project_id = ${project.projectId} and ${posts} and f.name = w.name
      window by_reading as (partition by m.post_id, f.name order by m.read_at)
    ) g cross join lateral gain_by_day(g.since, g.read_at, g.gain, ${project.zone}) d where g.gain is not null and ${inDays(range, sql`d.day`)}
    group by g.channel_id, g.name, d.day`
}

/** Their figures to date, by the day that they were published on in the project's zone. */
export function figuresOfPosts(
  { org, project }: Reader,
  posts: RawBuilder<boolean>,
  { compare, ...range }: InsightsRange,
): RawBuilder<unknown> {
  const isIn = (days: { from: string; to: string }) => publishedIn(days, project.zone, sql`f.shown_at`)
  return sql`
    select f.channel_id, f.name, f.day::text as first, array_send(array[sum(f.amount)::bigint]) as amounts, array_send(array[count(*)::int]) as counts,
      array_send(array[coalesce(max(seconds_after(f.day, f.read_at)), 0)]) as read
    from (
      select f.channel_id, v.name, (f.shown_at at time zone ${project.zone})::date as day, v.amount, f.read_at
      from ch join post_figure f on f.org_id = ${org.orgId} and f.channel_id = ch.id cross join lateral added_by_post(f.name, f.value, f.part, f.whole) v join w on w.name = v.name and w.of_kind = ch.of_kind
      where f.project_id = ${project.projectId} and (${isIn(range)} ${compare ? sql`or ${isIn(compare)}` : sql``})
        and exists (select from measured_post p where p.org_id = f.org_id and p.id = f.post_id and ${posts})
    ) f group by f.channel_id, f.name, f.day`
}

/** Whether a day is in the range, or in the days that it's compared with. */
const inDays = ({ from, to, compare }: InsightsRange, day: RawBuilder<unknown>): RawBuilder<boolean> =>
  compare
    ? sql`(${day} between ${from}::date and ${to}::date or ${day} between ${compare.from}::date and ${compare.to}::date)`
    : sql`(${day} between ${from}::date and ${to}::date)`
