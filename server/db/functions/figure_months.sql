-- Keeps `figure_month`: figures by day, a month in a row, packed.

-- The 31 days of a month with these numbers on these days, packed; on the others, there's nothing.
create or replace function packed(days int[], numbers bigint[]) returns bytea
language sql immutable as $$
  select string_agg(coalesce(v.number, 0)::bytea, '' order by n) from generate_series(1, 31) n left join unnest(days, numbers) v(day, number) on v.day = n
$$;
create or replace function packed(days int[], numbers int[], nothing int) returns bytea
language sql immutable as $$
  select string_agg(coalesce(v.number, nothing)::bytea, '' order by n) from generate_series(1, 31) n left join unnest(days, numbers) v(day, number) on v.day = n
$$;

-- As `read` of a day that has nothing.
create or replace function never_read() returns int language sql immutable as $$ select -2147483648 $$;

-- The numbers of the one on the days on which it was read, those of the other on all others.
create or replace function first_days(one bytea, other bytea, read bytea) returns bytea
language sql immutable as $$
  select string_agg(case when substring(read from n * 4 + 1 for 4)::int = never_read() then substring(other from n * width + 1 for width) else substring(one from n * width + 1 for width) end, '' order by n)
  from (select octet_length(one) / 31 as width) w cross join generate_series(0, 30) n
$$;

create or replace function added_amounts(one bytea, other bytea) returns bytea
language sql immutable as $$
  select string_agg((substring(one from n * 8 + 1 for 8)::bigint + substring(other from n * 8 + 1 for 8)::bigint)::bytea, '' order by n) from generate_series(0, 30) n
$$;
create or replace function added_counts(one bytea, other bytea) returns bytea
language sql immutable as $$
  select string_agg((substring(one from n * 4 + 1 for 4)::int + substring(other from n * 4 + 1 for 4)::int)::bytea, '' order by n) from generate_series(0, 30) n
$$;
create or replace function latest_days(one bytea, other bytea) returns bytea
language sql immutable as $$
  select string_agg(greatest(substring(one from n * 4 + 1 for 4)::int, substring(other from n * 4 + 1 for 4)::int)::bytea, '' order by n) from generate_series(0, 30) n
$$;

create or replace function without_days(numbers bytea, days int[], nothing bytea) returns bytea
language sql immutable as $$
  select string_agg(case when n + 1 = any(days) then nothing else substring(numbers from n * width + 1 for width) end, '' order by n)
  from (select octet_length(nothing) as width) w cross join generate_series(0, 30) n
$$;

-- How many seconds after the day began in UTC; of a nonsensical day, as many as fit.
create or replace function seconds_after(day date, at timestamptz) returns int
language sql stable as $$
  select least(greatest(extract(epoch from at - day::timestamp at time zone 'UTC'), -2e9), 2e9)::int
$$;

-- What a row of `post_figure` adds to its day: of the engagement rate, its two sides.
create or replace function added_by_post(name text, value bigint, part bigint, whole bigint) returns table (name text, amount bigint)
language sql immutable as $$
  select v.name, v.amount from (values ($1, value), ('ratePart', part), ('rateWhole', whole)) v(name, amount) where v.amount is not null and v.name <> 'engagementRate'
$$;

-- Only the days that a statement wrote are changed, so that statements that write other days of the month side by side lose nothing.
create or replace function keep_days() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into figure_month as m (org_id, channel_id, kind, name, month, amounts, read)
  select c.org_id, c.channel_id, 'days', c.name, date_trunc('month', c.day)::date, packed(array_agg(extract(day from c.day)::int), array_agg(c.value)),
    packed(array_agg(extract(day from c.day)::int), array_agg(seconds_after(c.day, c.read_at)), never_read())
  from come c group by 1, 2, 4, 5 order by 1, 2, 4, 5
  on conflict (org_id, channel_id, kind, name, month) do update set amounts = first_days(excluded.amounts, m.amounts, excluded.read), read = first_days(excluded.read, m.read, excluded.read);
  return null;
end $$;
revoke all on function keep_days from public;
create or replace trigger keep_new_days after insert on channel_figure
  referencing new table as come for each statement execute function keep_days();
create or replace trigger keep_changed_days after update on channel_figure
  referencing new table as come for each statement execute function keep_days();

create or replace function forget_days() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with months as (
    select g.org_id, g.channel_id, g.name, date_trunc('month', g.day)::date as month, array_agg(extract(day from g.day)::int) as days from gone g group by 1, 2, 3, 4
  )
  update figure_month m set amounts = without_days(m.amounts, g.days, 0::bigint::bytea), read = without_days(m.read, g.days, never_read()::bytea)
  from months g where m.org_id = g.org_id and m.channel_id = g.channel_id and m.kind = 'days' and m.name = g.name and m.month = g.month;
  delete from figure_month m using (select distinct org_id, channel_id, name, date_trunc('month', day)::date as month from gone) g
  where m.org_id = g.org_id and m.channel_id = g.channel_id and m.kind = 'days' and m.name = g.name and m.month = g.month and m.read = packed('{}', '{}'::int[], never_read());
  return null;
end $$;
revoke all on function forget_days from public;
create or replace trigger forget_days after delete on channel_figure
  referencing old table as gone for each statement execute function forget_days();

create or replace function forget_months() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from figure_month where org_id = old.org_id and channel_id = old.id;
  return null;
end $$;
revoke all on function forget_months from public;
create or replace trigger forget_months after delete on channel for each row execute function forget_months();

-- Lines of what a statement changed of posts' figures. Insert, update and delete each have only some of the two transition tables.
do $do$
declare
  kind record;
begin
  for kind in select * from (values
    ('insert', 'referencing new table as come', 'select *, 1 as sign from come'),
    ('update', 'referencing old table as gone new table as come', 'select *, -1 as sign from gone union all select *, 1 from come'),
    ('delete', 'referencing old table as gone', 'select *, -1 as sign from gone')) k(what, names, changed)
  loop
    execute format($make$
      create or replace function add_posts_%1$s() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $body$
      begin
        perform lock_days(c.project_id, false) from (select distinct project_id from (%2$s) d order by 1) c;
        -- the lines of a project that is being deleted are deleted with it
        insert into figure_line (org_id, project_id, channel_id, kind, day, name, amount, n, read_at)
        select c.org_id, c.project_id, c.channel_id, 'posts', (c.shown_at at time zone p.zone)::date, v.name, sum(c.sign * v.amount), sum(c.sign), coalesce(max(c.read_at), 'epoch')
        from (%2$s) c join project p on p.org_id = c.org_id and p.id = c.project_id cross join lateral added_by_post(c.name, c.value, c.part, c.whole) v
        group by 1, 2, 3, 5, 6
        having sum(c.sign) <> 0 or sum(c.sign * v.amount) <> 0 or max(c.read_at) filter (where c.sign = 1) is distinct from max(c.read_at) filter (where c.sign = -1);
        return null;
      end $body$
    $make$, kind.what, kind.changed);
    execute format('revoke all on function add_posts_%s from public', kind.what);
    execute format('create or replace trigger add_posts_%1$s after %1$s on post_figure %2$s for each statement execute function add_posts_%1$s()', kind.what, kind.names);
  end loop;
end $do$;
