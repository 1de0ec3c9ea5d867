-- Connecting by a platform's own page, the health of a channel's sign-in, and deletion as a job.

alter table channel add column deleting_at timestamptz;
alter table channel add column deleting_by uuid references person;
-- when the sign-in was last seen to work
alter table channel add column checked_at timestamptz;
-- when it is looked at again: a day after the last look, sooner after one that told nothing. Null: as soon as possible
alter table channel add column check_at timestamptz;
create index channel_check on channel (check_at nulls first) where status = 'CONNECTED' and deleted_at is null and deleting_at is null;
-- when it ends by itself, and when people were warned of that
alter table channel add column sign_in_ends_at timestamptz;
alter table channel add column warned_at timestamptz;
-- the beginning of its last absence: disabled by a person, or signed out. Posts that became late since then wait for a person
alter table channel add column away_since timestamptz;

-- late posts of a channel, which wait for a person
create index post_failed on post (org_id, channel_id) where state = 'FAILED';

-- One attempt to connect: from leaving for the platform until its accounts are chosen.
create table connect_flow (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  person_id uuid not null references person on delete cascade,
  platform text not null,
  state_hash bytea not null unique,
  -- what the adapter keeps between its steps, and then the offered accounts with their secrets, sealed
  key_id text not null,
  sealed bytea not null,
  channel_id uuid,
  answered_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create index connect_flow_expiry on connect_flow (expires_at);
select tenant_table('connect_flow');

-- The key by which this installation proves to a platform who it is, where a description and not a password names it.
create table client_key (
  platform text primary key,
  key_id text not null,
  sealed bytea not null,
  made_at timestamptz not null
);
select global_table('client_key');
