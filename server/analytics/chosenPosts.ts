import { sql, type RawBuilder } from 'kysely'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { publishedIn } from './postFigures.ts'
import type { Reader } from './scope.ts'

/*
 * The rows of months.ts for chosen posts, such as those of a campaign: what `figure_month` has of all posts, worked out from the
 * posts themselves. For the tables `ch` and `w` (wanted.ts); `posts` is a query of the posts' IDs.
 */

/**
 * What they gained by day, in the project's zone. Of each post's readings, those since the start, and the one before that has all
 * figures that these report: what the first one of them gained began there.
 */
export function gainsOfPosts(
  { org, project }: Reader,
  posts: RawBuilder<unknown>,
  range: InsightsRange,
): RawBuilder<unknown> {
  const { from, to, compare } = range
  const midnight = (day: string, days: number) =>
    sql`((${day}::date + ${days}::int)::timestamp at time zone ${project.zone})`
  const start = midnight(compare && compare.from < from ? compare.from : from, 0)
  const end = midnight(compare && compare.to > to ? compare.to : to, 1)
  const readings = sql`post_metric where org_id = p.org_id and post_id = p.id`
  return sql`
    select g.channel_id, g.name, g.day::text as first, sum(part_of(g.gain, g.low, g.high, g.length))::bigint::bytea as amounts, count(*)::int::bytea as counts, max(seconds_after(g.day, g.read_at))::bytea as read
    from (
      with gains as materialized (
        select g.* from (
          select p.channel_id, f.name, m.read_at, coalesce(lag(m.read_at) over by_reading, m.since) as since,
            f.value - coalesce(lag(f.value) over by_reading, case when m.after_gap then null else 0 end) as gain
          from (
            select p.org_id, p.id, p.channel_id, ch.of_kind, (
              select o.read_at from (
                select array_agg(distinct k.name) as names from (select figures from ${readings} and read_at >= ${start} offset 0) r cross join lateral jsonb_object_keys(r.figures) k(name)
              ) n cross join lateral (select read_at, figures from ${readings} and read_at < ${start} order by read_at desc offset 0) o
              where jsonb_strip_nulls(o.figures) ?& n.names limit 1
            ) as low
            from ch join measured_post p on p.org_id = ${org.orgId} and p.channel_id = ch.id
            where p.project_id = ${project.projectId} and p.id in (${posts}) and exists (select from ${readings} and read_at >= ${start})
            offset 0
          ) p
            cross join lateral (select post_id, figures, read_at, since, after_gap from ${readings} and read_at >= coalesce(p.low, '-infinity') offset 0) m
            cross join lateral reported_figures(m.figures) f
            join w on w.of_kind = p.of_kind and w.name = f.name
          window by_reading as (partition by m.post_id, f.name order by m.read_at)
        ) g where g.gain is not null and g.read_at >= ${start} and (g.since is null or g.since < ${end} or g.since > g.read_at)
      ), days as materialized (
        select s.read_at, coalesce(s.since, 'infinity') as since, d.* from (select distinct read_at, since from gains) s cross join lateral days_of_span(s.since, s.read_at, ${project.zone}) d where ${inDays(range, sql`d.day`)}
      )
      select g.channel_id, g.name, g.gain, g.read_at, d.day, d.low, d.high, d.length from gains g join days d on d.read_at = g.read_at and d.since = coalesce(g.since, 'infinity')
    ) g group by g.channel_id, g.name, g.day`
}

/** Their figures to date, by the day that they were published on in the project's zone. */
export function figuresOfPosts(
  c: Reader,
  posts: RawBuilder<unknown>,
  range: InsightsRange,
  names: readonly string[],
): RawBuilder<unknown> {
  const { org, project } = c
  const isIn = (days: { from: string; to: string }) => publishedIn(days, project.zone, sql`f.shown_at`)
  return sql`
    select f.channel_id, v.name, f.day::text as first, sum(v.amount)::bigint::bytea as amounts, count(*)::int::bytea as counts, coalesce(max(seconds_after(f.day, f.read_at)), 0)::bytea as read
    from (
      select f.channel_id, (f.shown_at at time zone ${project.zone})::date as day, f.read_at, f.figures || '{"published":1}' as figures
      from (${posts}) chosen(id) join post_figure f on f.post_id = chosen.id
      where f.org_id = ${org.orgId} and f.project_id = ${project.projectId} and f.name = 'published' and f.channel_id in (select id from ch) and (${isIn(range)} ${range.compare ? sql`or ${isIn(range.compare)}` : sql``})
    ) f cross join lateral (select name, (f.figures -> name)::bigint as amount from unnest(${[...names]}::text[]) name where f.figures ? name) v
    group by f.channel_id, f.day, v.name`
}

/** Whether a day is in the range, or in the days that it's compared with. */
const inDays = ({ from, to, compare }: InsightsRange, day: RawBuilder<unknown>): RawBuilder<boolean> =>
  compare
    ? sql`(${day} between ${from}::date and ${to}::date or ${day} between ${compare.from}::date and ${compare.to}::date)`
    : sql`(${day} between ${from}::date and ${to}::date)`
