create table organization (
  org_id uuid primary key,
  name text not null,
  org_type text not null check (org_type in ('organization', 'individual')),
  org_size text not null,
  created_at timestamptz not null,
  created_by uuid not null references person
);
select tenant_table('organization');

create table plan (
  org_id uuid primary key references organization on delete cascade,
  plan_id text not null check (plan_id in ('free', 'individual', 'team')),
  status text not null check (status in ('ACTIVE', 'TRIAL_ACTIVE', 'TRIAL_EXPIRED', 'PAST_DUE', 'CANCEL_SCHEDULED', 'CANCELLED')),
  addon_quantity int not null default 0 check (addon_quantity >= 0),
  trial_ends_at timestamptz,
  changed_at timestamptz not null
);
select tenant_table('plan', 'select, insert, update');

create table member (
  org_id uuid not null references organization on delete cascade,
  person_id uuid not null references person on delete cascade,
  is_admin boolean not null default false,
  added_at timestamptz not null,
  -- kept when a person leaves: what they made stays and keeps its author
  removed_at timestamptz,
  primary key (org_id, person_id)
);
create index member_person on member (person_id) where removed_at is null;
select tenant_table('member');

-- The app's role sees the people of its organization, and of them only what a colleague may see.
alter table person enable row level security;
alter table person force row level security;
create policy colleagues on person for select to rookery_app using (exists (select 1 from member m where m.org_id = current_setting('app.org_id')::uuid and m.person_id = person.id));
create policy everything on person to rookery_owner, rookery_system using (true) with check (true);
grant select (id, email, first_name, last_name, picture_asset) on person to rookery_app;

create table project (
  org_id uuid not null references organization on delete cascade,
  id uuid not null,
  name text not null,
  description text not null default '',
  zone text not null,
  onboarding_step text not null default 'addChannels',
  created_at timestamptz not null,
  created_by uuid not null references person,
  primary key (org_id, id)
);
create unique index project_name on project (org_id, lower(name));
select tenant_table('project');

create table role (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  kind text not null check (kind in ('admin', 'editor', 'user', 'custom')),
  permissions jsonb not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create unique index role_system on role (org_id, project_id, kind) where kind <> 'custom';
select tenant_table('role');

create table project_member (
  org_id uuid not null,
  project_id uuid not null,
  person_id uuid not null,
  -- null: may only see
  role_id uuid,
  -- null: every channel of the project
  channel_ids uuid[],
  added_at timestamptz not null,
  primary key (org_id, project_id, person_id),
  foreign key (org_id, project_id) references project on delete cascade,
  foreign key (org_id, person_id) references member on delete cascade,
  foreign key (org_id, role_id) references role
);
select tenant_table('project_member');

/*
 * The entrance of every request, in one call: the session, whether its person belongs to the organization and the
 * project, and with which rights. Sets app.org_id only for a member. Always answers one row; what was not found is null.
 */
create function enter(token_hash bytea, org uuid, project uuid, at timestamptz)
returns table (
  session_id uuid, person_id uuid, confirmed boolean, session_seen_at timestamptz,
  org_id uuid, is_org_admin boolean, plan_id text, plan_status text, addon_quantity int, trial_ends_at timestamptz,
  project_id uuid, zone text, role_id uuid, role_name text, role_kind text, permissions jsonb, channel_ids uuid[]
)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  select s.id, s.person_id, p.confirmed_at is not null, s.last_seen_at
    into session_id, person_id, confirmed, session_seen_at
    from session s join person p on p.id = s.person_id
    where s.token_hash = enter.token_hash and s.expires_at > at;
  if person_id is not null and org is not null then
    select m.org_id, m.is_admin, pl.plan_id, pl.status, pl.addon_quantity, pl.trial_ends_at
      into org_id, is_org_admin, plan_id, plan_status, addon_quantity, trial_ends_at
      from member m join plan pl on pl.org_id = m.org_id
      where m.org_id = org and m.person_id = enter.person_id and m.removed_at is null;
    if org_id is not null then
      perform set_config('app.org_id', org_id::text, true);
      perform set_config('app.person_id', person_id::text, true);
      if project is not null then
        select pr.id, pr.zone, r.id, r.name, r.kind, r.permissions, pm.channel_ids
          into project_id, zone, role_id, role_name, role_kind, permissions, channel_ids
          from project pr
          left join project_member pm on pm.org_id = pr.org_id and pm.project_id = pr.id and pm.person_id = enter.person_id
          left join role r on r.org_id = pr.org_id and r.id = pm.role_id
          where pr.org_id = org and pr.id = project and (is_org_admin or pm.person_id is not null);
      end if;
    end if;
  end if;
  return next;
end $$;
revoke all on function enter from public;
grant execute on function enter to rookery_app;
