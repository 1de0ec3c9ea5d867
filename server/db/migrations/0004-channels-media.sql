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
  -- refreshes begun since the last one that was stored
  refresh_tries int not null default 0,
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

-- Claims the account for the trial of the transaction's organization; false when another one's trial had it.
create function claim_trial_channel(platform text, remote_id text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine uuid := current_setting('app.org_id')::uuid;
begin
  insert into trial_channel as t (platform, remote_id, org_id) values (claim_trial_channel.platform, claim_trial_channel.remote_id, mine) on conflict do nothing;
  return exists (select 1 from trial_channel t where t.platform = claim_trial_channel.platform and t.remote_id = claim_trial_channel.remote_id and t.org_id = mine);
end $$;
revoke all on function claim_trial_channel from public;
grant execute on function claim_trial_channel to rookery_app;

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
  -- why it was refused, in words
  problem text,
  -- the file's place in the media store
  store_key text not null,
  derived_from uuid,
  created_at timestamptz not null,
  created_by uuid references person,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create index asset_project on asset (org_id, project_id, created_at desc);
-- uploads that were never finished
create index asset_uploading on asset (created_at) where state = 'uploading';
select tenant_table('asset');
