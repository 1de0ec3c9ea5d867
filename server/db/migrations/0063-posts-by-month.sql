/*
 * Posts' figures to date, added up by the day that the posts were published on in the project's zone (kind `posts`), from the rows
 * of `post_figure`, like gains. Of the engagement rate, its two sides (`ratePart`, `rateWhole`).
 */
alter table figure_line drop constraint figure_day_kind_check;
alter table figure_line add constraint figure_line_kind_check check (kind in ('gains', 'posts'));
alter table figure_month drop constraint figure_month_check;
alter table figure_month add constraint figure_month_kind_check check (kind = 'days' and counts is null or kind in ('gains', 'posts') and counts is not null);

create function pg_temp.of_month(days int[], amounts bigint[]) returns bigint[] language plpgsql as $$
declare
  placed bigint[] := array_fill(null::bigint, array[31]);
begin
  for i in 1 .. cardinality(days) loop placed[days[i]] := amounts[i]; end loop;
  return placed;
end $$;

insert into figure_month (org_id, channel_id, kind, name, month, amounts, counts, read)
select org_id, channel_id, 'posts', name, month, pg_temp.of_month(array_agg(at), array_agg(amount)), pg_temp.of_month(array_agg(at), array_agg(n))::int[], pg_temp.of_month(array_agg(at), array_agg(read))::int[]
from (
  select org_id, channel_id, name, date_trunc('month', day::timestamp)::date as month, extract(day from day)::int as at, nullif(sum(amount), 0)::bigint as amount, count(*) as n,
    least(greatest(max(extract(epoch from read_at - day::timestamp at time zone 'UTC')), -2e9), 2e9)::bigint as read
  from (
    select f.org_id, f.channel_id, v.name, (f.shown_at at time zone p.zone)::date as day, v.amount, f.read_at
    from post_figure f join project p on p.org_id = f.org_id and p.id = f.project_id
      cross join lateral (values (f.name, f.value), ('ratePart', f.part), ('rateWhole', f.whole)) v(name, amount)
    where v.amount is not null and v.name <> 'engagementRate'
  ) v group by org_id, channel_id, name, day
) f
group by org_id, channel_id, name, month;
drop function pg_temp.of_month;
analyze figure_month;
