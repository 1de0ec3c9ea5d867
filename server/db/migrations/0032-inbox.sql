-- The inbox: what people write to the channels of a project, and what is answered.

-- Somebody on a platform, as one channel knows them. What its platform's terms don't let us keep is emptied at `keep_until`.
create table inbox_person (
  org_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  remote_id text not null,
  name text not null,
  handle text not null,
  picture_url text,
  url text,
  keep_until timestamptz,
  primary key (org_id, id),
  unique (org_id, channel_id, remote_id),
  foreign key (org_id, channel_id) references channel on delete cascade
);
create index inbox_person_keep on inbox_person (keep_until) where keep_until is not null;
select tenant_table('inbox_person');

create table conversation (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  channel_id uuid not null,
  kind text not null check (kind in ('comment', 'message', 'mention', 'review')),
  -- the platform's: the root comment, the other person, the mentioning post, the review
  thread_key text not null,
  person_id uuid,
  -- what it is about: a post of ours, or what the platform tells of another one
  post_id uuid,
  subject jsonb,
  status text not null default 'OPEN' check (status in ('OPEN', 'FOLLOWUP', 'CLOSED')),
  follow_up_on date,
  assignee_id uuid references person,
  -- the last item, whoever wrote it
  last_at timestamptz not null,
  last_direction text not null check (last_direction in ('received', 'sent')),
  preview text not null default '',
  -- the last item of the other side
  last_received_at timestamptz,
  -- received since our last answer: how many, and the oldest of them
  unanswered int not null default 0,
  waiting_since timestamptz,
  answered boolean not null default false,
  -- the `waiting_since` for which people were reminded that an answer is overdue
  overdue_for timestamptz,
  rating int check (rating between 1 and 5),
  sentiment text check (sentiment in ('positive', 'neutral', 'negative')),
  sentiment_by text check (sentiment_by in ('rating', 'words', 'model', 'person')),
  -- raised by every change that people see
  version int not null default 1,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade,
  foreign key (org_id, channel_id) references channel on delete cascade,
  foreign key (org_id, person_id) references inbox_person on delete set null (person_id),
  foreign key (org_id, post_id) references post on delete set null (post_id),
  check ((status = 'FOLLOWUP') = (follow_up_on is not null)),
  check ((sentiment is null) = (sentiment_by is null)),
  check ((unanswered = 0) = (waiting_since is null))
);
-- messages apart: other rights apply to them, and their keys come from other ids than those of posts and comments
create unique index conversation_thread on conversation (org_id, channel_id, (kind = 'message'), thread_key);
-- the list, newest or oldest first: of a project, or of the channels that are named or that a role reaches
create index conversation_status on conversation (org_id, project_id, status, last_at, id);
create index conversation_channel on conversation (org_id, channel_id, status, last_at, id);
-- sorted by who waits longest
create index conversation_waiting on conversation (org_id, project_id, waiting_since, id) where waiting_since is not null and status <> 'CLOSED';
create index conversation_assignee on conversation (org_id, project_id, assignee_id, status, last_at, id) where assignee_id is not null;
create index conversation_person on conversation (org_id, person_id, last_at) where person_id is not null;
create index conversation_post on conversation (org_id, post_id) where post_id is not null;
create index conversation_follow_up on conversation (follow_up_on) where status = 'FOLLOWUP';
select tenant_table('conversation');

