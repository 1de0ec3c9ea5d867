-- Connected accounts, how they are connected, and with which credentials.

create table channel (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  platform text not null,
  -- the platform's own id of the account, such as a DID
  remote_id text not null,
  name text not null,
  handle text not null,
  -- what the account is at the platform, such as 'Page'
  kind text,
  picture_url text,
  -- our copy; lists build its address without reading the table of bytes
  picture_id uuid,
  -- the server of a federated account, such as https://bsky.social
  service text,
  -- the way it was signed in, where a platform has several
  variant text,
  -- permissions that were refused at the platform
  missing_rights text[] not null default '{}',
  -- where this account's limits differ from the platform's rules (contract/platforms/limits.ts), such as the longer texts
  -- of a verified account or the settings of a federated server. Read when connecting and once a day
  limits jsonb,
  -- null: the project's zone
  zone text,
  lateness_minutes int not null default 60,
  simulated boolean not null default false,

  status text not null default 'CONNECTED' check (status in ('CONNECTED', 'DISCONNECTED', 'TOKEN_EXPIRED')),
  enabled boolean not null default true,
  problem text,
  -- when the sign-in was last known to work
  checked_at timestamptz,
  -- when to check it next: a day after the last check, sooner after an inconclusive one. Null: as soon as possible
  check_at timestamptz,
  -- when the sign-in expires, and when people were warned about it
  sign_in_ends_at timestamptz,
  warned_at timestamptz,
  -- since when it has been disabled or signed out. Posts that became late since then wait for a person
  away_since timestamptz,
  plan_locked boolean not null default false,
  locked_at timestamptz,
  -- was enabled before the lock
  locked_enabled boolean not null default false,

  connected_at timestamptz not null,
  connected_by uuid not null references person,
  deleting_at timestamptz,
  deleting_by uuid references person,
  deleted_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create unique index channel_account on channel (org_id, project_id, platform, remote_id) where deleted_at is null;
create index channel_check on channel (check_at nulls first) where status = 'CONNECTED' and deleted_at is null and deleting_at is null;
select tenant_table('channel');

-- Tokens, sealed with AES-256-GCM and bound to their row. Rotating ones are refreshed under a lease; `refresh_started_at`
-- remembers a refresh whose answer was never stored, so that a used-up token is not spent twice.
create table channel_secret (
  org_id uuid not null,
  channel_id uuid not null,
  key_id text not null,
  sealed bytea not null,
  expires_at timestamptz,
  version int not null default 1,
  refresh_lease_until timestamptz,
  refresh_lease_by text,
  refresh_started_at timestamptz,
  -- refreshes begun since the last one that was stored
  refresh_tries int not null default 0,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel on delete cascade
);
select tenant_table('channel_secret');

-- Copies of account pictures: browsers load them from here and never from a platform's server.
create table channel_picture (
  org_id uuid not null,
  channel_id uuid not null,
  id uuid not null,
  -- the platform's address when it was fetched; a new address is fetched at the next daily check
  source_url text not null,
  bytes bytea not null check (octet_length(bytes) <= 100000),
  fetched_at timestamptz not null,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel on delete cascade
);
select tenant_table('channel_picture');

-- An account that was used on one organization's trial can't be used on another one's.
create table trial_channel (
  platform text not null,
  remote_id text not null,
  org_id uuid not null,
  primary key (platform, remote_id)
);
select global_table('trial_channel');

-- One attempt to connect: from leaving for the platform until the accounts are chosen.
create table connect_flow (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  person_id uuid not null references person on delete cascade,
  platform text not null,
  -- the app and the way it was started with: the answer is accepted by the same
  client_id text,
  variant text,
  state_hash bytea not null unique,
  -- what the adapter keeps between its steps, then the offered accounts with their secrets, sealed
  key_id text not null,
  sealed bytea not null,
  -- the channel that is being reconnected
  channel_id uuid,
  answered_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create index connect_flow_expiry on connect_flow (expires_at);
select tenant_table('connect_flow');

-- An organization's own app at a platform. It takes precedence over the installation's app.
create table app_credentials (
  org_id uuid not null references organization on delete cascade,
  platform text not null,
  client_id text not null,
  -- whether it is an app of the platform's sandbox, where there is one (Pinterest)
  sandbox boolean not null default false,
  -- the secret, sealed and bound to this row
  key_id text not null,
  sealed bytea not null,
  set_by uuid not null references person,
  set_at timestamptz not null,
  primary key (org_id, platform)
);
select tenant_table('app_credentials');

-- Apps that this installation registered at single servers of a federated platform, per redirect address.
create table instance_app (
  platform text not null,
  origin text not null,
  redirect_uri text not null,
  key_id text not null,
  sealed bytea not null,
  made_at timestamptz not null,
  -- when the server was last known to accept the app
  checked_at timestamptz,
  primary key (platform, origin, redirect_uri)
);
select global_table('instance_app');

-- The key that identifies this installation at platforms that take a client's published description instead of a secret.
create table client_key (
  platform text primary key,
  key_id text not null,
  sealed bytea not null,
  made_at timestamptz not null
);
select global_table('client_key');
