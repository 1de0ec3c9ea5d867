/*
 * Keeps the counts of the inbox (`inbox_count`) in step with conversations and with what people have read of them, in the
 * transaction of the change: a line for what was and what is now. Nobody waits for anyone else's lines: a job adds them up
 * (server/inbox/foldCounts.ts). What someone has read counts against what was received last, so whoever changes one of the two
 * has the conversation's row locked until the commit.
 */

-- Changes of a project's inbox run side by side; recounting it and adding up its lines wait for each other.
create or replace function lock_inbox_counts(project uuid, alone boolean) returns void
language sql set search_path = public, pg_temp as $$
  select case when alone then pg_advisory_xact_lock(30, hashtext(project::text)) else pg_advisory_xact_lock_shared(30, hashtext(project::text)) end
$$;
revoke all on function lock_inbox_counts from public;

-- The day of an instant, since 1970 and in UTC.
create or replace function inbox_day_of(at timestamptz) returns int
language sql immutable parallel safe as $$ select floor(extract(epoch from at) / 86400)::int $$;

-- Adds lines: conversations as they were are taken away, as they are now are added. `readers`: with what people have read of them.
create or replace function count_inbox(gone conversation[], come conversation[], readers boolean) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_inbox_counts(c.project_id, false) from (select distinct project_id from unnest(gone || come) order by 1) c;
  insert into inbox_count (org_id, project_id, person_id, channel_id, kind, open, received, unassigned, waiting, follow_up, mine, seen)
  with changed as materialized (
    select -1 as sign, g.org_id, g.id, g.project_id, g.channel_id, g.kind, g.status, g.assignee_id, g.waiting_since, g.last_received_at from unnest(gone) g where g.status <> 'CLOSED'
    union all
    select 1, c.org_id, c.id, c.project_id, c.channel_id, c.kind, c.status, c.assignee_id, c.waiting_since, c.last_received_at from unnest(come) c where c.status <> 'CLOSED'
  )
  select l.org_id, l.project_id, l.person_id, l.channel_id, l.kind, sum(l.open), sum(l.received), sum(l.unassigned), sum(l.waiting), sum(l.follow_up), sum(l.mine), sum(l.seen)
  from (
    select org_id, project_id, null::uuid as person_id, channel_id, kind, case when status = 'OPEN' then sign else 0 end as open,
      case when status = 'OPEN' and last_received_at is not null then sign else 0 end as received, case when status = 'OPEN' and assignee_id is null then sign else 0 end as unassigned,
      case when waiting_since is not null then sign else 0 end as waiting, case when status = 'FOLLOWUP' then sign else 0 end as follow_up, 0 as mine, 0 as seen
    from changed
    union all
    select org_id, project_id, assignee_id, channel_id, kind, 0, 0, 0, 0, 0, sign, 0 from changed where status = 'OPEN' and assignee_id is not null
    union all
    select c.org_id, c.project_id, r.person_id, c.channel_id, c.kind, 0, 0, 0, 0, 0, 0, c.sign
    from changed c join conversation_read r on r.org_id = c.org_id and r.conversation_id = c.id where readers and c.status = 'OPEN' and r.up_to >= c.last_received_at
  ) l
  -- the lines of a project that is being deleted are deleted with it
  join project p on p.org_id = l.org_id and p.id = l.project_id
  group by 1, 2, 3, 4, 5
  having (sum(l.open), sum(l.received), sum(l.unassigned), sum(l.waiting), sum(l.follow_up), sum(l.mine), sum(l.seen)) <> (0, 0, 0, 0, 0, 0, 0);
  insert into inbox_day (org_id, project_id, person_id, channel_id, status, day, n)
  with changed as materialized (
    select -1 as sign, g.org_id, g.id, g.project_id, g.channel_id, g.status, inbox_day_of(g.last_at) as day, g.last_received_at from unnest(gone) g where g.last_received_at is not null
    union all
    select 1, c.org_id, c.id, c.project_id, c.channel_id, c.status, inbox_day_of(c.last_at), c.last_received_at from unnest(come) c where c.last_received_at is not null
  )
  select l.org_id, l.project_id, l.person_id, l.channel_id, l.status, l.day, sum(l.sign)
  from (
    select org_id, project_id, null::uuid as person_id, channel_id, status, day, sign from changed
    union all
    select c.org_id, c.project_id, r.person_id, c.channel_id, c.status, c.day, c.sign
    from changed c join conversation_read r on r.org_id = c.org_id and r.conversation_id = c.id where readers and r.up_to >= c.last_received_at
  ) l join project p on p.org_id = l.org_id and p.id = l.project_id
  group by 1, 2, 3, 4, 5, 6 having sum(l.sign) <> 0;
