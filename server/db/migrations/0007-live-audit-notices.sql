-- What open screens should know of; kept 24 h. xid orders the rows by what a reader can already see.
create table event (
  id bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null,
  org_id uuid not null,
  project_id uuid,
  -- null: for every member of the project; otherwise for this person alone
  person_id uuid,
  kind text not null,
  ref text not null,
  primary key (org_id, at, id)
) partition by range (at);
create index event_cursor on event (xid, id);
create table event_default partition of event default;
select tenant_table('event', 'insert');

-- Who did what; ids, not names. The app's role may only insert and read.
create table audit (
  org_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  project_id uuid,
  person_id uuid,
  action text not null,
  entity text not null,
  entity_id text,
  -- small facts before and after
  detail jsonb not null default '{}',
  -- filled by the sealing job: a hash chain per organization
  sealed_seq bigint,
  seal bytea,
  primary key (org_id, at, id)
) partition by range (at);
create table audit_default partition of audit default;
create index audit_entity on audit (org_id, entity, entity_id, at);
select tenant_table('audit', 'select, insert');

-- Addresses of clients, erasable without touching the audit.
create table audit_client (
  org_id uuid not null,
  audit_id uuid not null,
  address text not null,
  at timestamptz not null,
  primary key (org_id, audit_id)
);
select tenant_table('audit_client', 'select, insert');

-- One notice per matter and person; a matter that comes again is the same row, unread again.
create table notice (
  org_id uuid not null references organization on delete cascade,
  id uuid not null,
  person_id uuid not null references person on delete cascade,
  project_id uuid,
  matter text not null,
  kind text not null,
  title text not null,
  body text not null,
  link text,
  count int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  read_at timestamptz,
  mailed_at timestamptz,
  primary key (org_id, id)
);
create unique index notice_matter on notice (org_id, person_id, matter);
create index notice_person on notice (org_id, person_id, updated_at desc);
select tenant_table('notice');
