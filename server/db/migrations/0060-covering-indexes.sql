-- Sums over days are read from the indexes alone.
alter table channel_figure drop constraint channel_figure_pkey;
alter table channel_figure add primary key (org_id, channel_id, name, day) include (value, read_at);
drop index figure_day_name;
create index figure_day_name on figure_day (org_id, project_id, name, day) include (channel_id, gain, readings, read_at);
