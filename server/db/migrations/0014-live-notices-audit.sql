-- Live updates, notices, the audit log, and exports.

-- What open screens should know about; kept for 24 hours. `xid` orders rows by when they become visible to readers.
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

-- One notice per person and dedupe key: when the same thing happens again, the row is updated and becomes unread.
create table notice (
  org_id uuid not null references organization on delete cascade,
  id uuid not null,
  person_id uuid not null references person on delete cascade,
  project_id uuid,
  -- the channels that it is about: hidden from people who were since limited to others. Null: the project as a whole
  channel_ids uuid[],
  dedupe_key text not null,
  -- the facts, by kind: they are worded where they are shown
  kind text not null,
  params jsonb not null,
  count int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  read_at timestamptz,
  -- false: kept so that its key stays one row, and shown nowhere
  in_app boolean not null default true,
  -- when its email is due; while it is being sent, when to try again. Null: none is to be sent
  mail_due_at timestamptz,
  -- shared by all notices of one email
  mail_id uuid,
  mailed_at timestamptz,
  primary key (org_id, id)
);
create unique index notice_dedupe_key on notice (org_id, person_id, dedupe_key);
create index notice_person on notice (org_id, person_id, updated_at desc);
create index notice_mail_due on notice (mail_due_at) where mail_due_at is not null;
select tenant_table('notice');

-- Who did what; ids instead of names. Rows are only added. Seals are written by their job alone, and rows are deleted only
-- with their organization, by a role that can do nothing else (roles.ts).
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
  -- written by the sealing job: a hash chain per organization
  sealed_seq bigint,
  seal bytea,
  primary key (org_id, at, id)
) partition by range (at);
create index audit_entity on audit (org_id, entity, entity_id, at);
-- what waits for its seal
create index audit_unsealed on audit (org_id, at, id) where seal is null;
create table audit_default partition of audit default;
select tenant_table('audit', 'select');
grant insert (org_id, id, at, project_id, person_id, action, entity, entity_id, detail) on audit to rookery_app;
revoke insert, update, delete on audit from rookery_system;
grant insert (org_id, id, at, project_id, person_id, action, entity, entity_id, detail) on audit to rookery_system;
grant update (sealed_seq, seal) on audit to rookery_system;

-- Client addresses, which can be erased without touching the audit log.
create table audit_client (
  org_id uuid not null,
  audit_id uuid not null,
  address text not null,
  at timestamptz not null,
  primary key (org_id, audit_id)
);
select tenant_table('audit_client', 'select, insert');

-- Where each organization's chain ends, so that its last rows can't be removed unnoticed.
create table audit_seal (
  org_id uuid primary key,
  seq bigint not null,
  seal bytea not null,
  sealed_at timestamptz not null
);
select tenant_table('audit_seal', 'select');
revoke delete on audit_seal from rookery_system;

alter policy everything on audit to rookery_owner, rookery_system, rookery_purge;
alter policy everything on audit_client to rookery_owner, rookery_system, rookery_purge;
alter policy everything on audit_seal to rookery_owner, rookery_system, rookery_purge;
grant select (org_id), delete on audit, audit_client, audit_seal to rookery_purge;

-- Exports of an organization's data; the file is in DATA_DIR/exports or the object store, named by the id.
create table org_export (
  org_id uuid not null references organization on delete cascade,
  id uuid not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'ready', 'failed', 'gone')),
  -- 0 to 100
  progress int not null default 0,
  bytes bigint,
  requested_by uuid not null,
  requested_at timestamptz not null,
  expires_at timestamptz,
  primary key (org_id, id)
);
-- one at a time
create unique index org_export_one on org_export (org_id) where status in ('waiting', 'running');
create index org_export_expiry on org_export (expires_at) where status = 'ready';
select tenant_table('org_export');
