-- Posts and what belongs to them.

-- The posts that were submitted together.
create table batch (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  author_id uuid not null references person,
  intent text not null,
  -- the draft that was submitted: its id can't be saved to again. Moves on when a post becomes a draft again and is resubmitted
  draft_id uuid,
  -- the first draft, for good: all posts of the batch show the notes that were written on it
  composed_in uuid,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create unique index batch_draft on batch (org_id, draft_id) where draft_id is not null;
create index batch_composed_in on batch (org_id, composed_in) where composed_in is not null;
select tenant_table('batch');

-- A recurrence makes a limited series of posts; each can later get its own text or time.
create table series (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  -- the contract's Recurrence
  recurrence jsonb not null,
  created_at timestamptz not null,
  created_by uuid not null references person,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
select tenant_table('series');

-- One content for one channel at one time. A draft may lack its channel and carries the composer's state.
create table post (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  batch_id uuid,
  channel_id uuid,
  author_id uuid not null references person,
  -- who wrote the first text
  origin text not null default 'person' check (origin in ('person', 'ai')),
  state text not null check (state in ('DRAFTS', 'NEEDS_APPROVAL', 'REJECTED', 'APPROVED', 'SCHEDULED', 'QUEUED', 'PROCESSING', 'UNCONFIRMED', 'PUBLISHED', 'FAILED', 'DELETED')),
  -- the state before it was deleted
  deleted_from text,
  post_type text not null,
  -- [{title?, text, media: [{assetId, altText?}]}]
  contents jsonb not null,
  details jsonb not null default '{}',
  first_comment text not null default '',
  -- ids of members, pages and the like that the text mentions, as the platform wants them
  mentions jsonb not null default '[]',
  draft jsonb,
  excerpt text not null default '',
  images int not null default 0,

  -- what was asked for: wall time and zone are kept, `due_at` follows from them
  schedule jsonb not null,
  wall_time text,
  zone text not null,
  due_at timestamptz,
  -- the time at which lists and the calendar show the post
  shown_at timestamptz not null,
  -- its place among the QUEUED posts of its channel; null for all others
  queue_order bigint,
  series_id uuid,
  -- its place in the series, from 0; stays when the post is moved
  series_index int,
  -- how many posts the series made
  series_count int,
  -- its text was edited on its own: an edit of the whole series skips it
  series_apart boolean not null default false,
  version int not null default 1,

  -- publishing: when to work on this post next (null: never), at which step, and the fence against outdated workers
  step text check (step in ('prepare', 'send', 'poll', 'readback', 'settle', 'part', 'settlePart')),
  step_at timestamptz,
  fence int not null default 0,
  tries int not null default 0,
  -- when a look at the platform after a lost answer first didn't find the post
  absent_at timestamptz,
  -- chosen before the first irreversible call, such as a record key: tells afterwards whether it succeeded
  send_key text,
  -- what the adapter keeps between steps: containers, uploaded blobs
  progress jsonb not null default '{}',
  -- the follow-up (post_part.key) that is being worked on; null: none is left
  part text,
  -- since when its follow-ups are wanted: their lateness counts from here
  parts_at timestamptz,
  -- another installation may have sent some of them (after a restore): each is looked up before it is sent
  parts_doubted boolean not null default false,

  remote_id text,
  permalink text,
  sent_at timestamptz,
  published_at timestamptz,
  failure jsonb,
  warning text,
  -- when its figures are read next; null: not on a platform, or no longer
  metrics_at timestamptz,

  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade,
  foreign key (org_id, channel_id) references channel,
  foreign key (org_id, batch_id) references batch,
  constraint post_series_fkey foreign key (org_id, series_id) references series,
  check (channel_id is not null or state in ('DRAFTS', 'DELETED')),
  check (step_at is null or (step is not null and channel_id is not null))
);
-- with what lists filter by, so that counting a project's posts reads no post
create index post_shown on post (org_id, project_id, shown_at, id) include (state, channel_id, author_id);
create index post_state on post (org_id, project_id, state, shown_at);
create index post_author on post (org_id, project_id, author_id);
create index post_batch on post (org_id, batch_id);
create index post_series on post (org_id, series_id, channel_id, series_index) where series_id is not null;
create index post_queue on post (org_id, channel_id, queue_order) where state = 'QUEUED';
-- the limit of scheduled posts counts these
create index post_pending on post (org_id, channel_id) where state in ('SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL');
-- late posts of a channel, which wait for a person
create index post_failed on post (org_id, channel_id) where state = 'FAILED';
create index post_ai_drafts on post (org_id, channel_id, created_at) where origin = 'ai' and state = 'DRAFTS';
-- posts with a time that publishing doesn't watch yet: new zone data moves them too
create index post_planned on post (due_at, id) where state in ('DRAFTS', 'NEEDS_APPROVAL', 'APPROVED', 'REJECTED') and wall_time is not null;
create index post_metrics_due on post (metrics_at) where metrics_at is not null;
-- the next step of a channel
create index post_step on post (org_id, channel_id, step_at, id) where step_at is not null;
-- for the watchdog: what is due and not sent yet, whatever its lane says, and what is being sent
create index post_overdue on post (due_at) where state in ('SCHEDULED', 'QUEUED');
create index post_on_its_way on post (step_at) where state = 'PROCESSING';
create index post_parts_on_their_way on post (step_at) where state = 'PUBLISHED' and step is not null;
select tenant_table('post');

-- The timeline of a post.
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

-- Which posts use which file: written with the post, read by the library and by the cleanup of unused files.
create table post_asset (
  org_id uuid not null,
  post_id uuid not null,
  asset_id uuid not null,
  primary key (org_id, post_id, asset_id),
  foreign key (org_id, post_id) references post on delete cascade,
  foreign key (org_id, asset_id) references asset on delete cascade
);
create index post_asset_asset on post_asset (org_id, asset_id);
select tenant_table('post_asset');

-- The words of posts, for the search. Not in `post`, whose rows change often while their words hardly ever do: each change
-- of a row would write the index again. A trigger keeps it (functions/search.sql).
create table post_text (
  org_id uuid not null,
  post_id uuid not null,
  project_id uuid not null,
  words tsvector not null,
  primary key (org_id, post_id),
  foreign key (org_id, post_id) references post on delete cascade
);
create index post_text_words on post_text using gin (words);
select tenant_table('post_text', 'select');

-- Who is editing a post right now, on any node. Unlogged: a crash loses it, and editors repeat it within seconds.
create unlogged table post_editor (
  org_id uuid not null,
  post_id uuid not null,
  person_id uuid not null references person on delete cascade,
  until timestamptz not null,
  primary key (org_id, post_id, person_id),
  foreign key (org_id, post_id) references post on delete cascade
);
select tenant_table('post_editor');

-- An edit of a published post: written before the call to the platform and deleted with its answer. A row that nobody works
-- on was interrupted; making the edit again does no harm.
create table post_edit (
  org_id uuid not null,
  post_id uuid not null,
  -- the new contents, details, first comment and mentions
  says jsonb not null,
  began_at timestamptz not null,
  person_id uuid not null references person,
  -- until when the platform is being called; null once it answered or the answer was lost
  held_until timestamptz,
  primary key (org_id, post_id),
  foreign key (org_id, post_id) references post on delete cascade
);
select tenant_table('post_edit');
