-- What changed in a project since a moment, of the kinds of data that lists of posts are made of.
create index event_project on event (org_id, project_id, xid, id) where kind in ('post', 'channel', 'taxonomy', 'member');
