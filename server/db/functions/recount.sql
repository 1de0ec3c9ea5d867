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
  delete from figure_day f where f.org_id = org and f.project_id = project;
  insert into figure_day (org_id, project_id, channel_id, day, name, gain, readings, read_at, folded)
  with readings as (
    select m.*, p.channel_id, pr.zone
    from measured_post p join project pr on pr.org_id = p.org_id and pr.id = p.project_id join post_metric m on m.org_id = p.org_id and m.post_id = p.id
    where p.org_id = org and p.project_id = project
  ),
  gains as (
    select v.channel_id, v.zone, coalesce(v.before_at, v.since) as since, v.read_at, v.name, v.value - coalesce(v.before, 0) as gain
    from (
      select r.*, f.name, f.value, lag(f.value) over w as before, lag(r.read_at) over w as before_at
      from readings r cross join lateral reported_figures(r.figures) f window w as (partition by r.post_id, f.name order by r.read_at)
    ) v
    where v.before is not null or not v.after_gap
    union all select r.channel_id, r.zone, null, r.read_at, 'readings', 1 from readings r
  )
  select org, project, g.channel_id, d.day, g.name, sum(d.part), count(*), max(g.read_at), true
  from gains g cross join lateral gain_by_day(g.since, g.read_at, g.gain, g.zone) d group by g.channel_id, d.day, g.name;
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
