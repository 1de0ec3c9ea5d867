/*
 * What changed in a project of the caller's organization, in the order of transactions: events from transaction `since` on
 * of these kinds, at most `most`. Those of the whole organization are among them. It runs as the table's
 * owner, because under a policy the search by transaction can't use the index: xid8 has no leakproof operator.
 */
create or replace function project_events(project uuid, since xid8, kinds text[], most int) returns table (id bigint, kind text, ref text, xid xid8)
language sql stable rows 10 security definer set search_path = public, pg_temp as $$
  select e.id, e.kind, e.ref, e.xid from (
    (select e.id, e.kind, e.ref, e.xid from event e
      where e.org_id = current_setting('app.org_id')::uuid and e.project_id = project and e.xid >= since and e.kind in ('post', 'channel', 'taxonomy', 'member', 'conversation', 'count', 'figure') and e.kind = any(kinds)
      order by e.xid, e.id limit most)
    union all
    (select e.id, e.kind, e.ref, e.xid from event e
      where e.org_id = current_setting('app.org_id')::uuid and e.project_id is null and e.xid >= since and e.kind in ('post', 'channel', 'taxonomy', 'member', 'conversation', 'count', 'figure') and e.kind = any(kinds)
      order by e.xid, e.id limit most)
  ) e limit most
$$;
revoke all on function project_events from public;
grant execute on function project_events to rookery_app;

-- A new name of a person is news for every list that names them.
create or replace function tell_renamed_person() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event (at, org_id, kind, ref) select now(), m.org_id, 'member', new.id::text from member m where m.person_id = new.id;
  return null;
end $$;
revoke all on function tell_renamed_person from public;
create or replace trigger person_renamed after update of first_name, last_name on person
  for each row when (old.first_name is distinct from new.first_name or old.last_name is distinct from new.last_name) execute function tell_renamed_person();

/*
 * What the figures of the insights are worked out from has changed: an event for each of their projects, which no screen is told
 * of (server/live/read.ts). Whatever changes them, in the transaction that does. Sums of figures are kept by triggers of these
 * tables. Of a project that is being deleted there's nothing to say.
 */
do $do$
declare
  source record;
  kind record;
begin
  for source in select * from (values
    ('channel', '%1$s'),
    ('channel_figure', 'select c.org_id, c.project_id from %1$s t join channel c on c.org_id = t.org_id and c.id = t.channel_id'),
    ('insight_sync', 'select c.org_id, c.project_id from %1$s t join channel c on c.org_id = t.org_id and c.id = t.channel_id'),
    ('post_figure', '%1$s'),
    ('post_metric', 'select p.org_id, p.project_id from %1$s t join measured_post p on p.org_id = t.org_id and p.id = t.post_id'),
    ('post_click', 'select p.org_id, p.project_id from %1$s t join measured_post p on p.org_id = t.org_id and p.id = t.post_id')) s(name, projects)
  loop
    for kind in select * from (values ('insert', 'new', 'come'), ('update', 'new', 'come'), ('delete', 'old', 'gone')) k(what, which, rows)
    loop
      execute format($make$
        create or replace function tell_figures_of_%1$s_%2$s() returns trigger
        language plpgsql security definer set search_path = public, pg_temp as $body$
        begin
          insert into event (at, org_id, project_id, kind, ref)
          select now(), p.org_id, p.id, 'figure', p.id::text from project p where (p.org_id, p.id) in (%3$s);
          return null;
        end $body$
      $make$, source.name, kind.what, case source.projects when '%1$s' then 'select org_id, project_id from ' || kind.rows else format(source.projects, kind.rows) end);
      execute format('revoke all on function tell_figures_of_%s_%s from public', source.name, kind.what);
      execute format('create or replace trigger tell_figures_%1$s after %1$s on %2$s referencing %3$s table as %4$s for each statement execute function tell_figures_of_%2$s_%1$s()',
        kind.what, source.name, kind.which, kind.rows);
    end loop;
  end loop;
end $do$;

/*
 * The same of counts in the inbox: a line for every change of them is in `inbox_count`. Replies that weren't sent are counted as
 * they are; changes of them are told with their conversation.
 */
create or replace function tell_counts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event (at, org_id, project_id, kind, ref) select distinct now(), org_id, project_id, 'count', project_id::text from come where not folded;
  return null;
end $$;
revoke all on function tell_counts from public;
create or replace trigger tell_counts after insert on inbox_count
  referencing new table as come for each statement execute function tell_counts();

create or replace function tell_lost_replies() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event (at, org_id, kind, ref) select distinct now(), o.org_id, 'count', o.org_id::text from gone g join organization o on o.org_id = g.org_id;
  return null;
end $$;
revoke all on function tell_lost_replies from public;
create or replace trigger tell_lost_replies after delete on reply
  referencing old table as gone for each statement execute function tell_lost_replies();
