import { sql, type RawBuilder } from 'kysely'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { publishedIn } from './postFigures.ts'
import type { Reader } from './scope.ts'

/*
 * The rows of months.ts for chosen posts, such as those of a campaign: what `figure_month` has of all posts, worked out from the
 * posts themselves. For the tables `ch` and `w` (wanted.ts); `posts` is a query of the posts' IDs.
 */

/**
 * What they gained from each of these days to the next one, in the project's zone; what they gained from the last one on is left out.
 * Of each post's readings, those since the first day, and of each figure in them the one before: what it gained began there. A gain is
 * divided as `days_of_span` does it for single days.
 */
export function gainsOfPosts(
  { org, project }: Reader,
  posts: RawBuilder<unknown>,
  days: readonly string[],
): RawBuilder<unknown> {
  const midnight = (day: RawBuilder<unknown>) => sql`day_begins(${day}::date, ${project.zone})`
  const start = midnight(sql`${days[0]}`)
  const readings = sql`post_metric where org_id = ${org.orgId} and post_id = p.id`
  const [length, low, high] = ['g.read_at', 'd.at[k.nth]', 'd.at[k.nth + 1]'].map(
    (until) => sql`extract(epoch from ${sql.raw(until)} - g.began)`,
  )
  const part = sql`part_of(g.gain, greatest(${low}, 0), least(${high}, ${length}), ${length})`
  return sql`
    select g.channel_id, g.name, d.days[k.nth]::text as first, sum(case when b.low = b.high then g.gain else ${part} end)::bigint::bytea as amounts, count(*)::int::bytea as counts, max(seconds_after(d.days[k.nth], g.read_at))::bytea as read
    from (
      select days, array(select ${midnight(sql`day`)} from unnest(days) with ordinality n(day, nth) order by nth) as at from (select ${[...days]}::date[] as days) d offset 0
    ) d cross join lateral (
      select p.channel_id, g.name, g.gain, g.read_at, least(coalesce(g.since, g.read_at), g.read_at) as began
      from (${posts}) chosen(id)
        cross join lateral (
          select p.id, p.channel_id from measured_post p where p.org_id = ${org.orgId} and p.id = chosen.id and p.project_id = ${project.projectId} and exists (select from ${readings} and read_at >= ${start}) offset 0
        ) p join (select id, (select array_agg(name) from w where w.of_kind = ch.of_kind) as names from ch) ch on ch.id = p.channel_id
        cross join lateral (
          with told as materialized (
            select n.nth, n.name, (m.figures ->> n.name)::bigint as value, m.read_at, m.since, m.after_gap
            from (select * from ${readings} and read_at >= ${start} offset 0) m cross join lateral unnest(ch.names) with ordinality n(name, nth) where m.figures ->> n.name is not null
          ), known as (
            select * from told
            union all select n.nth, n.name, b.value, b.read_at, null, false from (select distinct nth, name from told) n cross join lateral (
              select (figures -> n.name)::bigint as value, read_at from ${readings} and read_at < ${start} and figures ->> n.name is not null order by read_at desc limit 1
            ) b
          )
          select name, read_at, coalesce(lag(read_at) over by_reading, since) as since, value - coalesce(lag(value) over by_reading, case when after_gap then null else 0 end) as gain
          from known window by_reading as (partition by nth order by read_at)
        ) g
      where g.gain is not null and g.read_at >= ${start}
    ) g cross join lateral (select width_bucket(g.began, d.at) as low, width_bucket(g.read_at, d.at) as high offset 0) b cross join lateral generate_series(greatest(b.low, 1), least(b.high, cardinality(d.days) - 1)) k(nth)
    where g.read_at - g.began < interval '99 days' or (g.read_at at time zone ${project.zone})::date - (g.began at time zone ${project.zone})::date <= 100
    group by g.channel_id, g.name, d.days, k.nth`
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
