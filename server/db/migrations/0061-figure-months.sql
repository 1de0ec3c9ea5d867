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

insert into figure_month (org_id, channel_id, kind, name, month, amounts, read)
select m.org_id, m.channel_id, 'days', m.name, m.month, array_agg(f.value order by n), array_agg(least(greatest(extract(epoch from f.read_at - f.day::timestamp at time zone 'UTC'), -2e9), 2e9)::int order by n)
from (select distinct org_id, channel_id, name, date_trunc('month', day)::date as month from channel_figure) m
  cross join generate_series(0, 30) n
  left join channel_figure f on f.org_id = m.org_id and f.channel_id = m.channel_id and f.name = m.name and f.day = m.month + n and f.day < (m.month + interval '1 month')
group by m.org_id, m.channel_id, m.name, m.month;
