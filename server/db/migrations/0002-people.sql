-- People and how they sign in. They belong to no organization: one person can be a member of several.

create table person (
  id uuid primary key,
  email text not null check (email = lower(email)),
  -- a new address that waits for its code; the code's row carries the address it was sent to
  pending_email text check (pending_email = lower(pending_email)),
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  picture_id uuid,

  -- when the email address was confirmed
  confirmed_at timestamptz,
  -- the invitation that the account was created from, until the address is confirmed: the right code then accepts it
  signup_invite_id uuid,
  setup_completed boolean not null default false,
  setup_features text[] not null default '{}',
  last_org_id uuid,
  last_project_id uuid,

  -- the secret of the authenticator app, sealed like channel tokens; null: there is none
  totp_sealed bytea,
  totp_key_id text,
  totp_confirmed_at timestamptz,
  -- the secret of an app that is being set up: worth nothing until a code from it was entered
  totp_pending_sealed bytea,
  totp_pending_key_id text,
  totp_pending_at timestamptz,
  -- the time step of the last accepted code: a code works once
  totp_last_step bigint,

  created_at timestamptz not null,
  constraint person_totp_whole check ((totp_sealed is null) = (totp_key_id is null) and (totp_sealed is null) = (totp_confirmed_at is null))
);
create unique index person_email on person (email);
select global_table('person');

create table person_picture (
  id uuid primary key,
  person_id uuid not null references person on delete cascade,
  -- WebP, 256 by 256 pixels
  bytes bytea not null,
  created_at timestamptz not null
);
create index person_picture_person on person_picture (person_id);
select global_table('person_picture');

create table session (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null references person on delete cascade,
  -- browser and operating system in a few words, for the list in the profile
  client text not null default '',
  -- whether a second factor was shown in this session
  second_factor boolean not null default false,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index session_person on session (person_id);
select global_table('session');

-- The current 6-digit code of a person; a new one replaces it. Attempts are counted in one statement.
create table verification_code (
  person_id uuid primary key references person on delete cascade,
  code_hash bytea not null,
  email text not null,
  attempts int not null default 0,
  issued_at timestamptz not null,
  expires_at timestamptz not null
);
select global_table('verification_code');

create table reset_link (
  token_hash bytea primary key,
  person_id uuid not null references person on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
select global_table('reset_link');

-- A sign-in whose password was right and that waits for the second factor.
create table login_challenge (
  token_hash bytea primary key,
  person_id uuid not null references person on delete cascade,
  attempts int not null default 0,
  expires_at timestamptz not null
);
create index login_challenge_person on login_challenge (person_id);
select global_table('login_challenge');

create table recovery_code (
  person_id uuid not null references person on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (person_id, code_hash)
);
select global_table('recovery_code');

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

-- A challenge of the browser's WebAuthn call, which works once. Without a person: for signing in.
create table passkey_challenge (
  challenge_hash bytea primary key,
  person_id uuid references person on delete cascade,
  expires_at timestamptz not null
);
select global_table('passkey_challenge');

-- A solved human check works once.
create table human_solution (
  solution_hash bytea primary key,
  expires_at timestamptz not null
);
select global_table('human_solution');

create table notice_preference (
  person_id uuid not null references person on delete cascade,
  topic text not null,
  in_app boolean not null,
  mail boolean not null,
  primary key (person_id, topic)
);
select global_table('notice_preference');
