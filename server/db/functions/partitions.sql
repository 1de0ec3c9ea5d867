-- Partitions are made one month or day ahead, at every start and by a job; rows outside of them go to the default one.

-- Creates the partitions of `parent` for the month or day (`unit`) of `at` and `ahead` more.
create or replace function ensure_partitions(parent regclass, unit text, at timestamptz, ahead int) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  first timestamptz;
  name text;
begin
  if unit not in ('day', 'month') then raise exception 'unit %', unit; end if;
  -- nodes that start together take turns, so that each sees what the others created
  perform pg_advisory_xact_lock(28, 0);
  for i in 0..ahead loop
    first := date_trunc(unit, at at time zone 'UTC') at time zone 'UTC' + make_interval(months => case when unit = 'month' then i else 0 end, days => case when unit = 'day' then i else 0 end);
    name := format('%s_%s', parent::text, to_char(first at time zone 'UTC', case unit when 'month' then 'YYYYMM' else 'YYYYMMDD' end));
    if to_regclass(name) is null then
      begin
        execute format('create table %I partition of %s for values from (%L) to (%L)', name, parent, first, first + make_interval(months => case when unit = 'month' then 1 else 0 end, days => case when unit = 'day' then 1 else 0 end));
      exception when check_violation then
        -- rows of this time are already in the default partition, because this one was not made in time: they stay there
        null;
      end;
    end if;
  end loop;
end $$;
revoke all on function ensure_partitions from public;
grant execute on function ensure_partitions to rookery_system;

-- Drops the partitions that end before the moment.
create or replace function drop_partitions(parent regclass, unit text, before timestamptz) returns void
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