end $$;
revoke all on function count_inbox from public;

create or replace function count_conversations() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  was conversation[] := '{}';
  is_now conversation[] := '{}';
begin
  if tg_op = 'INSERT' then
    select array_agg(c) into is_now from come c;
  elsif tg_op = 'DELETE' then
    select array_agg(g) into was from gone g;
  else
    select array_agg(g), array_agg(c) into was, is_now from gone g join come c on c.org_id = g.org_id and c.id = g.id
    where (g.status, g.assignee_id, g.waiting_since is null, g.last_received_at, inbox_day_of(g.last_at), g.project_id, g.channel_id, g.kind)
      is distinct from (c.status, c.assignee_id, c.waiting_since is null, c.last_received_at, inbox_day_of(c.last_at), c.project_id, c.channel_id, c.kind);
  end if;
  if coalesce(cardinality(was), 0) + coalesce(cardinality(is_now), 0) > 0 then
    perform count_inbox(coalesce(was, '{}'), coalesce(is_now, '{}'), tg_op = 'UPDATE');
  end if;
  return null;
end $$;
revoke all on function count_conversations from public;
create or replace trigger count_new after insert on conversation
  referencing new table as come for each statement execute function count_conversations();
create or replace trigger count_gone after delete on conversation
  referencing old table as gone for each statement execute function count_conversations();
create or replace trigger count_changed after update on conversation
  referencing old table as gone new table as come for each statement execute function count_conversations();

-- What people have read of a conversation is deleted with it, so it's taken away before.
create or replace function count_readers_of_gone() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_inbox_counts(old.project_id, false);
  insert into inbox_count (org_id, project_id, person_id, channel_id, kind, seen)
  select r.org_id, p.id, r.person_id, old.channel_id, old.kind, -1
  from conversation_read r join project p on p.org_id = r.org_id and p.id = old.project_id
  where old.status = 'OPEN' and r.org_id = old.org_id and r.conversation_id = old.id and r.up_to >= old.last_received_at;
  insert into inbox_day (org_id, project_id, person_id, channel_id, status, day, n)
  select r.org_id, p.id, r.person_id, old.channel_id, old.status, inbox_day_of(old.last_at), -1
  from conversation_read r join project p on p.org_id = r.org_id and p.id = old.project_id
  where r.org_id = old.org_id and r.conversation_id = old.id and r.up_to >= old.last_received_at;
  return old;
end $$;
revoke all on function count_readers_of_gone from public;
create or replace trigger count_readers_of_gone before delete on conversation
  for each row when (old.last_received_at is not null) execute function count_readers_of_gone();

create or replace function count_reads() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  was conversation_read[] := '{}';
  is_now conversation_read[] := '{}';
