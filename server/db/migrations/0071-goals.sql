/*
 * What a project wants to reach of a figure until a day (docs/insights.md, Goals): of all its channels, those of a platform, or the
 * chosen ones.
 */
create table insight_goal (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  figure text not null,
  target bigint not null check (target > 0),
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  platform text,
  channel_ids uuid[] check (cardinality(channel_ids) > 0),
  created_by uuid,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  check (platform is null or channel_ids is null)
);
create index insight_goal_project on insight_goal (org_id, project_id, created_at);
select tenant_table('insight_goal');
