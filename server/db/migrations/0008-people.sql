-- Pictures, second factors and changes of address. All of it belongs to a person, none of it to an organization.

alter table person drop column picture_asset;
alter table person add column picture_id uuid;
-- a new address that waits for its code; the code's row carries the address that it was sent to
alter table person add column pending_email text check (pending_email = lower(pending_email));
-- the authenticator app's secret, sealed like channel tokens; null: none
alter table person add column totp_sealed bytea;
alter table person add column totp_key_id text;
alter table person add column totp_confirmed_at timestamptz;
alter table person add constraint person_totp_whole check ((totp_sealed is null) = (totp_key_id is null) and (totp_sealed is null) = (totp_confirmed_at is null));
-- the secret of an app that is being set up: counts for nothing before a code of it was entered
alter table person add column totp_pending_sealed bytea;
alter table person add column totp_pending_key_id text;
alter table person add column totp_pending_at timestamptz;
-- the time step of the last code that was taken: a code counts once
alter table person add column totp_last_step bigint;
grant select (picture_id) on person to rookery_app;

create table person_picture (
  id uuid primary key,
  person_id uuid not null references person on delete cascade,
  -- WebP of 256 by 256
  bytes bytea not null,
  created_at timestamptz not null
);
create index person_picture_person on person_picture (person_id);
select global_table('person_picture');

create table recovery_code (
  person_id uuid not null references person on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (person_id, code_hash)
);
select global_table('recovery_code');

-- A login whose password was right and which waits for its second factor.
create table login_challenge (
  token_hash bytea primary key,
  person_id uuid not null references person on delete cascade,
  expires_at timestamptz not null,
  attempts int not null default 0
);
create index login_challenge_person on login_challenge (person_id);
select global_table('login_challenge');

create table passkey (
  id uuid primary key,
  person_id uuid not null references person on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_person on passkey (person_id);
select global_table('passkey');

-- A challenge of the browser's WebAuthn call counts once. Without a person: for a login.
create table passkey_challenge (
  challenge_hash bytea primary key,
  person_id uuid references person on delete cascade,
  expires_at timestamptz not null
);
select global_table('passkey_challenge');