begin
  if tg_op <> 'INSERT' then
    select coalesce(array_agg(g), '{}') into was from gone g;
  end if;
  if tg_op <> 'DELETE' then
    select coalesce(array_agg(c), '{}') into is_now from come c;
  end if;
  if cardinality(was) + cardinality(is_now) = 0 then
    return null;
  end if;
  -- what is being received in them is there after this, or comes after the commit
  perform from conversation c where (c.org_id, c.id) in (select r.org_id, r.conversation_id from unnest(was || is_now) r) order by c.id for share;
  perform lock_inbox_counts(p.project_id, false)
  from (select distinct c.project_id from unnest(was || is_now) r join conversation c on c.org_id = r.org_id and c.id = r.conversation_id order by 1) p;
  insert into inbox_count (org_id, project_id, person_id, channel_id, kind, seen)
  select c.org_id, c.project_id, r.person_id, c.channel_id, c.kind, sum(r.sign)
  from (select -1 as sign, g.* from unnest(was) g union all select 1, n.* from unnest(is_now) n) r
  join conversation c on c.org_id = r.org_id and c.id = r.conversation_id
  join project p on p.org_id = c.org_id and p.id = c.project_id
  where c.status = 'OPEN' and r.up_to >= c.last_received_at
  group by 1, 2, 3, 4, 5 having sum(r.sign) <> 0;
  insert into inbox_day (org_id, project_id, person_id, channel_id, status, day, n)
  select c.org_id, c.project_id, r.person_id, c.channel_id, c.status, inbox_day_of(c.last_at), sum(r.sign)
  from (select -1 as sign, g.* from unnest(was) g union all select 1, n.* from unnest(is_now) n) r
  join conversation c on c.org_id = r.org_id and c.id = r.conversation_id
  join project p on p.org_id = c.org_id and p.id = c.project_id
  where r.up_to >= c.last_received_at
  group by 1, 2, 3, 4, 5, 6 having sum(r.sign) <> 0;
  return null;
end $$;
revoke all on function count_reads from public;
create or replace trigger count_read after insert on conversation_read
  referencing new table as come for each statement execute function count_reads();
create or replace trigger count_unread after delete on conversation_read
  referencing old table as gone for each statement execute function count_reads();
create or replace trigger count_reread after update on conversation_read
  referencing old table as gone new table as come for each statement execute function count_reads();

-- Runs after the deletion of the project's conversations, whose triggers come first by name, so that it sees all lines.
create or replace function forget_inbox_counts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from inbox_count where org_id = old.org_id and project_id = old.id;
  delete from inbox_day where org_id = old.org_id and project_id = old.id;
  return null;
end $$;
revoke all on function forget_inbox_counts from public;
create or replace trigger forget_inbox_counts after delete on project for each row execute function forget_inbox_counts();

-- What the lines of a project should add up to, counted. For recounting, and for comparing.
create or replace function counted_inbox(org uuid, project uuid)
returns table (person_id uuid, channel_id uuid, kind text, open int, received int, unassigned int, waiting int, follow_up int, mine int, seen int)
language sql stable security definer set search_path = public, pg_temp as $$
  select l.person_id, l.channel_id, l.kind, sum(l.open), sum(l.received), sum(l.unassigned), sum(l.waiting), sum(l.follow_up), sum(l.mine), sum(l.seen)
  from (
    select null::uuid as person_id, c.channel_id, c.kind, (c.status = 'OPEN')::int as open, (c.status = 'OPEN' and c.last_received_at is not null)::int as received,
      (c.status = 'OPEN' and c.assignee_id is null)::int as unassigned, (c.waiting_since is not null)::int as waiting, (c.status = 'FOLLOWUP')::int as follow_up, 0 as mine, 0 as seen
    from conversation c where c.org_id = org and c.project_id = project and c.status <> 'CLOSED'
    union all
    select c.assignee_id, c.channel_id, c.kind, 0, 0, 0, 0, 0, 1, 0
    from conversation c where c.org_id = org and c.project_id = project and c.status = 'OPEN' and c.assignee_id is not null
    union all
    select r.person_id, c.channel_id, c.kind, 0, 0, 0, 0, 0, 0, 1
    from conversation c join conversation_read r on r.org_id = c.org_id and r.conversation_id = c.id
    where c.org_id = org and c.project_id = project and c.status = 'OPEN' and r.up_to >= c.last_received_at
  ) l group by 1, 2, 3
$$;
revoke all on function counted_inbox from public;

create or replace function counted_inbox_days(org uuid, project uuid)
returns table (person_id uuid, channel_id uuid, status text, day int, n int)
language sql stable security definer set search_path = public, pg_temp as $$
  select null::uuid, c.channel_id, c.status, inbox_day_of(c.last_at), count(*)
  from conversation c where c.org_id = org and c.project_id = project and c.last_received_at is not null group by 2, 3, 4
  union all
  select r.person_id, c.channel_id, c.status, inbox_day_of(c.last_at), count(*)
  from conversation c join conversation_read r on r.org_id = c.org_id and r.conversation_id = c.id
  where c.org_id = org and c.project_id = project and r.up_to >= c.last_received_at group by 1, 2, 3, 4
