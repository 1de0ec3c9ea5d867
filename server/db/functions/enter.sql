/*
 * The start of every request, in one call: the session, whether its person belongs to the organization and the project,
 * and with which permissions. Sets app.org_id only for a member. Returns one JSON object, in which whatever wasn't found is
 * null, or null without a session. One JSON column is read faster than eighteen columns, see bench/access.ts.
 *
 * - A deleted project is not found, and an organization that is being deleted lets only its admins in.
 * - An organization that requires a second factor is entered only by sessions that showed one: for others there is no
 *   organization and no tenant, and `second_factor_missing` says why.
 * - `plan_locked` says that the plan made the member a reader, so that a refusal can name the reason. An organization's
 *   admin who was made a reader (`locked_admin`) still sees every project, without a row of their own in it.
 */
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
      'org_id', m.org_id, 'is_org_admin', m.is_admin, 'plan_locked', m.plan_locked, 'locked_admin', m.locked_admin, 'plan_id', pl.plan_id, 'plan_status', pl.status, 'addon_quantity', pl.addon_quantity, 'trial_ends_at', pl.trial_ends_at,
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
    left join project pr on pr.org_id = m.org_id and pr.id = project and pr.deleted_at is null and (m.is_admin or m.locked_admin or pm.person_id is not null)
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
revoke all on function enter from public;
grant execute on function enter to rookery_app;
