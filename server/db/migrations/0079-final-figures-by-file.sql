-- Which channels' figures aren't final in a file: only those that its readers see.
alter table report_file add column not_final jsonb not null default '[]';
