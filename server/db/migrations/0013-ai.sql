-- Generated drafts: one run per channel, and credits per month.

create table ai_run (
  org_id uuid not null,
  channel_id uuid not null,
  project_id uuid not null,
  state text not null check (state in ('running', 'done', 'failed')),
  -- the error code of a failed run, and what the platform answered instead of posts
  code text,
  problem text,
  -- why the model wrote no drafts, as a code
  why text,
  posts_read int not null default 0,
  profile jsonb,
  -- how often the job began; it gives up after a few
  tries int not null default 0,
  -- credits that this run reserves, and the month that they were taken from
  credits int not null default 0,
  credits_month date,
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel on delete cascade
);
select tenant_table('ai_run');

create table ai_usage (
  org_id uuid not null references organization on delete cascade,
  -- the first day of the month, in UTC
  month date not null,
  used int not null default 0,
  primary key (org_id, month)
);
select tenant_table('ai_usage', 'select, insert, update');
