/*
 * A post that asks for a place on a link in bio page gets it once it's published, however that happens: by a job, so that publishing
 * neither waits for the page nor fails with it.
 */
create or replace function show_in_bio() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform enqueue_job('linkInBio.show', json_build_object('orgId', new.org_id, 'postId', new.id), 'linkInBio.show:' || new.id, null);
  return null;
end $$;
revoke all on function show_in_bio from public;
create or replace trigger show_in_bio_new after insert on post for each row when (new.state = 'PUBLISHED' and new.details ? 'bioLink') execute function show_in_bio();
create or replace trigger show_in_bio after update of state on post for each row
  when (new.state = 'PUBLISHED' and old.state <> 'PUBLISHED' and new.details ? 'bioLink') execute function show_in_bio();
