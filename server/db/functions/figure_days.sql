-- Keeps `figure_day`: what posts gained from one reading of their figures to the next.

-- The figures of a reading that add up, one row each. The names are those of the contract's catalog: a test compares them.
create or replace function reported_figures(figures jsonb) returns table (name text, value bigint)
language sql immutable as $$
  select f.key, f.value::bigint from jsonb_each_text(figures) f
  where f.value is not null and f.key = any ('{views,impressions,videoViews,interactions,reactions,likes,loves,laughs,wows,sads,angers,comments,shares,reposts,quotes,sends,saves,clicks,linkClicks,navigation,watchSeconds,followersGained,profileViews}')
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
      create or replace function count_figures_%1$s() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $body$
      begin
        if not exists (select from %2$s c) and not exists (select from %3$s g) then
          return null;
        end if;
        perform lock_days(q.project_id, false) from (select distinct p.project_id from (select org_id, post_id from %2$s c union select org_id, post_id from %3$s g) t join measured_post p on p.org_id = t.org_id and p.id = t.post_id order by 1) q;
        insert into figure_day (org_id, project_id, channel_id, day, name, gain, readings, read_at)
        with touched as materialized (select org_id, post_id from %2$s c union select org_id, post_id from %3$s g),
        present as (select m.* from post_metric m join touched t on t.org_id = m.org_id and t.post_id = m.post_id),
        sides as (
          select 1 as sign, a.* from present a
          union all select -1, a.* from present a where not exists (select from %2$s c where c.org_id = a.org_id and c.post_id = a.post_id and c.day = a.day)
          union all select -1, g.* from %3$s g
        ),
        gains as (
          select r.sign, r.org_id, r.post_id, r.read_at, r.name, r.value - coalesce(r.before, 0) as gain
          from (
            select s.*, f.name, f.value, lag(f.value) over (partition by s.sign, s.org_id, s.post_id, f.name order by s.day) as before
            from sides s cross join lateral reported_figures(s.figures) f
          ) r
          where r.before is not null or not r.after_gap
          union all select s.sign, s.org_id, s.post_id, s.read_at, 'readings', 1 from sides s
        )
        select p.org_id, p.project_id, p.channel_id, (g.read_at at time zone pr.zone)::date, g.name, sum(g.sign * g.gain), sum(g.sign), max(g.read_at)
        from gains g join measured_post p on p.org_id = g.org_id and p.id = g.post_id join project pr on pr.org_id = p.org_id and pr.id = p.project_id
        group by p.org_id, p.project_id, p.channel_id, 4, g.name
        having sum(g.sign) <> 0 or sum(g.sign * g.gain) <> 0
          or (g.name = 'readings' and max(g.read_at) filter (where g.sign = 1) is distinct from max(g.read_at) filter (where g.sign = -1));
        return null;
      end $body$
    $make$, kind.what, kind.come, kind.gone);
    execute format('revoke all on function count_figures_%s from public', kind.what);
    execute format('create or replace trigger count_figures_%1$s after %1$s on post_metric %2$s for each statement execute function count_figures_%1$s()', kind.what, kind.names);
  end loop;
end $do$;
