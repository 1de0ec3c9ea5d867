/*
 * The days of a month are packed, big-endian as numbers are sent: `amounts` in 8 bytes each, `counts` and `read` in 4. PostgreSQL
 * sends an array value by value, which took most of the time of a total; bytes it sends as they are. Where there's nothing, an
 * amount and a count are 0 and `read` is the least number.
 */
alter table figure_month drop constraint figure_month_kind_check;
alter table figure_month drop constraint figure_month_amounts_check;
alter table figure_month drop constraint figure_month_counts_check;
alter table figure_month drop constraint figure_month_read_check;

create function pg_temp.packed(amounts bigint[]) returns bytea language sql as $$
  select string_agg(coalesce(v.amount, 0)::bytea, '' order by v.n) from unnest(amounts) with ordinality v(amount, n)
$$;
create function pg_temp.packed(counts int[], nothing int) returns bytea language sql as $$
  select string_agg(coalesce(v.n, nothing)::bytea, '' order by v.at) from unnest(counts) with ordinality v(n, at)
$$;
alter table figure_month
  alter column amounts type bytea using pg_temp.packed(amounts),
  alter column counts type bytea using pg_temp.packed(counts, 0),
  alter column read type bytea using pg_temp.packed(read, -2147483648);
drop function pg_temp.packed(bigint[]);
drop function pg_temp.packed(int[], int);
-- next to the keys: they're found, not compressed
alter table figure_month alter column amounts set storage plain, alter column counts set storage plain, alter column read set storage plain;
alter table figure_month add check (octet_length(amounts) = 31 * 8);
alter table figure_month add check (octet_length(counts) = 31 * 4);
alter table figure_month add check (octet_length(read) = 31 * 4);
alter table figure_month add constraint figure_month_kind_check check (kind = 'days' and counts is null or kind in ('gains', 'posts') and counts is not null);
analyze figure_month;

drop function if exists days_of_month(int[], anyarray);
drop function if exists first_days(anyarray, anyarray);
drop function if exists added_days(anyarray, anyarray);
drop function if exists latest_days(int[], int[]);
drop function if exists without_days(anyarray, int[]);
