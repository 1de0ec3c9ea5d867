-- A post as an item of the calendar's month (functions/month_item.sql). Null until a post is next written: until then a
-- list makes it for every reply.
alter table post add column month_item text;
