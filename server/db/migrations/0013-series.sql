-- Recurrences, first comments, and what else a post says of itself.

-- A recurrence makes a bounded series of posts; each post stands by itself and may leave its series' words or time.
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

alter table post add column series_id uuid;
-- its place in the series, from 0; stays when the post is moved
alter table post add column series_index int;
-- how many its series made
alter table post add column series_count int;
-- its words were changed by itself: a change of the series' words leaves it alone
alter table post add column series_apart boolean not null default false;
alter table post add constraint post_series_fkey foreign key (org_id, series_id) references series;
create index post_series on post (org_id, series_id, channel_id, series_index) where series_id is not null;
alter table post add column first_comment text not null default '';
-- ids of members, boards and the like that the text mentions, as the platform wants them
alter table post add column mentions jsonb not null default '[]';

-- Who is editing a post at this moment, on whichever node they are served. Lost with a crash, and said again seconds later.
create unlogged table post_editor (
  org_id uuid not null,
  post_id uuid not null,
  person_id uuid not null references person on delete cascade,
  until timestamptz not null,
  primary key (org_id, post_id, person_id),
  foreign key (org_id, post_id) references post on delete cascade
);
select tenant_table('post_editor');
