-- When something was locked by the plan: room that is bought wakes what rested last, newest choice first.
alter table channel add column locked_at timestamptz;
alter table project add column locked_at timestamptz;
alter table member add column locked_at timestamptz;
update channel set locked_at = coalesce(away_since, connected_at) where plan_locked;
