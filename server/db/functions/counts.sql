/*
 * Keeps the dashboard's counts (`post_count`) in step with posts, in the transaction of the change: -1 for what a row was,
 * +1 for what it is now. Per statement instead of per row: a batch of outcomes, a series or an import adds its lines in one
 * insert, and equal changes are one line. `gone` are the rows that a statement replaced or deleted, `come` those it wrote.
 */

-- Changes of a project's posts and figures run side by side; recounting the project waits for them, and they for it.
create or replace function lock_days(project uuid, alone boolean) returns void
language sql set search_path = public, pg_temp as $$
  select case when alone then pg_advisory_xact_lock(25, hashtext(project::text)) else pg_advisory_xact_lock_shared(25, hashtext(project::text)) end
$$;

create or replace function count_new_posts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_days(c.project_id, false) from (select distinct project_id from come order by 1) c;
  insert into post_count (org_id, project_id, channel_id, author_id, day, state, n)
  select c.org_id, c.project_id, c.channel_id, case when c.channel_id is null then c.author_id end, (c.shown_at at time zone p.zone)::date, c.state, count(*)
  from come c join project p on p.org_id = c.org_id and p.id = c.project_id group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;
revoke all on function count_new_posts from public;
create or replace trigger count_new_posts after insert on post
  referencing new table as come for each statement execute function count_new_posts();

create or replace function count_lost_posts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_days(g.project_id, false) from (select distinct project_id from gone order by 1) g;
  -- the lines of a project that is being deleted are deleted with it
  insert into post_count (org_id, project_id, channel_id, author_id, day, state, n)
  select g.org_id, g.project_id, g.channel_id, case when g.channel_id is null then g.author_id end, (g.shown_at at time zone p.zone)::date, g.state, -count(*)
  from gone g join project p on p.org_id = g.org_id and p.id = g.project_id group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;
revoke all on function count_lost_posts from public;
create or replace trigger count_lost_posts after delete on post
  referencing old table as gone for each statement execute function count_lost_posts();

create or replace function count_moved_posts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_days(m.project_id, false)
  from (
    select distinct c.project_id from gone g join come c on c.org_id = g.org_id and c.id = g.id
    where g.state <> c.state or g.shown_at <> c.shown_at or g.channel_id is distinct from c.channel_id or (c.channel_id is null and g.author_id <> c.author_id) order by 1
  ) m;
  if not found then return null; end if;
  insert into post_count (org_id, project_id, channel_id, author_id, day, state, n)
  select m.org_id, m.project_id, v.channel_id, case when v.channel_id is null then v.author_id end, (v.shown_at at time zone p.zone)::date, v.state, sum(v.n)
  from (
    select c.org_id, c.project_id, g.channel_id as old_channel, g.author_id as old_author, g.shown_at as old_shown, g.state as old_state, c.channel_id, c.author_id, c.shown_at, c.state
    from gone g join come c on c.org_id = g.org_id and c.id = g.id
    where g.state <> c.state or g.shown_at <> c.shown_at or g.channel_id is distinct from c.channel_id or (c.channel_id is null and g.author_id <> c.author_id)
  ) m
  cross join lateral (values (m.old_channel, m.old_author, m.old_shown, m.old_state, -1), (m.channel_id, m.author_id, m.shown_at, m.state, 1)) v(channel_id, author_id, shown_at, state, n)
  join project p on p.org_id = m.org_id and p.id = m.project_id
  group by 1, 2, 3, 4, 5, 6 having sum(v.n) <> 0;
  return null;
end $$;
revoke all on function count_moved_posts from public;
create or replace trigger count_moved_posts after update on post
  referencing old table as gone new table as come for each statement execute function count_moved_posts();

-- Runs after the deletion of the project's posts, whose triggers come first by name, so that it sees all lines.
create or replace function forget_counts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from post_count where org_id = old.org_id and project_id = old.id;
  delete from figure_line where org_id = old.org_id and project_id = old.id;
  return null;
end $$;
revoke all on function forget_counts from public;
create or replace trigger forget_counts after delete on project for each row execute function forget_counts();
