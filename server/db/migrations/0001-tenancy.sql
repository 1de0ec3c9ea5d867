-- Every row of a tenant carries org_id, first in its keys. `tenant_table()` secures such a table: row-level security is
-- forced, the app's role sees only the organization of its transaction, the owner and the system role see everything.
-- Tables that belong to no organization are made with `global_table()` and listed with their reason in global.ts.

create function tenant_table(name regclass, app_grants text default 'select, insert, update, delete') returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  -- not wrapped in a select, which would hide the tenant from the planner. Raises an error when no tenant is set
  execute format('create policy tenant on %s to rookery_app using (org_id = current_setting(''app.org_id'')::uuid) with check (org_id = current_setting(''app.org_id'')::uuid)', name);
  execute format('create policy everything on %s to rookery_owner, rookery_system using (true) with check (true)', name);
  execute format('grant %s on %s to rookery_app', app_grants, name);
  execute format('grant select, insert, update, delete on %s to rookery_system', name);
end $$;

-- The system role works on a global table; the app's role gets only what is granted next to the table.
create function global_table(name regclass) returns void
language plpgsql as $$
begin
  execute format('grant select, insert, update, delete on %s to rookery_system', name);
end $$;

-- One row: which database this is, so that a restored or cloned database is noticed and its publishing is paused.
create table instance (
  id boolean primary key default true check (id),
  system_identifier text not null,
  timeline int not null,
  -- when a node was last known to work on this database
  alive_at timestamptz not null,
  -- set when a restore was noticed: posts that were due since then wait until a person has decided about them
  held_since timestamptz,
  -- whether posts that may have been published since then were marked as unconfirmed: once per restore
  doubted boolean not null default false,
  -- version of the time zone data that planned times were computed with
  zone_data text not null default ''
);
select global_table('instance');
grant select on instance to rookery_app;

-- Everything that is counted per time window: logins, codes, and the rate limits of platforms.
create table budget (
  key text primary key,
  window_ends_at timestamptz not null,
  used int not null default 0,
  -- set when a platform asked us to wait
  closed_until timestamptz
);
select global_table('budget');
