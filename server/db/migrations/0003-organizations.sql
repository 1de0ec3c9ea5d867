-- Organizations, projects, and who may do what in them.

create table organization (
  org_id uuid primary key,
  name text not null,
  org_type text not null check (org_type in ('organization', 'individual')),
  org_size text not null,
  -- sessions without a second factor are not let in
  requires_second_factor boolean not null default false,
  -- name, email, address and tax id for invoices, where they differ from the organization's name and the payer
  billing_details jsonb,
  created_at timestamptz not null,
  created_by uuid not null references person,
  -- set while it is being deleted: until then its admins can cancel the deletion, and nobody else gets in
  deletes_at timestamptz
);
create index organization_deletes on organization (deletes_at) where deletes_at is not null;
select tenant_table('organization');

-- Changes of the plan, of the subscription and of anything that the plan limits first lock this row.
create table plan (
  org_id uuid primary key references organization on delete cascade,
  plan_id text not null check (plan_id in ('free', 'individual', 'team')),
  status text not null check (status in ('ACTIVE', 'TRIAL_ACTIVE', 'TRIAL_EXPIRED', 'PAST_DUE', 'CANCEL_SCHEDULED', 'CANCELLED')),
  addon_quantity int not null default 0 check (addon_quantity >= 0),
  trial_ends_at timestamptz,
  changed_at timestamptz not null
);
select tenant_table('plan', 'select, insert, update');

-- `plan_locked`, here and below: beyond what a smaller plan has room for. It is locked and never deleted: members become
-- readers, projects and channels are paused. `locked_at` decides what is unlocked first when there is room again.
create table member (
  org_id uuid not null references organization on delete cascade,
  person_id uuid not null references person on delete cascade,
  is_admin boolean not null default false,
  added_at timestamptz not null,
  -- the row stays when a person leaves: what they made stays and keeps its author
  removed_at timestamptz,
  plan_locked boolean not null default false,
  locked_at timestamptz,
  -- was an admin before the lock
  locked_admin boolean not null default false,
  primary key (org_id, person_id)
);
create index member_person on member (person_id) where removed_at is null;
select tenant_table('member');

-- The app's role sees the people of its organization, and of them only what a teammate may see.
alter table person enable row level security;
alter table person force row level security;
create policy colleagues on person for select to rookery_app using (exists (select 1 from member m where m.org_id = current_setting('app.org_id')::uuid and m.person_id = person.id));
create policy everything on person to rookery_owner, rookery_system using (true) with check (true);
grant select (id, email, first_name, last_name, picture_id) on person to rookery_app;

-- Notices are created in a tenant for its members: it reads the preferences of nobody else.
alter table notice_preference enable row level security;
alter table notice_preference force row level security;
create policy colleagues on notice_preference for select to rookery_app using (exists (select 1 from member m where m.org_id = current_setting('app.org_id')::uuid and m.person_id = notice_preference.person_id));
create policy everything on notice_preference to rookery_owner, rookery_system using (true) with check (true);
grant select on notice_preference to rookery_app;

create table project (
  org_id uuid not null references organization on delete cascade,
  id uuid not null,
  name text not null,
  description text not null default '',
  zone text not null,
  onboarding_step text not null default 'addChannels',
  created_at timestamptz not null,
  created_by uuid not null references person,
  -- closed at once; the rows stay because posts were published through them
  deleted_at timestamptz,
  plan_locked boolean not null default false,
  locked_at timestamptz,
  primary key (org_id, id)
);
create unique index project_name on project (org_id, lower(name)) where deleted_at is null;
select tenant_table('project');

create table role (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  kind text not null check (kind in ('admin', 'editor', 'user', 'custom')),
  permissions jsonb not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create unique index role_system on role (org_id, project_id, kind) where kind <> 'custom';
create unique index role_name on role (org_id, project_id, lower(name));
select tenant_table('role');

create table project_member (
  org_id uuid not null,
  project_id uuid not null,
  person_id uuid not null,
  -- null: may only view
  role_id uuid,
  -- null: every channel of the project
  channel_ids uuid[],
  -- 'none': what the role allows, without publishing (contract/permissions.ts, withoutPublishing)
  publishing text not null default 'full' check (publishing in ('full', 'none')),
  added_at timestamptz not null,
  -- the role to give back when the member is unlocked
  locked_role_id uuid,
  primary key (org_id, project_id, person_id),
  foreign key (org_id, project_id) references project on delete cascade,
  foreign key (org_id, person_id) references member on delete cascade,
  foreign key (org_id, role_id) references role,
  foreign key (org_id, locked_role_id) references role
);
create index project_member_role on project_member (org_id, role_id);
create index project_member_person on project_member (org_id, person_id);
create index project_member_locked_role on project_member (org_id, locked_role_id) where locked_role_id is not null;
select tenant_table('project_member');

create table invite (
  org_id uuid not null references organization on delete cascade,
  -- random instead of ordered by time, because it is sent by email
  id uuid not null,
  project_id uuid not null,
  email text not null check (email = lower(email)),
  -- null: the role was deleted after the invitation had ended
  role_id uuid,
  -- null: every channel of the project
  channel_ids uuid[],
  publishing text not null default 'full' check (publishing in ('full', 'none')),
  invited_by uuid not null references person,
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references person,
  -- revoked by the project, or declined by the person
  revoked_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade,
  foreign key (org_id, role_id) references role on delete set null (role_id),
  check (role_id is not null or accepted_at is not null or revoked_at is not null)
);
-- one open invitation per address and project
create unique index invite_open on invite (org_id, project_id, email) where accepted_at is null and revoked_at is null;
create index invite_role on invite (org_id, role_id);
-- looked up across organizations: by the id in the link, by the address, and when an account is deleted
create unique index invite_id on invite (id);
create index invite_email on invite (email) where accepted_at is null and revoked_at is null;
create index invite_address on invite (email);
create index invite_accepted_by on invite (accepted_by) where accepted_by is not null;
select tenant_table('invite');

-- Replies to calls that were sent with an idempotency key.
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
