-- Every tenant row carries org_id, first in its keys. A tenant table is made by tenant_table(): row-level security is
-- forced, the app's role sees the organization of its transaction, the owner and the system role see all.

create function tenant_table(name regclass, app_grants text default 'select, insert, update, delete') returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  -- bare on purpose: wrapped in a select it would hide the tenant from the planner. No tenant set raises.
  execute format('create policy tenant on %s to rookery_app using (org_id = current_setting(''app.org_id'')::uuid) with check (org_id = current_setting(''app.org_id'')::uuid)', name);
  execute format('create policy everything on %s to rookery_owner, rookery_system using (true) with check (true)', name);
  execute format('grant %s on %s to rookery_app', app_grants, name);
  execute format('grant select, insert, update, delete on %s to rookery_system', name);
end $$;

-- A global table is listed in server/db/global.ts; the system role works on it, the app's role only as granted there.
create function global_table(name regclass) returns void
language plpgsql as $$
begin
  execute format('grant select, insert, update, delete on %s to rookery_system', name);
end $$;

-- One row: which database this is, so that a restored or cloned one is noticed and its publishing held.
create table instance (
  id boolean primary key default true check (id),
  system_identifier text not null,
  timeline int not null,
  -- the newest moment at which a node was seen working on this database
  alive_at timestamptz not null,
  -- set when a restore was noticed: publishing is held for what was due since then until it is settled
  held_since timestamptz,
  -- whether what may have gone out since then was called into doubt: once for each restore
  doubted boolean not null default false,
  zone_data text not null default ''
);
select global_table('instance');
grant select on instance to rookery_app;
