-- What the publishing engine works with (docs/publishing.md); functions/claim_posts.sql and its neighbors write it.

-- One lane per channel: one post at a time, in the order of due steps. `wake_at` is set in the transaction that changes any
-- of its causes: the next due step, a refilled budget, the end of a lease. Null: nothing to do.
create table lane (
  org_id uuid not null,
  channel_id uuid not null,
  platform text not null,
  -- whose app credentials the calls count against
  credentials text not null default 'own',
  wake_at timestamptz,
  -- held while a post is being sent: by which node and attempt, and until when. A leased lane wakes when its lease ends
  lease_id uuid,
  lease_by uuid,
  lease_until timestamptz,
  -- by a person or an expired token: due posts wait until they are too late
  paused boolean not null default false,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel on delete cascade
);
create index lane_wake on lane (platform, wake_at) where wake_at is not null;
create index lane_lease on lane (lease_by) where lease_by is not null;
-- which channels use an app
create index lane_credentials on lane (org_id, platform, credentials) where credentials <> 'own';
-- who else sends with the same credentials, across organizations
create index lane_shared on lane (platform, credentials, wake_at);
select tenant_table('lane');

-- Follow-ups of a post: the further items of a thread, its first comment, its place in a playlist. Each is one irreversible
-- call with a key of its own, and is recorded in the commit that records the post as published.
create table post_part (
  org_id uuid not null,
  post_id uuid not null,
  key text not null,
  -- the order in which they follow
  place int not null,
  kind text not null check (kind in ('item', 'comment', 'playlist')),
  -- of a thread's item: its index in the post's contents
  item int,
  -- derived from the post's own key, so that every backup with the post has it too
  send_key text not null,
  -- unsure: it may have been published, and reading couldn't tell
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'unsure')),
  remote_id text,
  progress jsonb not null default '{}',
  -- why it failed or what it waits for
  reason text,
  sent_at timestamptz,
  primary key (org_id, post_id, key),
  foreign key (org_id, post_id) references post on delete cascade
);
select tenant_table('post_part', 'select, update');

-- Written before every irreversible call and closed after it; kept for 30 days with a redacted log of the exchange.
create table attempt (
  org_id uuid not null,
  id uuid not null,
  post_id uuid not null,
  channel_id uuid not null,
  fence int not null,
  step text not null,
  -- of a follow-up: its key
  part text,
  node_id uuid not null,
  send_key text,
  started_at timestamptz not null,
  finished_at timestamptz,
  outcome text,
  exchange jsonb,
  primary key (org_id, started_at, id)
) partition by range (started_at);
create index attempt_post on attempt (org_id, post_id, started_at);
-- what a node works on right now: looked up when it dies
create index attempt_open on attempt (node_id) where finished_at is null;
-- rows outside of all partitions (functions/partitions.sql)
create table attempt_default partition of attempt default;
select tenant_table('attempt', 'select');

-- A channel's queue: weekly slots for the posts that wait in it.
create table queue (
  org_id uuid not null,
  channel_id uuid not null,
  zone text not null,
  -- [{day: 0..6 from Sunday, time: 'HH:mm'}], sorted
  slots jsonb not null default '[]',
  paused boolean not null default false,
  -- raised by every change of slots, state or order: reordering an outdated queue is refused
  version int not null default 1,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel on delete cascade
);
select tenant_table('queue');

-- Running programs. One that is silent for longer than its heartbeat allows loses its leases.
create table node (
  id uuid primary key,
  role text not null check (role in ('publishing', 'jobs')),
  -- of 'jobs': the id under which the job library keeps its locks
  pool_id text,
  host text not null default '',
  started_at timestamptz not null,
  seen_at timestamptz not null
);
select global_table('node');

-- Publishing that a person stopped: everything, a platform, credentials, or an organization. Checked by every claim.
create table kill_switch (
  scope text not null check (scope in ('all', 'platform', 'credentials', 'organization')),
  name text not null default '',
  reason text not null,
  since timestamptz not null,
  primary key (scope, name)
);
select global_table('kill_switch');
grant select on kill_switch to rookery_app;

-- How punctual publishing was, by hour: for the metric and the operations page.
create table punctuality (
  hour timestamptz not null,
  platform text not null,
  posts int not null default 0,
  -- milliseconds between the due time and the first call, counted in buckets of powers of two
  buckets int[] not null default array_fill(0, array[32]),
  primary key (hour, platform)
);
select global_table('punctuality');
