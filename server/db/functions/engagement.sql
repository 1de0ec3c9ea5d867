-- Keeps `engagement`: what posts gained from one reading of their figures to the next.

-- The figures that a platform reported, one row each.
create or replace function reported_figures(figures jsonb) returns table (name text, value bigint)
language sql immutable as $$
  select f.name, f.value
  from (values ('impressions', (figures ->> 'impressions')::bigint), ('reactions', (figures ->> 'reactions')::bigint), ('comments', (figures ->> 'comments')::bigint), ('shares', (figures ->> 'shares')::bigint)) f(name, value)
  where f.value is not null
$$;

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
      create or replace function count_engagement_%1$s() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $body$
      begin
        if not exists (select from %2$s c) and not exists (select from %3$s g) then
          return null;
        end if;
        perform lock_days(q.project_id, false) from (select distinct p.project_id from (select org_id, post_id from %2$s c union select org_id, post_id from %3$s g) t join post p on p.org_id = t.org_id and p.id = t.post_id order by 1) q;
        insert into engagement (org_id, project_id, channel_id, day, impressions, reactions, comments, shares, readings, read_at)
        with touched as materialized (select org_id, post_id from %2$s c union select org_id, post_id from %3$s g),
        present as (select m.* from post_metric m join touched t on t.org_id = m.org_id and t.post_id = m.post_id),
        sides as (
          select 1 as sign, a.* from present a
          union all select -1, a.* from present a where not exists (select from %2$s c where c.org_id = a.org_id and c.post_id = a.post_id and c.day = a.day)
          union all select -1, g.* from %3$s g
        ),
        gains as (
          select s.sign, s.org_id, s.post_id, s.read_at, f.name, f.value - coalesce(lag(f.value) over (partition by s.sign, s.org_id, s.post_id, f.name order by s.day), 0) as gain
          from sides s cross join lateral reported_figures(s.figures) f
          union all select s.sign, s.org_id, s.post_id, s.read_at, 'readings', 1 from sides s
        )
        select p.org_id, p.project_id, p.channel_id, (g.read_at at time zone pr.zone)::date,
          sum(g.sign * g.gain) filter (where g.name = 'impressions'), sum(g.sign * g.gain) filter (where g.name = 'reactions'),
          sum(g.sign * g.gain) filter (where g.name = 'comments'), sum(g.sign * g.gain) filter (where g.name = 'shares'),
          coalesce(sum(g.sign * g.gain) filter (where g.name = 'readings'), 0), max(g.read_at)
        from gains g join post p on p.org_id = g.org_id and p.id = g.post_id join project pr on pr.org_id = p.org_id and pr.id = p.project_id
        where p.channel_id is not null
        group by p.org_id, p.project_id, p.channel_id, 4
        having max(g.read_at) filter (where g.sign = 1) is distinct from max(g.read_at) filter (where g.sign = -1)
          or coalesce(sum(g.sign * g.gain) filter (where g.name = 'readings'), 0) <> 0
          or coalesce(sum(g.sign * g.gain) filter (where g.name = 'impressions'), 0) <> 0 or coalesce(sum(g.sign * g.gain) filter (where g.name = 'reactions'), 0) <> 0
          or coalesce(sum(g.sign * g.gain) filter (where g.name = 'comments'), 0) <> 0 or coalesce(sum(g.sign * g.gain) filter (where g.name = 'shares'), 0) <> 0;
        return null;
      end $body$
    $make$, kind.what, kind.come, kind.gone);
    execute format('revoke all on function count_engagement_%s from public', kind.what);
    execute format('create or replace trigger count_engagement_%1$s after %1$s on post_metric %2$s for each statement execute function count_engagement_%1$s()', kind.what, kind.names);
  end loop;
end $do$;
