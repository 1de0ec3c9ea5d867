-- A post whose figures are no longer read by plan is read again when someone asks.
grant update (metrics_at) on measured_post to rookery_app;
