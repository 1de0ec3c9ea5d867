/*
 * Enqueues a job in the caller's transaction. The library's own schema is closed to the app's role; a tenant's transaction
 * enqueues for its own organization only. A key makes it one job: enqueuing it again replaces it.
 */
create or replace function enqueue_job(name text, payload json, key text, run_at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  -- the connection's role: inside this function the owner's is in effect
  caller text := case current_setting('role') when 'none' then session_user::text else current_setting('role') end;
begin
  if caller = 'rookery_app' and (payload ->> 'orgId')::uuid is distinct from current_setting('app.org_id')::uuid then
    raise exception 'A tenant enqueues jobs of its own organization only';
  end if;
  perform graphile_worker.add_job(name, payload, run_at => run_at, job_key => key, job_key_mode => case when key is not null then 'replace' end);
end $$;
revoke all on function enqueue_job from public;
grant execute on function enqueue_job to rookery_app, rookery_system;
