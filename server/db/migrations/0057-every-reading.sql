-- Each reading of a post is kept, not just the last one of its day: those after an hour and at midnight say what a day gained.
alter table post_metric disable trigger user;
-- readings at the same instant were written by hand at most
delete from post_metric m where exists (
  select from post_metric o where o.org_id = m.org_id and o.post_id = m.post_id and o.read_at = m.read_at and o.day > m.day);
alter table post_metric enable trigger user;
alter table post_metric drop constraint post_metric_pkey;
alter table post_metric add primary key (org_id, post_id, read_at);
alter table post_metric drop column day;
