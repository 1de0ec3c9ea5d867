/*
 * Figures by day, a month in a row: any range of two years is a few rows per channel and figure instead of one per day. `amounts`
 * has 31 places, one for each day of the month, null where there's nothing. Kind `days`: what the channel's platform reported
 * (`channel_figure`), read so many seconds (`read`) after the day began in UTC. Kept by triggers (functions/figure_months.sql). No
 * foreign keys: a check would lock the channel's row.
 */
create table figure_month (
  org_id uuid not null,
  channel_id uuid not null,
  kind text not null check (kind in ('days')),
  name text not null,
  month date not null,
  amounts bigint[] not null check (cardinality(amounts) = 31),
  read int[] not null check (cardinality(read) = 31),
  primary key (org_id, channel_id, kind, name, month)
);
select tenant_table('figure_month', 'select');

create function pg_temp.of_month(days int[], amounts bigint[]) returns bigint[] language plpgsql as $$
declare
  placed bigint[] := array_fill(null::bigint, array[31]);
begin
  for i in 1 .. cardinality(days) loop placed[days[i]] := amounts[i]; end loop;
  return placed;
end $$;

insert into figure_month (org_id, channel_id, kind, name, month, amounts, read)
select org_id, channel_id, 'days', name, month, pg_temp.of_month(array_agg(at), array_agg(value)), pg_temp.of_month(array_agg(at), array_agg(read))::int[]
from (
  select org_id, channel_id, name, date_trunc('month', day::timestamp)::date as month, extract(day from day)::int as at, value,
    least(greatest(extract(epoch from read_at - day::timestamp at time zone 'UTC'), -2e9), 2e9)::bigint as read
  from channel_figure
) f
group by org_id, channel_id, name, month;
drop function pg_temp.of_month;
