-- What organizations registered at platforms, what this installation registered at single servers, and what a sign-in was made with.

-- An organization's own app at a platform. It wins over the one of the installation.
create table app_credentials (
  org_id uuid not null references organization on delete cascade,
  platform text not null,
  client_id text not null,
  -- the secret, sealed and bound to this row
  key_id text not null,
  sealed bytea not null,
  set_by uuid not null references person,
  set_at timestamptz not null,
  primary key (org_id, platform)
);
select tenant_table('app_credentials');

-- Where every server of a federated platform has its own register: the app that was made there, for one way back.
create table instance_app (
  platform text not null,
  origin text not null,
  redirect_uri text not null,
  key_id text not null,
  sealed bytea not null,
  made_at timestamptz not null,
  primary key (platform, origin, redirect_uri)
);
select global_table('instance_app');

-- the app and the way that an attempt was begun with: its answer is taken by the same
alter table connect_flow add column client_id text;
alter table connect_flow add column variant text;

-- what the account is at the platform ('Page'), by which way it was signed in, and which rights were refused
alter table channel add column kind text;
alter table channel add column variant text;
alter table channel add column missing_rights text[] not null default '{}';

-- which channels stand on which app
create index lane_credentials on lane (org_id, platform, credentials) where credentials <> 'own';
