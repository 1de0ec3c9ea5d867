create table person (
  id uuid primary key,
  email text not null check (email = lower(email)),
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  picture_asset uuid,
  confirmed_at timestamptz,
  setup_completed boolean not null default false,
  setup_features text[] not null default '{}',
  last_org_id uuid,
  last_project_id uuid,
  created_at timestamptz not null
);
create unique index person_email on person (email);
select global_table('person');

create table session (
  id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null references person on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- browser and system in a few words, for the list in the profile
  client text not null default ''
);
create index session_person on session (person_id);
select global_table('session');

-- The current 6-digit code of a person; a new one replaces it. Attempts are counted in one statement.
create table verification_code (
  person_id uuid primary key references person on delete cascade,
  code_hash bytea not null,
  email text not null,
  expires_at timestamptz not null,
  attempts int not null default 0,
  issued_at timestamptz not null
);
select global_table('verification_code');

create table reset_link (
  token_hash bytea primary key,
  person_id uuid not null references person on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
select global_table('reset_link');

-- A solved human check counts once.
create table human_solution (
  solution_hash bytea primary key,
  expires_at timestamptz not null
);
select global_table('human_solution');

-- Everything that is counted per window: logins, codes, and the platforms' budgets. One update per key and batch.
create table budget (
  key text primary key,
  window_ends_at timestamptz not null,
  used int not null default 0,
  -- set by a platform that asked to wait
  closed_until timestamptz
);
select global_table('budget');
