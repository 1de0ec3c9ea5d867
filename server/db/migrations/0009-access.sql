-- Invitations, custom roles, and the publishing choice of an assignment.

alter table role add column created_at timestamptz not null default now();
create unique index role_name on role (org_id, project_id, lower(name));

-- 'none': what the role allows, without publishing (contract/permissions.ts, withoutPublishing)
alter table project_member add column publishing text not null default 'full' check (publishing in ('full', 'none'));
create index project_member_role on project_member (org_id, role_id);
create index project_member_person on project_member (org_id, person_id);

create table invite (
  org_id uuid not null references organisation on delete cascade,
  -- random, not ordered by time: it stands in a mail
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
  -- withdrawn by the project, or declined by the person
  revoked_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade,
  foreign key (org_id, role_id) references role on delete set null (role_id),
  check (role_id is not null or accepted_at is not null or revoked_at is not null)
);
-- one open invitation for each address and project
create unique index invite_open on invite (org_id, project_id, email) where accepted_at is null and revoked_at is null;
create index invite_role on invite (org_id, role_id);
create unique index invite_id on invite (id);
create index invite_email on invite (email) where accepted_at is null and revoked_at is null;
select tenant_table('invite');

drop function enter(bytea, uuid, uuid, timestamptz);
/*
 * The entrance of every request, in one call: the session, whether its person belongs to the organisation and the
 * project, and with which rights. Sets app.org_id only for a member. Always answers one row; what was not found is null.
 */
create function enter(token_hash bytea, org uuid, project uuid, at timestamptz)
returns table (
  session_id uuid, person_id uuid, confirmed boolean, session_seen_at timestamptz,
  org_id uuid, is_org_admin boolean, plan_id text, plan_status text, addon_quantity int, trial_ends_at timestamptz,
  project_id uuid, zone text, role_id uuid, role_name text, role_kind text, permissions jsonb, channel_ids uuid[], publishing text
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
        select pr.id, pr.zone, r.id, r.name, r.kind, r.permissions, pm.channel_ids, pm.publishing
          into project_id, zone, role_id, role_name, role_kind, permissions, channel_ids, publishing
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
