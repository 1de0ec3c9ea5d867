-- Approval workflows, and the record of who approved which content.

create table workflow (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  is_default boolean not null default false,
  -- the contract's list of WorkflowStep
  steps jsonb not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create unique index workflow_name on workflow (org_id, project_id, lower(name)) where deleted_at is null;
create unique index workflow_default on workflow (org_id, project_id) where is_default;
select tenant_table('workflow');

-- One round of approval of a post: the steps as they were when it was sent, and the content to approve.
create table approval (
  org_id uuid not null,
  id uuid not null,
  post_id uuid not null,
  workflow_id uuid,
  workflow_name text not null,
  steps jsonb not null,
  content_hash bytea not null,
  state text not null default 'open' check (state in ('open', 'approved', 'rejected', 'void')),
  -- the open step, from 0
  step int not null default 0,
  sent_by uuid not null references person,
  sent_at timestamptz not null,
  ended_at timestamptz,
  -- when the approvers of the open step were asked, and which reminders were sent since
  step_at timestamptz not null,
  reminded_at timestamptz,
  day_told_at timestamptz,
  due_told_at timestamptz,
  -- an admin revoked the links of external approvers: this round gets no new ones
  links_ended_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, post_id) references post on delete cascade
);
create unique index approval_open on approval (org_id, post_id) where state = 'open';
create index approval_post on approval (org_id, post_id, sent_at);
create index approval_sender on approval (org_id, sent_by) where state = 'open';
select tenant_table('approval', 'select, insert, update');

-- Who decided what about which content. Never changed.
create table approval_decision (
  org_id uuid not null,
  id uuid not null,
  approval_id uuid not null,
  post_id uuid not null,
  step int not null,
  -- which approvers of the step (from 0) it counts for
  slots int[] not null,
  -- a member, or an external person by name and address
  person_id uuid references person,
  external_email text,
  external_name text,
  decision text not null check (decision in ('approved', 'rejected')),
  comment text not null default '',
  content_hash bytea not null,
  -- the content that was decided about, so that later changes can be shown
  content jsonb not null,
  at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, approval_id) references approval on delete cascade
);
create index approval_decision_post on approval_decision (org_id, post_id, at);
create index approval_decision_approval on approval_decision (org_id, approval_id, at);
select tenant_table('approval_decision', 'select, insert');

-- A link for an external approver: one per person and step.
create table approval_link (
  org_id uuid not null,
  id uuid not null,
  token_hash bytea not null unique,
  approval_id uuid not null,
  step int not null,
  email text not null,
  name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  used_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, approval_id) references approval on delete cascade
);
create index approval_link_approval on approval_link (org_id, approval_id);
select tenant_table('approval_link');
