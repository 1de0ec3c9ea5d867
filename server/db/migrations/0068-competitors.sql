/*
 * Accounts of others that a project compares its channels with (docs/insights.md, Competitors). `via_channel_id`: the channel through
 * which it was read last. `posts_since`: since when all of its posts are known; null before the first reading. `seen_at`: when someone
 * last looked at the project's competitors. `removed_at`: it can be brought back for an hour, then its rows are deleted.
 */
create table competitor (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  platform text not null,
  remote_id text not null check (length(remote_id) <= 500),
  name text not null,
  handle text not null,
  picture_url text,
  profile_url text,
  added_by uuid,
  added_at timestamptz not null,
  seen_at timestamptz not null,
  via_channel_id uuid,
  posts_since timestamptz,
  next_at timestamptz,
  read_at timestamptz,
  tries int not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'read', 'late', 'gone', 'private', 'rights', 'signedOut')),
  problem jsonb,
  removed_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade
);
create unique index competitor_once on competitor (org_id, project_id, platform, remote_id) where removed_at is null;
create index competitor_due on competitor (next_at) where next_at is not null and removed_at is null;
create index competitor_removed on competitor (removed_at) where removed_at is not null;
select tenant_table('competitor');

create table competitor_figure (
  org_id uuid not null,
  competitor_id uuid not null,
  day date not null,
  name text not null,
  value bigint not null,
  read_at timestamptz not null,
  primary key (org_id, competitor_id, name, day),
  foreign key (org_id, competitor_id) references competitor(org_id, id) on delete cascade
);
select tenant_table('competitor_figure', 'select');

create table competitor_post (
  org_id uuid not null,
  competitor_id uuid not null,
  remote_id text not null check (length(remote_id) <= 500),
  published_at timestamptz not null,
  excerpt text not null,
  permalink text,
  figures jsonb not null default '{}',
  read_at timestamptz not null,
  primary key (org_id, competitor_id, remote_id),
  foreign key (org_id, competitor_id) references competitor(org_id, id) on delete cascade
);
create index competitor_post_published on competitor_post (org_id, competitor_id, published_at);
select tenant_table('competitor_post', 'select');
