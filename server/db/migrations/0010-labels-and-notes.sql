-- Labels, campaigns, hashtag groups, notes and saved views.

create table label (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  color text not null,
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'ARCHIVED')),
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create unique index label_name on label (org_id, project_id, lower(name));
select tenant_table('label');

create table post_label (
  org_id uuid not null,
  post_id uuid not null,
  label_id uuid not null,
  primary key (org_id, post_id, label_id),
  foreign key (org_id, post_id) references post on delete cascade,
  foreign key (org_id, label_id) references label on delete cascade
);
create index post_label_label on post_label (org_id, label_id, post_id);
select tenant_table('post_label');

create table campaign (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  description text not null default '',
  color text not null,
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'ARCHIVED')),
  -- while it is disabled its posts wait
  enabled boolean not null default true,
  completed_at timestamptz,
  starts_on date,
  ends_on date,
  created_at timestamptz not null,
  created_by uuid not null references person,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create unique index campaign_name on campaign (org_id, project_id, lower(name));
select tenant_table('campaign');

create table post_campaign (
  org_id uuid not null,
  post_id uuid not null,
  campaign_id uuid not null,
  primary key (org_id, post_id, campaign_id),
  foreign key (org_id, post_id) references post on delete cascade,
  foreign key (org_id, campaign_id) references campaign on delete cascade
);
create index post_campaign_campaign on post_campaign (org_id, campaign_id, post_id);
select tenant_table('post_campaign');

create table hashtag_group (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  -- without the '#', in their order
  hash_tags text[] not null,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create unique index hashtag_group_name on hashtag_group (org_id, project_id, lower(name));
select tenant_table('hashtag_group');

create table note (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  post_id uuid not null,
  -- the note that this one replies to; replies have no replies
  parent_id uuid,
  author_id uuid not null references person,
  body text not null,
  mentions uuid[] not null default '{}',
  created_at timestamptz not null,
  edited_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, post_id) references post on delete cascade,
  foreign key (org_id, parent_id) references note on delete cascade
);
create index note_post on note (org_id, post_id, created_at);
-- limits how much a person can write in a short time
create index note_author on note (org_id, author_id, created_at);
create index note_parent on note (org_id, parent_id, created_at) where parent_id is not null;
select tenant_table('note');

create table saved_view (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  person_id uuid not null references person on delete cascade,
  name text not null,
  page text not null check (page in ('calendar', 'posts')),
  search text not null,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create unique index saved_view_name on saved_view (org_id, project_id, person_id, page, lower(name));
select tenant_table('saved_view');
