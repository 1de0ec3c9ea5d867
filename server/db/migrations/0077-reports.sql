-- Reports: figures in blocks that people save, share by link and have sent (docs/reports.md).

-- How an organization's reports look.
create table organization_brand (
  org_id uuid not null,
  -- the color of headings, rules and covers, as #rrggbb
  accent text,
  -- PNG; a new picture has a new id
  logo_id uuid,
  logo bytea,
  updated_at timestamptz not null,
  primary key (org_id),
  foreign key (org_id) references organization(org_id) on delete cascade,
  check ((logo_id is null) = (logo is null))
);
select tenant_table('organization_brand');

create table report (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  -- ReportContent of contract/reports/content.ts
  content jsonb not null,
  version int not null default 1,
  created_at timestamptz not null,
  created_by uuid,
  updated_at timestamptz not null,
  updated_by uuid,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade
);
create index report_project on report (org_id, project_id, updated_at);
select tenant_table('report');

-- Addresses under which people see a report without an account: what the role of `person_id` may see at that moment.
create table report_link (
  org_id uuid not null,
  id uuid not null,
  report_id uuid not null,
  name text not null,
  token_hash bytea not null,
  person_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- when it was opened first and last, without programs that only load ahead
  opened_at timestamptz,
  last_opened_at timestamptz,
  primary key (org_id, id),
  unique (token_hash),
  foreign key (org_id, report_id) references report(org_id, id) on delete cascade
);
create index report_link_report on report_link (org_id, report_id, created_at);
select tenant_table('report_link');

-- When a report is sent: at a wall time in a zone.
create table report_schedule (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  report_id uuid not null,
  -- whose role decides what those without an account get
  owner_id uuid not null,
  frequency text not null check (frequency in ('weekly', 'monthly')),
  -- weekly: 0 (Sunday) to 6; monthly: 1 to 31, where a shorter month's last day stands in
  day int not null check (case frequency when 'weekly' then day between 0 and 6 else day between 1 and 31 end),
  -- HH:MM
  wall_time text not null,
  zone text not null,
  -- how many days a run waits for final figures at most
  wait_days int not null check (wait_days between 0 and 7),
  next_due_at timestamptz not null,
  -- by a person, by the plan, or because its owner lost the right; the last two end by themselves
  paused text check (paused in ('person', 'plan', 'owner')),
  paused_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, report_id) references report(org_id, id) on delete cascade,
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  check ((paused is null) = (paused_at is null))
);
create index report_schedule_due on report_schedule (next_due_at) where paused is distinct from 'person';
create index report_schedule_report on report_schedule (org_id, report_id);
create index report_schedule_project on report_schedule (org_id, project_id);
select tenant_table('report_schedule');

-- Who gets it: a member, or an outside address once it has confirmed.
create table report_recipient (
  org_id uuid not null,
  id uuid not null,
  schedule_id uuid not null,
  person_id uuid,
  -- in lower case
  email text,
  -- of outside addresses: confirms, and ends the mails
  token_hash bytea,
  asked_at timestamptz,
  confirmed_at timestamptz,
  -- the address doesn't want it (any more)
  ended_at timestamptz,
  created_at timestamptz not null,
  primary key (org_id, id),
  unique (token_hash),
  foreign key (org_id, schedule_id) references report_schedule(org_id, id) on delete cascade,
  check ((person_id is null) <> (email is null)),
  check (email is null or token_hash is not null)
);
create unique index report_recipient_person on report_recipient (org_id, schedule_id, person_id) where person_id is not null;
create unique index report_recipient_email on report_recipient (org_id, schedule_id, email) where email is not null;
create index report_recipient_address on report_recipient (email) where email is not null;
select tenant_table('report_recipient');

-- One for each due time, written before anything is made or sent.
create table report_run (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  schedule_id uuid not null,
  due_at timestamptz not null,
  -- the due time of the schedule, or when a person asked for it
  asked boolean not null default false,
  -- the days that it covers
  from_day date not null,
  to_day date not null,
  state text not null check (state in ('waiting', 'making', 'sending', 'done', 'failed', 'skipped')),
  -- the code of what went wrong, or why it was skipped
  reason text,
  -- names of channels whose figures weren't final
  not_final jsonb not null default '[]',
  -- it waits for final figures until then at most
  wait_until timestamptz,
  next_try_at timestamptz,
  tries int not null default 0,
  -- who works on it, and until when that holds
  fence int not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (org_id, id),
  unique (org_id, schedule_id, due_at),
  foreign key (org_id, schedule_id) references report_schedule(org_id, id) on delete cascade,
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade
);
create index report_run_open on report_run (next_try_at) where state in ('waiting', 'making', 'sending');
create index report_run_schedule on report_run (org_id, schedule_id, due_at);
create index report_run_project on report_run (org_id, project_id);
select tenant_table('report_run');

-- What a run made: one file for each set of rights among its readers.
create table report_file (
  org_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  -- the rights it shows: Standing of server/reports/standing.ts, in a canonical order
  rights jsonb not null,
  -- where the bytes are in the media store; null once they were deleted
  media_key text,
  bytes int not null,
  pages int not null,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, run_id) references report_run(org_id, id) on delete cascade
);
create unique index report_file_rights on report_file (org_id, run_id, rights);
create index report_file_kept on report_file (created_at) where media_key is not null;
select tenant_table('report_file');

-- Each mail of a run, written before it's sent, so that none is sent twice.
create table report_mail (
  org_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  recipient_id uuid not null,
  -- to whom, as of the run
  email text not null,
  person_id uuid,
  file_id uuid,
  message_id text not null,
  -- unconfirmed: its sending was cut off, so nobody knows whether it arrived
  state text not null check (state in ('pending', 'sending', 'sent', 'unconfirmed', 'refused', 'failed', 'left_out')),
  reason text,
  at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, run_id, recipient_id),
  foreign key (org_id, run_id) references report_run(org_id, id) on delete cascade,
  foreign key (org_id, file_id) references report_file(org_id, id) on delete set null (file_id)
);
create index report_mail_file on report_mail (org_id, file_id) where file_id is not null;
select tenant_table('report_mail');
