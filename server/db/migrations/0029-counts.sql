/*
 * The counts of posts (0025) by statement instead of by row: a batch of outcomes, a series or an import adds its lines in
 * one insert, and the moves of one kind are one line. `gone` are the rows that a statement replaced or took away, `come`
 * those that it wrote.
 */
drop trigger count_new_post on post;
drop trigger count_lost_post on post;
drop trigger count_moved_post on post;
drop function count_posts();

create function count_new_posts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform hold_days(c.project_id, false) from (select distinct project_id from come order by 1) c;
  insert into post_count (org_id, project_id, channel_id, author_id, day, state, n)
  select c.org_id, c.project_id, c.channel_id, case when c.channel_id is null then c.author_id end, (c.shown_at at time zone p.zone)::date, c.state, count(*)
  from come c join project p on p.org_id = c.org_id and p.id = c.project_id group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;

create function count_lost_posts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform hold_days(g.project_id, false) from (select distinct project_id from gone order by 1) g;
  -- a project that is being deleted takes its lines along
  insert into post_count (org_id, project_id, channel_id, author_id, day, state, n)
  select g.org_id, g.project_id, g.channel_id, case when g.channel_id is null then g.author_id end, (g.shown_at at time zone p.zone)::date, g.state, -count(*)
  from gone g join project p on p.org_id = g.org_id and p.id = g.project_id group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;

create function count_moved_posts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform hold_days(m.project_id, false)
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

revoke all on function count_new_posts, count_lost_posts, count_moved_posts from public;
create trigger count_new_posts after insert on post referencing new table as come for each statement execute function count_new_posts();
create trigger count_lost_posts after delete on post referencing old table as gone for each statement execute function count_lost_posts();
create trigger count_moved_posts after update on post referencing old table as gone new table as come for each statement execute function count_moved_posts();
