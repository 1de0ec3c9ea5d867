/*
 * What posts gained is kept by month, too (kind `gains`), with how many readings are in each amount; a 0 has no place of its own,
 * and `read` is the newest of the day. The lines that triggers write are added to it and deleted, so the table of lines has only
 * the newest ones.
 */
alter table figure_month drop constraint figure_month_kind_check;
alter table figure_month add column counts int[] check (cardinality(counts) = 31);
alter table figure_month add check (kind = 'days' and counts is null or kind = 'gains' and counts is not null);

create function pg_temp.of_month(days int[], amounts bigint[]) returns bigint[] language plpgsql as $$
declare
  placed bigint[] := array_fill(null::bigint, array[31]);
begin
  for i in 1 .. cardinality(days) loop placed[days[i]] := amounts[i]; end loop;
  return placed;
end $$;

insert into figure_month (org_id, channel_id, kind, name, month, amounts, counts, read)
select org_id, channel_id, 'gains', name, month, pg_temp.of_month(array_agg(at), array_agg(amount)), pg_temp.of_month(array_agg(at), array_agg(n))::int[], pg_temp.of_month(array_agg(at), array_agg(read))::int[]
from (
  select org_id, channel_id, name, date_trunc('month', day::timestamp)::date as month, extract(day from day)::int as at, nullif(sum(gain), 0)::bigint as amount, nullif(sum(readings), 0)::bigint as n,
    least(greatest(max(extract(epoch from read_at - day::timestamp at time zone 'UTC')), -2e9), 2e9)::bigint as read
  from figure_day group by org_id, channel_id, name, day
) f
group by org_id, channel_id, name, month;
drop function pg_temp.of_month;
truncate figure_day;

drop index figure_day_name;
drop index figure_day_new;
alter table figure_day drop column folded;
alter table figure_day rename column gain to amount;
alter table figure_day rename column readings to n;
alter table figure_day add column kind text not null check (kind in ('gains'));
alter table figure_day rename constraint figure_day_pkey to figure_line_pkey;
alter table figure_day rename to figure_line;
analyze figure_month, figure_line;
