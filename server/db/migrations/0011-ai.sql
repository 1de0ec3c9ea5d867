-- Generated drafts: who wrote a post's first text, one run for each channel, and credits by month.

alter table post add column origin text not null default 'person' check (origin in ('person', 'ai'));
create index post_ai_drafts on post (org_id, channel_id, created_at) where origin = 'ai' and state = 'DRAFTS';

create table ai_run (
  org_id uuid not null,
  channel_id uuid not null,
  project_id uuid not null,
  state text not null check (state in ('running', 'done', 'failed')),
  -- the error code of a failed run, and its words for people
  code text,
  problem text,
  posts_read int not null default 0,
  profile jsonb,
  -- how often the job began; after a few it is given up
  tries int not null default 0,
  -- credits that this run holds, and the month that they were taken from
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
