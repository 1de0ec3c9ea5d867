-- The days between two readings are worked out once for all figures of the readings (functions/figure_days.sql).
drop function gain_by_day(timestamptz, timestamptz, bigint, text);
