/*
 * What changed in a project of the caller's organization, in the order of transactions: events from transaction `since` on
 * that lists of posts depend on, at most `most`. Those of the whole organization are among them. It runs as the table's
 * owner, because under a policy the search by transaction can't use the index: xid8 has no leakproof operator.
 */
create or replace function project_events(project uuid, since xid8, most int) returns table (id bigint, kind text, ref text, xid xid8)
language sql stable rows 10 security definer set search_path = public, pg_temp as $$
  select e.id, e.kind, e.ref, e.xid from (
    (select e.id, e.kind, e.ref, e.xid from event e
      where e.org_id = current_setting('app.org_id')::uuid and e.project_id = project and e.xid >= since and e.kind in ('post', 'channel', 'taxonomy', 'member')
      order by e.xid, e.id limit most)
    union all
    (select e.id, e.kind, e.ref, e.xid from event e
      where e.org_id = current_setting('app.org_id')::uuid and e.project_id is null and e.xid >= since and e.kind in ('post', 'channel', 'taxonomy', 'member')
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
