-- Replies of the insights and the inbox are held and answered with 304, too: their events are found by the same index.
drop index event_project;
create index event_project on event (org_id, project_id, xid, id) where kind in ('post', 'channel', 'taxonomy', 'member', 'conversation', 'count', 'figure');
drop function if exists project_events(uuid, xid8, int);
drop function if exists reply_checks(bytea[], uuid[], uuid[], text[], text[], timestamptz, int);
