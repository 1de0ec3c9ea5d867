-- Invitations, custom roles, and the publishing choice of an assignment.

alter table role add column created_at timestamptz not null default now();
create unique index role_name on role (org_id, project_id, lower(name));

-- 'none': what the role allows, without publishing (contract/permissions.ts, withoutPublishing)
alter table project_member add column publishing text not null default 'full' check (publishing in ('full', 'none'));
create index project_member_role on project_member (org_id, role_id);
create index project_member_person on project_member (org_id, person_id);

create table invite (
  org_id uuid not null references organization on delete cascade,
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
 * The entrance of every request, in one call: the session, whether its person belongs to the organization and the
 * project, and with which rights. Sets app.org_id only for a member. Answers one JSON object, in which what was not found
 * is null, and null without a session. One column is read faster than eighteen, see bench/access.ts.
 */
create function enter(token_hash bytea, org uuid, project uuid, at timestamptz) returns json
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  answer json;
  tenant text;
begin
  if token_hash is null then
    return null;
  end if;
  select json_build_object(
      'session_id', s.id, 'person_id', s.person_id, 'confirmed', p.confirmed_at is not null, 'session_seen_at', s.last_seen_at,
      'org_id', m.org_id, 'is_org_admin', m.is_admin, 'plan_id', pl.plan_id, 'plan_status', pl.status, 'addon_quantity', pl.addon_quantity, 'trial_ends_at', pl.trial_ends_at,
      'project_id', pr.id, 'zone', pr.zone, 'role_id', r.id, 'role_name', r.name, 'role_kind', r.kind, 'permissions', r.permissions,
      'channel_ids', pm.channel_ids, 'publishing', pm.publishing),
      case when m.org_id is not null then set_config('app.org_id', m.org_id::text, true) end
    into answer, tenant
    from session s
    join person p on p.id = s.person_id
    left join (member m join plan pl on pl.org_id = m.org_id) on m.org_id = org and m.person_id = s.person_id and m.removed_at is null
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = project and pm.person_id = m.person_id
    left join project pr on pr.org_id = m.org_id and pr.id = project and (m.is_admin or pm.person_id is not null)
    left join role r on r.org_id = pr.org_id and r.id = pm.role_id
    where s.token_hash = enter.token_hash and s.expires_at > at;
  return answer;
end $$;
revoke all on function enter from public;
grant execute on function enter to rookery_app;
