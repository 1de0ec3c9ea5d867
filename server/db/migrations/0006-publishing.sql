-- One lane per channel: a post at a time, in the order of their due steps. wake_at is set in the transaction that
-- changes any of its causes: the next due step, the budget's refill, the end of a lease. Null: nothing to do.
create table lane (
  org_id uuid not null,
  channel_id uuid not null,
  platform text not null,
  -- whose app credentials the calls are counted against
  credentials text not null default 'own',
  wake_at timestamptz,
  lease_by uuid,
  lease_until timestamptz,
  -- paused by a person or by a dead token; kept awake by nothing
  paused boolean not null default false,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel on delete cascade
);
create index lane_wake on lane (wake_at) where wake_at is not null and not paused;
create index lane_lease on lane (lease_by) where lease_by is not null;
select tenant_table('lane');

-- Written before and closed after every irreversible call; kept 30 days with a redacted log of the exchange.
create table attempt (
  org_id uuid not null,
  id uuid not null,
  post_id uuid not null,
  channel_id uuid not null,
  fence int not null,
  step text not null,
  node_id uuid not null,
  send_key text,
  started_at timestamptz not null,
  finished_at timestamptz,
  outcome text,
  exchange jsonb,
  primary key (org_id, started_at, id)
) partition by range (started_at);
create index attempt_post on attempt (org_id, post_id, started_at);
select tenant_table('attempt', 'select');

-- Which programs are alive. A node that is silent for longer than its heartbeat allows loses its leases.
create table node (
  id uuid primary key,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  role text not null,
  host text not null default ''
);
select global_table('node');

-- Publishing stopped by a person for everything, a platform, credentials or an organisation. Checked in the claim.
create table kill_switch (
  scope text not null check (scope in ('all', 'platform', 'credentials', 'organisation')),
  name text not null default '',
  reason text not null,
  since timestamptz not null,
  primary key (scope, name)
);
select global_table('kill_switch');
grant select on kill_switch to rookery_app;

-- How punctual publishing was, by hour: the metric and the page.
create table punctuality (
  hour timestamptz not null,
  platform text not null,
  posts int not null default 0,
  -- lag in milliseconds from due to the first call, as counts per power-of-two bucket
  buckets int[] not null default array_fill(0, array[32]),
  primary key (hour, platform)
);
select global_table('punctuality');

-- Partitions are made a month (a day) ahead at every start and by a job; rows outside them fall into the default one.
create table attempt_default partition of attempt default;

create function ensure_partitions(parent regclass, unit text, at timestamptz, ahead int) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  first timestamptz;
  name text;
begin
  if unit not in ('day', 'month') then raise exception 'unit %', unit; end if;
  for i in 0..ahead loop
    first := date_trunc(unit, at at time zone 'UTC') at time zone 'UTC' + make_interval(months => case when unit = 'month' then i else 0 end, days => case when unit = 'day' then i else 0 end);
    name := format('%s_%s', parent::text, to_char(first at time zone 'UTC', case unit when 'month' then 'YYYYMM' else 'YYYYMMDD' end));
    if to_regclass(name) is null then
      execute format('create table %I partition of %s for values from (%L) to (%L)', name, parent, first, first + make_interval(months => case when unit = 'month' then 1 else 0 end, days => case when unit = 'day' then 1 else 0 end));
    end if;
  end loop;
end $$;
revoke all on function ensure_partitions from public;
grant execute on function ensure_partitions to rookery_system;

-- Drops the partitions that lie wholly before the moment.
create function drop_partitions(parent regclass, unit text, before timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part record;
begin
  for part in
    select c.oid::regclass as name, right(c.relname, case unit when 'month' then 6 else 8 end) as stamp
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = parent and c.relname ~ (case unit when 'month' then '_[0-9]{6}$' else '_[0-9]{8}$' end)
  loop
    if to_timestamp(part.stamp, case unit when 'month' then 'YYYYMM' else 'YYYYMMDD' end) + (case unit when 'month' then interval '1 month' else interval '1 day' end) <= before then
      execute format('drop table %s', part.name);
    end if;
  end loop;
end $$;
revoke all on function drop_partitions from public;
grant execute on function drop_partitions to rookery_system;
