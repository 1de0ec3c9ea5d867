/*
 * A stamp for each of these posts of a project of the caller's organization, as `{"id": "stamp"}`. It names the version
 * of every row that the post's page is made of (server/posts/read.ts): the same stamp, the same page. Deleted and
 * foreign posts have none. It runs as the tables' owner: policies would be checked for every row, and the organization
 * is compared here. Planning it would take longer than running it, so its plan is the same for all.
 */
create or replace function post_stamps(project uuid, ids uuid[]) returns json
language sql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select json_object_agg(p.id, md5(concat_ws('/', p.xmin,
      (select string_agg(c.xmin::text, ' ' order by c.id) from channel c where c.org_id = p.org_id
        and (c.id = p.channel_id or c.id = any(case when p.draft is not null then array(select jsonb_array_elements_text(p.draft -> 'channelIds')::uuid) end))),
      (select concat(m.xmin, ' ', a.xmin) from member m join person a on a.id = m.person_id where m.org_id = p.org_id and m.person_id = p.author_id),
      (select string_agg(concat(l.xmin, ' ', n.xmin), ' ' order by n.id) from post_label l join label n on n.org_id = l.org_id and n.id = l.label_id where l.org_id = p.org_id and l.post_id = p.id),
      (select string_agg(concat(l.xmin, ' ', n.xmin), ' ' order by n.id) from post_campaign l join campaign n on n.org_id = l.org_id and n.id = l.campaign_id where l.org_id = p.org_id and l.post_id = p.id),
      (select string_agg(concat(e.xmin, ' ', a.xmin), ' ' order by e.id) from post_event e left join person a on a.id = e.person_id where e.org_id = p.org_id and e.post_id = p.id),
      (select string_agg(g.xmin::text, ' ' order by g.id) from approval g where g.org_id = p.org_id and g.post_id = p.id),
      (select string_agg(d.xmin::text, ' ' order by d.subject, d.key) from delivery d where d.org_id = p.org_id and d.subject_id = p.id),
      case when p.images > 0 then (select string_agg(f.xmin::text, ' ' order by f.id) from asset f
        where f.org_id = p.org_id and f.id = any(array(select (m.id #>> '{}')::uuid from jsonb_path_query(p.contents, '$[*].media[*].assetId') m(id)))) end)))
  from post p where p.org_id = current_setting('app.org_id')::uuid and p.project_id = project and p.id = any(ids)
$$;
revoke all on function post_stamps from public;
grant execute on function post_stamps to rookery_app;

/*
 * Whether replies that were made before are still what their callers would get: for each caller what enter() returns
 * now and, if it lets them into the project, its events of the kinds in the array `kinds[i]` from transaction `sinces[i]`
 * on as `[[xid, id, kind]]`, and the stamps of the posts in the array `posts[i]`. Many requests are checked by one call (server/http/checks.ts). `most` limits the
 * events of each.
 */
create or replace function reply_checks(tokens bytea[], orgs uuid[], projects uuid[], sinces text[], kinds text[], posts text[], at timestamptz, most int)
returns table (entered text, events text, stamps text)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  found json;
begin
  for i in 1 .. cardinality(tokens) loop
    found := enter(tokens[i], orgs[i], projects[i], at);
    entered := found::text;
    events := null;
    stamps := null;
    -- only enter() sets the tenant: without it, that of the caller before would be read
    if found ->> 'org_id' = orgs[i]::text and found ->> 'project_id' = projects[i]::text then
      if sinces[i] is not null then
        events := (select coalesce(json_agg(json_build_array(e.xid::text, e.id::text, e.kind) order by e.id), '[]')::text
          from project_events(projects[i], sinces[i]::xid8, kinds[i]::text[], most) e);
      end if;
      if posts[i] is not null then
        stamps := post_stamps(projects[i], posts[i]::uuid[])::text;
      end if;
    end if;
    return next;
  end loop;
end $$;
revoke all on function reply_checks from public;
grant execute on function reply_checks to rookery_app;
