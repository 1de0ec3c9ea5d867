create table batch (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  author_id uuid not null references person,
  intent text not null,
  -- the draft that it used up: its id cannot be saved to again
  draft_id uuid,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create unique index batch_draft on batch (org_id, draft_id) where draft_id is not null;
select tenant_table('batch');

-- A post is one content for one channel at one time. A draft may lack its channel and carries the composer's state.
create table post (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  batch_id uuid,
  channel_id uuid,
  author_id uuid not null references person,
  state text not null check (state in ('DRAFTS', 'NEEDS_APPROVAL', 'REJECTED', 'APPROVED', 'SCHEDULED', 'QUEUED', 'PROCESSING', 'UNCONFIRMED', 'PUBLISHED', 'FAILED', 'DELETED')),
  post_type text not null,
  -- [{title?, text, media: [{assetId, altText?}]}]
  contents jsonb not null,
  details jsonb not null default '{}',
  draft jsonb,
  excerpt text not null default '',
  images int not null default 0,
  -- what was asked: wall time and zone are kept, the instant follows from them
  schedule jsonb not null,
  wall_time text,
  zone text not null,
  due_at timestamptz,
  -- the time under which lists and the calendar show the post
  shown_at timestamptz not null,
  version int not null default 1,

  -- the machine's part: when it should next look at this post (null: never), at which step, and its guard
  step text check (step in ('prepare', 'send', 'poll', 'readback', 'settle')),
  step_at timestamptz,
  fence int not null default 0,
  tries int not null default 0,
  -- when settling first read that the post is not there
  absent_at timestamptz,
  -- chosen before the first irreversible call, such as a record key: tells afterwards whether it landed
  send_key text,
  -- what the adapter keeps between steps: containers, uploaded blobs
  progress jsonb not null default '{}',

  remote_id text,
  permalink text,
  sent_at timestamptz,
  published_at timestamptz,
  failure jsonb,
  warning text,
  deleted_from text,
  created_at timestamptz not null,
  updated_at timestamptz not null,

  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade,
  foreign key (org_id, channel_id) references channel,
  foreign key (org_id, batch_id) references batch,
  check (channel_id is not null or state in ('DRAFTS', 'DELETED')),
  check (step_at is null or (step is not null and channel_id is not null))
);
create index post_shown on post (org_id, project_id, shown_at, id);
create index post_state on post (org_id, project_id, state, shown_at);
create index post_step on post (org_id, channel_id, step_at, id) where step_at is not null;
create index post_author on post (org_id, project_id, author_id);
-- the watchdog's: what is due and not yet sent, whatever its lane says
create index post_overdue on post (due_at) where state = 'SCHEDULED';
create index post_batch on post (org_id, batch_id);
-- the scheduled-post cap counts these
create index post_pending on post (org_id, channel_id) where state in ('SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL');
select tenant_table('post');

create table post_event (
  org_id uuid not null,
  post_id uuid not null,
  id uuid not null,
  kind text not null,
  at timestamptz not null,
  person_id uuid,
  due_at timestamptz,
  note text,
  primary key (org_id, post_id, id),
  foreign key (org_id, post_id) references post on delete cascade
);
select tenant_table('post_event', 'select, insert');

create table idempotency (
  org_id uuid not null references organization on delete cascade,
  key text not null,
  endpoint text not null,
  body_hash bytea not null,
  status int not null,
  reply jsonb not null,
  created_at timestamptz not null,
  primary key (org_id, endpoint, key)
);
select tenant_table('idempotency');
