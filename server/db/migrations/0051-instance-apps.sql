-- When a server was last seen to know the app that was registered there. Null: not since it has been looked at.
alter table instance_app add column checked_at timestamptz;
