-- Of lines that were added up, what the whole month amounts to (`total`, `total_count`): a long range needs the days of few months.
alter table figure_month add column total bigint, add column total_count int;
update figure_month m set
  total = (select sum(substring(m.amounts from n * 8 + 1 for 8)::bigint) from generate_series(0, 30) n),
  total_count = (select sum(substring(m.counts from n * 4 + 1 for 4)::int) from generate_series(0, 30) n)
where kind <> 'days';
alter table figure_month drop constraint figure_month_kind_check;
alter table figure_month add constraint figure_month_kind_check
  check (kind = 'days' and num_nonnulls(counts, total, total_count) = 0 or kind in ('gains', 'posts') and num_nulls(counts, total, total_count) = 0);
