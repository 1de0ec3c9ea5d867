-- Its result has one more column now (functions/project_events.sql).
drop function if exists project_events(uuid, xid8, int);

-- Which posts of a channel are due for a reading of their metrics (server/insights/readMetrics.ts). The former index led
-- through all that were due, of every channel.
create index post_metrics_channel on post (org_id, channel_id, metrics_at) where metrics_at is not null;
drop index post_metrics_due;