-- One row per thing on the platform, whatever way it was heard of.
create table inbox_item (
  org_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  channel_id uuid not null,
  remote_id text not null,
  type text not null check (type in ('COMMENT', 'DIRECT_MESSAGE', 'REPLY', 'MENTION_POST', 'MENTION_COMMENT', 'POST', 'FOREIGN_POST', 'REVIEW')),
  direction text not null check (direction in ('received', 'sent')),
  person_id uuid,
  parent_remote_id text,
  -- null: deleted there, or not to be kept any longer
  text text,
  media jsonb not null default '[]',
  rating int check (rating between 1 and 5),
  url text,
  at timestamptz not null,
  -- orders the platform's versions of it: an older one changes nothing
  remote_version bigint not null default 0,
  edited_at timestamptz,
  deleted_at timestamptz,
  hidden boolean not null default false,
  -- ours
  reaction text,
  keep_until timestamptz,
  expired boolean not null default false,
  received_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, channel_id, remote_id),
  foreign key (org_id, conversation_id) references conversation on delete cascade,
  foreign key (org_id, channel_id) references channel on delete cascade,
  foreign key (org_id, person_id) references inbox_person on delete set null (person_id)
);
create index inbox_item_conversation on inbox_item (org_id, conversation_id, at, id);
-- what was received in a range of days
create index inbox_item_received on inbox_item (org_id, channel_id, at) include (type, conversation_id) where direction = 'received' and deleted_at is null;
create index inbox_item_person on inbox_item (org_id, person_id) where person_id is not null;
create index inbox_item_keep on inbox_item (keep_until) where keep_until is not null;
select tenant_table('inbox_item');

-- Which of our posts a comment is about is found by the platform's id.
create index post_remote on post (org_id, channel_id, remote_id) where remote_id is not null;

-- Deletions that were heard of before the item: it must not appear afterwards.
create table inbox_tombstone (
  org_id uuid not null,
  channel_id uuid not null,
  remote_id text not null,
  at timestamptz not null,
  primary key (org_id, channel_id, remote_id),
  foreign key (org_id, channel_id) references channel on delete cascade
);
create index inbox_tombstone_at on inbox_tombstone (at);
select tenant_table('inbox_tombstone');

-- Words of items, with their author's name and handle, to search by. Triggers keep it (functions/search_inbox.sql).
create table inbox_text (
  org_id uuid not null,
  item_id uuid not null,
  conversation_id uuid not null,
  project_id uuid not null,
  words tsvector not null,
  primary key (org_id, item_id),
  foreign key (org_id, item_id) references inbox_item on delete cascade,
  foreign key (org_id, conversation_id) references conversation on delete cascade
);
create index inbox_text_words on inbox_text using gin (words);
create index inbox_text_conversation on inbox_text (org_id, conversation_id);
select tenant_table('inbox_text', 'select');

-- Up to where each member has read.
create table conversation_read (
  org_id uuid not null,
  conversation_id uuid not null,
  person_id uuid not null,
  up_to timestamptz not null,
  primary key (org_id, person_id, conversation_id),
  foreign key (org_id, conversation_id) references conversation on delete cascade,
  foreign key (org_id, person_id) references member on delete cascade
);
create index conversation_read_conversation on conversation_read (org_id, conversation_id);
select tenant_table('conversation_read');

-- Who is writing an answer, as post_editor says of posts.
create unlogged table conversation_editor (
  org_id uuid not null,
  conversation_id uuid not null,
  person_id uuid not null references person on delete cascade,
  until timestamptz not null,
  primary key (org_id, conversation_id, person_id),
  foreign key (org_id, conversation_id) references conversation on delete cascade
);
select tenant_table('conversation_editor');

create table conversation_label (
  org_id uuid not null,
  conversation_id uuid not null,
  label_id uuid not null,
  primary key (org_id, conversation_id, label_id),
  foreign key (org_id, conversation_id) references conversation on delete cascade,
  foreign key (org_id, label_id) references label on delete cascade
);
create index conversation_label_label on conversation_label (org_id, label_id, conversation_id);
select tenant_table('conversation_label');