$$;
revoke all on function counted_inbox_days from public;

-- Counts a project's inbox again, should its lines ever be wrong.
create or replace function recount_inbox(org uuid, project uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_inbox_counts(project, true);
  delete from inbox_count c where c.org_id = org and c.project_id = project;
  insert into inbox_count (org_id, project_id, person_id, channel_id, kind, open, received, unassigned, waiting, follow_up, mine, seen, folded)
  select org, project, n.person_id, n.channel_id, n.kind, n.open, n.received, n.unassigned, n.waiting, n.follow_up, n.mine, n.seen, true from counted_inbox(org, project) n;
  delete from inbox_day d where d.org_id = org and d.project_id = project;
  insert into inbox_day (org_id, project_id, person_id, channel_id, status, day, n, folded)
  select org, project, n.person_id, n.channel_id, n.status, n.day, n.n, true from counted_inbox_days(org, project) n;
end $$;
revoke all on function recount_inbox from public;

/*
 * Adds up to `most` new lines of one of the organization's projects to the one of their kind. Returns how many there were. A reader sees
 * a kind before or after, never in between: it's one statement.
 */
create or replace function fold_inbox_counts(org uuid, most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  project uuid := (select c.project_id from inbox_count c where c.org_id = org and not c.folded order by c.id limit 1);
  n int;
begin
  if project is null then
    return 0;
  end if;
  perform lock_inbox_counts(project, false);
  -- by their places: with what the planner last heard of such a table, a join by ID may take a minute
  with fresh as materialized (
    delete from inbox_count where ctid = any (array (
      select c.ctid from inbox_count c where c.org_id = org and not c.folded and c.project_id = project order by c.id limit most for update skip locked)) returning *
  ), written as (
    insert into inbox_count as c (org_id, project_id, person_id, channel_id, kind, open, received, unassigned, waiting, follow_up, mine, seen, folded)
    select org, project, l.person_id, l.channel_id, l.kind, sum(l.open), sum(l.received), sum(l.unassigned), sum(l.waiting), sum(l.follow_up), sum(l.mine), sum(l.seen), true
    from fresh l group by l.person_id, l.channel_id, l.kind order by 3, 4, 5
    on conflict (org_id, project_id, person_id, channel_id, kind) where folded do update set open = c.open + excluded.open, received = c.received + excluded.received,
      unassigned = c.unassigned + excluded.unassigned, waiting = c.waiting + excluded.waiting, follow_up = c.follow_up + excluded.follow_up, mine = c.mine + excluded.mine, seen = c.seen + excluded.seen
  )
  select count(*) into n from fresh;
  return n;
end $$;
revoke all on function fold_inbox_counts from public;
grant execute on function fold_inbox_counts to rookery_system;

-- The same for days.
create or replace function fold_inbox_days(org uuid, most int) returns int
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  project uuid := (select d.project_id from inbox_day d where d.org_id = org and not d.folded order by d.id limit 1);
  n int;
begin
  if project is null then
    return 0;
  end if;
  perform lock_inbox_counts(project, false);
  with fresh as materialized (
    delete from inbox_day where ctid = any (array (
      select d.ctid from inbox_day d where d.org_id = org and not d.folded and d.project_id = project order by d.id limit most for update skip locked)) returning *
  ), written as (
    insert into inbox_day as d (org_id, project_id, person_id, channel_id, status, day, n, folded)
    select org, project, l.person_id, l.channel_id, l.status, l.day, sum(l.n), true
    from fresh l group by l.person_id, l.channel_id, l.status, l.day order by 3, 4, 5, 6
    on conflict (org_id, project_id, person_id, channel_id, status, day) where folded do update set n = d.n + excluded.n
  )
  select count(*) into n from fresh;
  -- days on which nothing is left
  delete from inbox_day d where d.org_id = org and d.folded and d.n = 0;
  return n;
end $$;
revoke all on function fold_inbox_days from public;
grant execute on function fold_inbox_days to rookery_system;
