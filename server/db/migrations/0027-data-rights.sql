-- Copies of everything that an organization has here; the file lies under DATA_DIR/exports by its id.
create table org_export (
  org_id uuid not null references organization on delete cascade,
  id uuid not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'ready', 'failed', 'gone')),
  -- 0 to 100
  progress int not null default 0,
  bytes bigint,
  problem text,
  requested_by uuid not null,
  requested_at timestamptz not null,
  expires_at timestamptz,
  primary key (org_id, id)
);
-- one at a time
create unique index org_export_one on org_export (org_id) where status in ('waiting', 'running');
create index org_export_expiry on org_export (expires_at) where status = 'ready';
select tenant_table('org_export');

/*
 * From the moment that an organization is to be deleted nothing of it is sent, and nobody's last place is in it. In the
 * transaction of the admin who asks for it, in which the app's role sees neither other tenants nor people's accounts.
 */
create function stop_organization(why text, at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  tenant uuid := current_setting('app.org_id')::uuid;
begin
  -- an operator's own hold stays the operator's
  insert into kill_switch (scope, name, reason, since) values ('organization', tenant::text, why, at) on conflict do nothing;
  update person set last_org_id = null, last_project_id = null where last_org_id = tenant;
end $$;
revoke all on function stop_organization from public;
grant execute on function stop_organization to rookery_app;

create function release_organization(why text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from kill_switch where scope = 'organization' and name = current_setting('app.org_id') and reason = why
$$;
revoke all on function release_organization from public;
grant execute on function release_organization to rookery_app;
