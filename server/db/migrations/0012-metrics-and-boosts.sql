-- Figures of published posts, what the dashboard counts, and paid promotion.

-- One row per post and day on which the figures were read: the last reading of that day.
create table post_metric (
  org_id uuid not null,
  post_id uuid not null,
  -- in UTC
  day date not null,
  -- the contract's PostMetrics: counts since the post was published
  figures jsonb not null,
  read_at timestamptz not null,
  primary key (org_id, post_id, day),
  foreign key (org_id, post_id) references post on delete cascade
);
select tenant_table('post_metric', 'select');

-- The dashboard's counts, kept by triggers in the transaction of the change (functions/counts.sql). A change adds rows
-- (-1 where a post was, +1 where it is now) and never updates one, so that no two changes wait for each other. Readers add
-- the rows up; a job folds rows of the same kind into one (server/dashboard/fold.ts). Days are in the project's zone.
-- There is no foreign key to the project, because each check would lock the project's row, which all changes share.
create table post_count (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  project_id uuid not null,
  channel_id uuid,
  -- only without a channel: such drafts are visible to their author alone
  author_id uuid,
  day date not null,
  state text not null,
  n int not null,
  folded boolean not null default false,
  primary key (org_id, id)
);
create index post_count_day on post_count (org_id, project_id, state, day);
create index post_count_new on post_count (org_id, id) where not folded;
select tenant_table('post_count', 'select');

-- What posts gained between two readings of their figures, on the day of the later one, kept like post_count. Null: the
-- platform doesn't report that figure.
create table engagement (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  project_id uuid not null,
  channel_id uuid not null,
  day date not null,
  impressions bigint,
  reactions bigint,
  comments bigint,
  shares bigint,
  readings int not null,
  -- of the newest reading
  read_at timestamptz not null,
  folded boolean not null default false,
  primary key (org_id, id)
);
create index engagement_day on engagement (org_id, project_id, day);
create index engagement_new on engagement (org_id, id) where not folded;
select tenant_table('engagement', 'select');

-- Paid promotions of published posts. Each is made at the platform step by step; `began_at` records the step that is in
-- progress: set in its own commit before the call, cleared when the answer is known.
create table boost (
  org_id uuid not null,
  -- chosen by the caller, so that a repeated request makes no second one; part of its name at the platform
  id uuid not null,
  project_id uuid not null,
  post_id uuid not null,
  channel_id uuid not null,
  started_by uuid not null references person,
  state text not null check (state in ('PENDING', 'IN_REVIEW', 'ACTIVE', 'HELD', 'REJECTED', 'STOPPING', 'STOPPED', 'ENDED', 'FAILED')),
  -- {text, advice}
  problem jsonb,
  ad_account_id text not null,
  ad_account_name text not null,
  audience_id text not null,
  audience_name text not null,
  currency text not null,
  minor_units int not null check (minor_units > 0),
  -- for the whole time, in minor units
  budget bigint not null check (budget > 0),
  days int not null check (days > 0),
  -- the post as the platform knows it: it stays promoted, whatever happens to our row
  post_type text not null,
  post_remote_id text not null,
  -- ids of what was made at the platform, by step of the adapter
  made jsonb not null default '{}',
  began_at timestamptz,
  -- when a look after a lost answer first didn't find it
  absent_at timestamptz,
  -- raised by each worker that takes it: writes of an earlier one are refused
  fence int not null default 0,
  -- when to work on it or look at it next; null: never again
  next_at timestamptz,
  tries int not null default 0,
  ends_at timestamptz,
  spent bigint,
  impressions bigint,
  reach bigint,
  read_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade,
  foreign key (org_id, post_id) references post on delete cascade,
  foreign key (org_id, channel_id) references channel on delete cascade
);
create index boost_of_post on boost (org_id, post_id);
create index boost_due on boost (next_at) where next_at is not null;
select tenant_table('boost', 'select, insert, update');
