-- The content warning of what someone wrote, which is part of its text. A reply gets it, too, where it counts towards the limit.
alter table inbox_item add column warning text;
