-- Discussions of a team: threads of a project, on their own or about a post, a conversation or a campaign. What is said in
-- them are notes. Who sees what one is about sees it, so it goes with that.
create table discussion (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  title text not null,
  post_id uuid,
  conversation_id uuid,
  campaign_id uuid,
  author_id uuid not null references person,
  created_at timestamptz not null,
  -- when something was last said
  last_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by uuid references person,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade,
  foreign key (org_id, post_id) references post on delete cascade,
  foreign key (org_id, conversation_id) references conversation on delete cascade,
  foreign key (org_id, campaign_id) references campaign on delete cascade,
  check (num_nonnulls(post_id, conversation_id, campaign_id) <= 1),
  check ((resolved_at is null) = (resolved_by is null))
);
create index discussion_list on discussion (org_id, project_id, last_at, id);
create index discussion_post on discussion (org_id, post_id) where post_id is not null;
create index discussion_conversation on discussion (org_id, conversation_id) where conversation_id is not null;
create index discussion_campaign on discussion (org_id, campaign_id) where campaign_id is not null;
select tenant_table('discussion');

-- Who takes part, and hears of what is said.
create table discussion_member (
  org_id uuid not null,
  discussion_id uuid not null,
  person_id uuid not null references person,
  primary key (org_id, discussion_id, person_id),
  foreign key (org_id, discussion_id) references discussion on delete cascade
);
create index discussion_member_person on discussion_member (org_id, person_id);
select tenant_table('discussion_member');

alter table note
  add column discussion_id uuid,
  add foreign key (org_id, discussion_id) references discussion on delete cascade,
  drop constraint note_check,
  add constraint note_about check (num_nonnulls(post_id, conversation_id, discussion_id) = 1);
create index note_discussion on note (org_id, discussion_id, created_at) where discussion_id is not null;
