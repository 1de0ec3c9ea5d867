-- Counts everything of a project again: after its time zone or the zone data changed.
create or replace function recount_project(org uuid, project uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_days(project, true);
  delete from post_count c where c.org_id = org and c.project_id = project;
  insert into post_count (org_id, project_id, channel_id, author_id, day, state, n, folded)
  select p.org_id, p.project_id, p.channel_id, case when p.channel_id is null then p.author_id end, (p.shown_at at time zone pr.zone)::date, p.state, count(*), true
  from post p join project pr on pr.org_id = p.org_id and pr.id = p.project_id
  where p.org_id = org and p.project_id = project group by p.org_id, p.project_id, p.channel_id, 4, 5, p.state;
  -- first the lines: a fold that runs at the same time has them, and its months are there once it's over
  delete from figure_line l where l.org_id = org and l.project_id = project;
  delete from figure_month m where m.org_id = org and m.kind in ('gains', 'posts') and m.channel_id in (select c.id from channel c where c.org_id = org and c.project_id = project);
  insert into figure_month (org_id, channel_id, kind, name, month, amounts, counts, read, total, total_count)
  with readings as (
    select m.*, p.channel_id, pr.zone
    from measured_post p join project pr on pr.org_id = p.org_id and pr.id = p.project_id join post_metric m on m.org_id = p.org_id and m.post_id = p.id
    where p.org_id = org and p.project_id = project
  ),
  gains as materialized (
    select v.channel_id, v.zone, coalesce(v.before_at, v.since) as since, v.read_at, v.name, v.value - coalesce(v.before, 0) as gain
    from (
      select r.*, f.name, f.value, lag(f.value) over w as before, lag(r.read_at) over w as before_at
      from readings r cross join lateral reported_figures(r.figures) f window w as (partition by r.post_id, f.name order by r.read_at)
    ) v
    where v.before is not null or not v.after_gap
    union all select r.channel_id, r.zone, null, r.read_at, 'readings', 1 from readings r
  ), days as materialized (
    select s.read_at, coalesce(s.since, 'infinity') as since, d.* from (select distinct zone, read_at, since from gains) s cross join lateral days_of_span(s.since, s.read_at, s.zone) d
  ), by_day as (
    select 'gains' as kind, g.channel_id, d.day, g.name, nullif(sum(part_of(g.gain, d.low, d.high, d.length)), 0)::bigint as amount, count(*)::int as n, max(g.read_at) as read_at
    from gains g join days d on d.read_at = g.read_at and d.since = coalesce(g.since, 'infinity') group by g.channel_id, d.day, g.name
    -- clicks keep the days of the zone in which they were counted
    union all
    select 'gains', p.channel_id, c.day, c.name, nullif(sum(c.told), 0)::bigint, count(*)::int, 'epoch'
    from measured_post p join post_click c on c.org_id = p.org_id and c.post_id = p.id where p.org_id = org and p.project_id = project and c.told > 0 group by 2, 3, 4
    union all
    select 'posts', f.channel_id, (f.shown_at at time zone pr.zone)::date, v.name, nullif(sum(v.amount), 0)::bigint, count(*)::int, coalesce(max(f.read_at), 'epoch')
    from post_figure f join project pr on pr.org_id = f.org_id and pr.id = f.project_id cross join lateral added_by_post(f.name, f.value, f.part, f.whole) v
    where f.org_id = org and f.project_id = project group by 2, 3, 4
  )
  select org, b.channel_id, b.kind, b.name, date_trunc('month', b.day)::date, packed(array_agg(extract(day from b.day)::int), array_agg(b.amount)),
    packed(array_agg(extract(day from b.day)::int), array_agg(b.n), 0), packed(array_agg(extract(day from b.day)::int), array_agg(seconds_after(b.day, b.read_at)), never_read()), coalesce(sum(b.amount), 0), sum(b.n)
  from by_day b group by b.kind, b.channel_id, b.name, date_trunc('month', b.day);
end $$;
revoke all on function recount_project from public;

create or replace function recount_days() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform recount_project(new.org_id, new.id);
  return null;
end $$;
revoke all on function recount_days from public;
create or replace trigger recount_days after update of zone on project
  for each row when (old.zone <> new.zone) execute function recount_days();
