-- What platforms measure, of channels and posts, under the names of the contract's catalog (contract/analytics/catalog).

-- A channel's figures by the platform's day, whose time zone the catalog states. A later reading replaces the day's value.
create table channel_figure (
  org_id uuid not null,
  channel_id uuid not null,
  day date not null,
  name text not null,
  value bigint not null,
  read_at timestamptz not null,
  primary key (org_id, channel_id, name, day),
  foreign key (org_id, channel_id) references channel on delete cascade
);
select tenant_table('channel_figure', 'select');

-- Who follows a channel, or watches it: `value` is people or, where the platform only says that, hundredths of a percent.
create table audience (
  org_id uuid not null,
  channel_id uuid not null,
  day date not null,
  breakdown text not null,
  bucket text not null,
  value bigint not null,
  primary key (org_id, channel_id, breakdown, day, bucket),
  foreign key (org_id, channel_id) references channel on delete cascade
);
select tenant_table('audience', 'select');

-- How far a channel's figures have been read, and when they're read next. `days`: the last days and the current values. `history`:
-- older days, backwards from `read_to` until `until_day`. `audience`: who the followers are.
create table insight_sync (
  org_id uuid not null,
  channel_id uuid not null,
  kind text not null check (kind in ('days', 'history', 'audience')),
  -- the first day of history that was read, and the first that there is
  read_to date,
  until_day date,
  -- null: nothing is left to read
  next_at timestamptz,
  read_at timestamptz,
  tries int not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'reading', 'done', 'late', 'rights', 'off')),
  -- why it's late or can't be read, as a reason of the catalog of failures
  problem jsonb,
  primary key (org_id, channel_id, kind),
  foreign key (org_id, channel_id) references channel on delete cascade
);
create index insight_sync_next on insight_sync (kind, next_at) where next_at is not null;
select tenant_table('insight_sync', 'select');

-- Earlier readings of the post were deleted, as the platform's terms require: what this one gained isn't known.
alter table post_metric add column after_gap boolean not null default false;

/*
 * What posts gained between two readings of their figures, on the day of the later one: one row per figure, kept like post_count.
 * The name `readings` counts the readings themselves. A name without a row wasn't reported.
 */
create table figure_day (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  project_id uuid not null,
  channel_id uuid not null,
  day date not null,
  name text not null,
  gain bigint not null,
  -- how many readings reported it
  readings int not null,
  -- of the newest reading
  read_at timestamptz not null,
  folded boolean not null default false,
  primary key (org_id, id)
);
create index figure_day_name on figure_day (org_id, project_id, name, day) include (channel_id, gain, readings);
create index figure_day_new on figure_day (org_id, id) where not folded;
select tenant_table('figure_day', 'select');

insert into figure_day (org_id, project_id, channel_id, day, name, gain, readings, read_at, folded)
select e.org_id, e.project_id, e.channel_id, e.day, f.name, f.gain, e.readings, e.read_at, e.folded
from engagement e cross join lateral (values ('impressions', e.impressions), ('reactions', e.reactions), ('comments', e.comments), ('shares', e.shares), ('readings', e.readings)) f(name, gain)
where f.gain is not null;

drop trigger if exists count_engagement_insert on post_metric;
drop trigger if exists count_engagement_update on post_metric;
drop trigger if exists count_engagement_delete on post_metric;
drop function if exists count_engagement_insert();
drop function if exists count_engagement_update();
drop function if exists count_engagement_delete();
drop table engagement;
