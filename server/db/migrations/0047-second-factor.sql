-- Sessions end 90 days after they began, however often they were used meanwhile.
update session set expires_at = least(expires_at, created_at + interval '90 days');

-- Whether a second factor was shown in this session. Sessions of people with an authenticator app were opened with it, or
-- turned it on; for those with passkeys alone nobody knows, and they log in with the passkey once.
alter table session add column second_factor boolean not null default false;
update session set second_factor = true from person where person.id = session.person_id and person.totp_confirmed_at is not null;

-- An organization may let in only those sessions.
alter table organization add column requires_second_factor boolean not null default false;

-- As before (0028). An organization that requires a second factor is entered only with one: for other sessions there is no
-- organization and no tenant, and the answer says why.
create or replace function enter(token_hash bytea, org uuid, project uuid, at timestamptz) returns json
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  answer json;
  tenant text;
begin
  if token_hash is null then
    return null;
  end if;
  select json_build_object(
      'session_id', s.id, 'person_id', s.person_id, 'confirmed', p.confirmed_at is not null, 'session_seen_at', s.last_seen_at, 'second_factor', s.second_factor,
      'org_id', m.org_id, 'is_org_admin', m.is_admin, 'plan_id', pl.plan_id, 'plan_status', pl.status, 'addon_quantity', pl.addon_quantity, 'trial_ends_at', pl.trial_ends_at,
      'project_id', pr.id, 'zone', pr.zone, 'role_id', r.id, 'role_name', r.name, 'role_kind', r.kind, 'permissions', r.permissions,
      'channel_ids', pm.channel_ids, 'publishing', pm.publishing),
      case when m.org_id is not null then set_config('app.org_id', m.org_id::text, true) end
    into answer, tenant
    from session s
    join person p on p.id = s.person_id
    left join (member m join plan pl on pl.org_id = m.org_id join organization o on o.org_id = m.org_id)
      on m.org_id = org and m.person_id = s.person_id and m.removed_at is null and (o.deletes_at is null or m.is_admin)
        and (s.second_factor or not o.requires_second_factor)
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = project and pm.person_id = m.person_id
    left join project pr on pr.org_id = m.org_id and pr.id = project and pr.deleted_at is null and (m.is_admin or pm.person_id is not null)
    left join role r on r.org_id = pr.org_id and r.id = pm.role_id
    where s.token_hash = enter.token_hash and s.expires_at > at;
  if answer is not null and tenant is null and org is not null and not (answer ->> 'second_factor')::boolean then
    perform from member m join organization o on o.org_id = m.org_id
      where m.org_id = org and m.person_id = (answer ->> 'person_id')::uuid and m.removed_at is null
        and (o.deletes_at is null or m.is_admin) and o.requires_second_factor;
    if found then
      return (answer::jsonb || '{"second_factor_missing": true}')::json;
    end if;
  end if;
  return answer;
end $$;
