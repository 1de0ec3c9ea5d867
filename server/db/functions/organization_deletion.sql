/*
 * From the moment that an organization is scheduled for deletion, nothing of it is published, and nobody's last place is in
 * it. Called in the transaction of the admin who asks for it, whose role sees neither other tenants nor people's accounts.
 */
create or replace function stop_organization(at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  tenant uuid := current_setting('app.org_id')::uuid;
begin
  -- a switch that an operator set before stays theirs
  insert into kill_switch (scope, name, cause, since) values ('organization', tenant::text, 'deletion', at) on conflict do nothing;
  update person set last_org_id = null, last_project_id = null where last_org_id = tenant;
end $$;
revoke all on function stop_organization from public;
grant execute on function stop_organization to rookery_app;

-- Lets an organization publish again whose deletion was canceled, unless an operator stopped it for another reason.
create or replace function release_organization() returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from kill_switch where scope = 'organization' and name = current_setting('app.org_id') and cause = 'deletion'
$$;
revoke all on function release_organization from public;
grant execute on function release_organization to rookery_app;
