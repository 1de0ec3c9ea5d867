-- Writes the lines of `figure_line` of kind `gains`: what posts gained from one reading of their figures to the next.

-- The figures of a reading that add up, one row each. The names are those of the contract's catalog: a test compares them.
create or replace function reported_figures(figures jsonb) returns table (name text, value bigint)
language sql immutable as $$
  select f.key, f.value::bigint from jsonb_each_text(figures) f
  where f.value is not null and f.key = any ('{views,impressions,videoViews,interactions,reactions,likes,loves,laughs,wows,sads,angers,comments,shares,reposts,quotes,sends,saves,clicks,linkClicks,navigation,watchSeconds,followersGained,profileViews}')
$$;

-- When a day begins in a zone: at the first of its midnights, where the clock goes back to 00:00 at 01:00.
create or replace function day_begins(day date, zone text) returns timestamptz
language sql immutable as $$
  select case when (((day::timestamp at time zone zone) - interval '1 hour') at time zone zone)::date = day then (day::timestamp at time zone zone) - interval '1 hour' else day::timestamp at time zone zone end
$$;

/*
 * The days between two readings, and which part of the time between them each has, from `low` to `high` of `length`: of a gain,
 * the day has `part_of` it. So a gain is divided in proportion to the time, in whole numbers whose sum is the gain. Without
 * `since`, all of it belongs to the day of the later reading. Over more than 100 days nobody can say when it was gained, so it
 * belongs to none. Once per pair of readings: the figures of a reading have the same days.
 */
create or replace function days_of_span(since timestamptz, until timestamptz, zone text) returns table (day date, low numeric, high numeric, length numeric)
language sql stable as $$
  select d.day, case when d.first = d.last then 0 else greatest(d.starts - d.began, 0) end, case when d.first = d.last then 1 else least(d.ends - d.began, d.length) end, case when d.first = d.last then 1 else d.length end
  from (
    select (s.first + n) as day, s.first, s.last, extract(epoch from s.began) as began, extract(epoch from until - s.began) as length,
      extract(epoch from day_begins(s.first + n, zone)) as starts, extract(epoch from day_begins(s.first + n + 1, zone)) as ends
    from (select b.began, (b.began at time zone zone)::date as first, (until at time zone zone)::date as last from (select least(coalesce(since, until), until) as began) b) s
      cross join lateral generate_series(0, s.last - s.first) n
    where s.last - s.first <= 100
  ) d
$$;
create or replace function part_of(gain bigint, low numeric, high numeric, length numeric) returns bigint
language sql immutable as $$ select div(gain * high, length)::bigint - div(gain * low, length)::bigint $$;

/*
 * Per statement, because a reading also changes what the next one gained: what the readings of the touched posts amount to
 * now, minus what they amounted to before. `come` are the rows that a statement wrote, `gone` those that it replaced or
 * deleted. Insert, update and delete each have only some of the two, so the same function is made three times.
 */
do $do$
declare
  kind record;