-- What was written from here. How it is sent is the delivery engine's (`delivery`, subject 'reply').
create table reply (
  org_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  channel_id uuid not null,
  -- what it answers
  item_id uuid,
  author_id uuid not null references person,
  text text not null,
  asset_ids uuid[] not null default '{}',
  state text not null default 'PENDING' check (state in ('PENDING', 'SENDING', 'SENT', 'UNCONFIRMED', 'FAILED', 'CANCELLED', 'DELETED')),
  failure jsonb,
  response_id uuid,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- its item in the conversation, once the platform told of it
  remote_id text,
  primary key (org_id, id),
  foreign key (org_id, conversation_id) references conversation on delete cascade,
  foreign key (org_id, channel_id) references channel on delete cascade,
  foreign key (org_id, item_id) references inbox_item on delete set null (item_id)
);
create index reply_conversation on reply (org_id, conversation_id, created_at);
create unique index reply_remote on reply (org_id, channel_id, remote_id) where remote_id is not null;
select tenant_table('reply');

-- Up to where a channel's conversations of one kind were read, and when they are read next.
create table inbox_cursor (
  org_id uuid not null,
  channel_id uuid not null,
  kind text not null check (kind in ('comment', 'message', 'mention', 'review')),
  cursor jsonb,
  -- until the first reading is through, nothing of it is told
  first boolean not null default true,
  -- when the first reading began: it goes back from here
  began_at timestamptz not null,
  next_at timestamptz not null,
  read_at timestamptz,
  -- when something was last received, which says how often it is worth asking
  heard_at timestamptz,
  tries int not null default 0,
  -- when the platform last sent something by itself
  pushed_at timestamptz,
  lease_until timestamptz,
  -- why it's late or can't be read, as a reason of the catalog
  state text not null default 'reading' check (state in ('reading', 'late', 'reconnect', 'none')),
  trouble jsonb,
  primary key (org_id, channel_id, kind),
  foreign key (org_id, channel_id) references channel on delete cascade
);
create index inbox_cursor_next on inbox_cursor (next_at);
select tenant_table('inbox_cursor');

-- What platforms sent, as it came: taken first, read by a job.
create table inbox_delivery (
  id uuid primary key default uuidv7(),
  platform text not null,
  -- the client id of the app whose secret signed it, and whose app it is; null: the installation's
  app_key text not null,
  org_id uuid references organization on delete cascade,
  digest bytea not null,
  body text not null,
  received_at timestamptz not null,
  done_at timestamptz,
  unique nulls not distinct (platform, app_key, org_id, digest)
);
create index inbox_delivery_open on inbox_delivery (id) where done_at is null;
create index inbox_delivery_org on inbox_delivery (org_id) where org_id is not null;
create index inbox_delivery_done on inbox_delivery (done_at) where done_at is not null;
select global_table('inbox_delivery');

create table canned_response (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  text text not null,
  author_id uuid references person,
  updated_at timestamptz not null,
  used int not null default 0,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create unique index canned_response_name on canned_response (org_id, project_id, lower(name));
select tenant_table('canned_response');

-- Notes are about a post or a conversation.
alter table note
  alter column post_id drop not null,
  add column conversation_id uuid,
  add foreign key (org_id, conversation_id) references conversation on delete cascade,
  add check (num_nonnulls(post_id, conversation_id) = 1);
create index note_conversation on note (org_id, conversation_id, created_at) where conversation_id is not null;

alter table saved_view drop constraint saved_view_page_check;
alter table saved_view add constraint saved_view_page_check check (page in ('calendar', 'posts', 'inbox'));

-- What a project wants of its inbox.
create table inbox_setting (
  org_id uuid not null,
  project_id uuid not null,
  reply_closes boolean not null default false,
  -- a first answer is wanted within so many business hours; null: nobody said
  answer_hours int check (answer_hours between 1 and 240),
  -- minutes of the day by weekday from Monday, such as [[540, 1020], …]; null: closed
  business_hours jsonb not null default '[[540,1020],[540,1020],[540,1020],[540,1020],[540,1020],null,null]',
  primary key (org_id, project_id),
  foreign key (org_id, project_id) references project on delete cascade
);
select tenant_table('inbox_setting');
