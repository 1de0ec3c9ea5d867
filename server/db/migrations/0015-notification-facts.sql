-- No earlier version was ever released, so the columns that are not written anymore go at once.
-- Notifications are stored as facts and worded where they're shown. What was stored as text stays text.
alter table notice add column params jsonb not null default '{}';
update notice set kind = 'other', params = jsonb_build_object('title', title, 'body', body, 'quote', quote, 'link', link);
alter table notice alter column params drop default, drop column title, drop column body, drop column quote, drop column link;
alter table notice rename column matter to dedupe_key;
alter index notice_matter rename to notice_dedupe_key;

-- So are the problems of rows of bulk imports. An export that failed says so by its status.
alter table bulk_row rename column remarks to problems;
update bulk_row set problems = (
  select jsonb_agg(jsonb_build_object('code', 'refused', 'column', r -> 'column', 'words', r -> 'message')) from jsonb_array_elements(problems) r
) where problems <> '[]';
alter table org_export drop column problem;