begin
  for kind in select * from (values
    ('insert', 'referencing new table as come', 'come', '(select * from come limit 0)'),
    ('update', 'referencing old table as gone new table as come', 'come', 'gone'),
    ('delete', 'referencing old table as gone', '(select * from gone limit 0)', 'gone')) k(what, names, come, gone)
  loop
    execute format($make$
      create or replace function count_figures_%1$s() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $body$
      begin
        if not exists (select from %2$s c) and not exists (select from %3$s g) then
          return null;
        end if;
        perform lock_days(q.project_id, false) from (select distinct p.project_id from (select org_id, post_id from %2$s c union select org_id, post_id from %3$s g) t join measured_post p on p.org_id = t.org_id and p.id = t.post_id order by 1) q;
        insert into figure_line (org_id, project_id, channel_id, kind, day, name, amount, n, read_at)
        with changed as materialized (select * from %2$s c union all select * from %3$s g),
        -- each post's place is looked up once, and its readings through the index, whatever the planner knows of the tables
        firsts as materialized (
          select t.*, p.project_id, p.channel_id, pr.zone
          from (select org_id, post_id, min(read_at) as first from changed group by org_id, post_id) t
            cross join lateral (select project_id, channel_id from measured_post where org_id = t.org_id and id = t.post_id offset 0) p
            cross join lateral (select zone from project where org_id = t.org_id and id = p.project_id offset 0) pr
        ),
        named as (
          select k.org_id, k.post_id, array_agg(distinct k.name) as names from (
            select c.org_id, c.post_id, f.name from changed c cross join lateral jsonb_object_keys(jsonb_strip_nulls(c.figures)) f(name)
            union all
            select t.org_id, t.post_id, f.name from firsts t
              cross join lateral (select figures from post_metric where org_id = t.org_id and post_id = t.post_id and read_at >= t.first offset 0) m
              cross join lateral jsonb_object_keys(jsonb_strip_nulls(m.figures)) f(name)
          ) k group by k.org_id, k.post_id
        ),
        -- `low`: the reading before the first changed one that has all figures. Earlier ones don't matter
        touched as materialized (
          select t.*, (
            select o.read_at from post_metric o
            where o.org_id = t.org_id and o.post_id = t.post_id and o.read_at < t.first and jsonb_strip_nulls(o.figures) ?& coalesce(n.names, '{}')
            order by o.read_at desc limit 1
          ) as low
          from firsts t left join named n on n.org_id = t.org_id and n.post_id = t.post_id
        ),
        present as (
          select m.*, t.first, t.project_id, t.channel_id, t.zone from touched t
            cross join lateral (select * from post_metric where org_id = t.org_id and post_id = t.post_id and read_at >= coalesce(t.low, '-infinity') offset 0) m
        ),
        former as (select g.*, t.first, t.project_id, t.channel_id, t.zone from %3$s g join touched t on t.org_id = g.org_id and t.post_id = g.post_id),
        sides as (
          select 1 as sign, a.* from present a
          union all select -1, a.* from present a where not exists (select from %2$s c where c.org_id = a.org_id and c.post_id = a.post_id and c.read_at = a.read_at)
          union all select -1, g.* from former g
        ),
        gains as materialized (
          select r.sign, r.org_id, r.project_id, r.channel_id, r.zone, coalesce(r.before_at, r.since) as since, r.read_at, r.name, r.value - coalesce(r.before, 0) as gain
          from (
            select s.*, f.name, f.value, lag(f.value) over w as before, lag(s.read_at) over w as before_at
            from sides s cross join lateral reported_figures(s.figures) f window w as (partition by s.sign, s.org_id, s.post_id, f.name order by s.read_at)
          ) r
          where r.read_at >= r.first and (r.before is not null or not r.after_gap)
          union all select s.sign, s.org_id, s.project_id, s.channel_id, s.zone, null, s.read_at, 'readings', 1 from sides s where s.read_at >= s.first
        ),
        days as materialized (
          select s.zone, s.read_at, coalesce(s.since, 'infinity') as since, d.* from (select distinct zone, read_at, since from gains) s cross join lateral days_of_span(s.since, s.read_at, s.zone) d
        )
        select g.org_id, g.project_id, g.channel_id, 'gains', d.day, g.name, sum(g.sign * part_of(g.gain, d.low, d.high, d.length)), sum(g.sign), max(g.read_at)
        from gains g join days d on d.zone = g.zone and d.read_at = g.read_at and d.since = coalesce(g.since, 'infinity')
        group by g.org_id, g.project_id, g.channel_id, d.day, g.name
        having sum(g.sign) <> 0 or sum(g.sign * part_of(g.gain, d.low, d.high, d.length)) <> 0
          or (g.name = 'readings' and max(g.read_at) filter (where g.sign = 1) is distinct from max(g.read_at) filter (where g.sign = -1));
        return null;
      end $body$
    $make$, kind.what, kind.come, kind.gone);
    execute format('revoke all on function count_figures_%s from public', kind.what);
    execute format('create or replace trigger count_figures_%1$s after %1$s on post_metric %2$s for each statement execute function count_figures_%1$s()', kind.what, kind.names);
  end loop;
end $do$;
