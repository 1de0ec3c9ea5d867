create table channel (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  platform text not null,
  -- the platform's own id of the account, such as a DID
  remote_id text not null,
  name text not null,
  handle text not null,
  picture_url text,
  -- the server of a federated account, such as https://bsky.social
  service text,
  status text not null default 'CONNECTED' check (status in ('CONNECTED', 'DISCONNECTED', 'TOKEN_EXPIRED')),
  enabled boolean not null default true,
  simulated boolean not null default false,
  -- null: the project's zone
  zone text,
  lateness_minutes int not null default 60,
  problem text,
  connected_at timestamptz not null,
  connected_by uuid not null references person,
  deleted_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create unique index channel_account on channel (org_id, project_id, platform, remote_id) where deleted_at is null;
select tenant_table('channel');

-- Tokens, sealed with AES-256-GCM and bound to their row; rotating ones are refreshed under a lease, and the journal
-- column keeps the answer of a refresh whose storing was interrupted from being spent twice.
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
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel on delete cascade
);
select tenant_table('channel_secret');

-- A platform account that was used on a trial cannot be used on another trial.
create table trial_channel (
  platform text not null,
  remote_id text not null,
  org_id uuid not null,
  primary key (platform, remote_id)
);
select global_table('trial_channel');

create table asset (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  state text not null check (state in ('uploading', 'ready', 'refused')),
  file_name text not null,
  content_type text not null,
  bytes bigint not null,
  width int,
  height int,
  alt_text text not null default '',
  -- the file's place in the media store
  store_key text not null,
  derived_from uuid,
  created_at timestamptz not null,
  created_by uuid references person,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create index asset_project on asset (org_id, project_id, created_at desc);
select tenant_table('asset');
