-- Replies of the inbox as a subject of the delivery engine (functions/delivery_subjects.sql).

/*
 * A reply that is claimed to be sent is SENDING; one of which nobody came back is UNCONFIRMED once it is looked up. Loads
 * what is sent where, and under which ids of the platform's our other items of the conversation are known.
 */
create or replace function begin_replies(moment timestamptz, claims jsonb) returns table (claim jsonb)
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with c as materialized (
    select e.value, r.* from jsonb_array_elements(claims) e
    cross join lateral jsonb_to_record(e.value) as r(org_id uuid, subject text, subject_id uuid, verdict text, step text)
    where r.subject = 'reply'
  ),
  begun as (
    update reply r
    set state = case c.step when 'send' then 'SENDING' else 'UNCONFIRMED' end, failure = case when c.step <> 'send' then r.failure end
    from c
    where c.verdict = 'go' and r.org_id = c.org_id and r.id = c.subject_id
      and (c.step = 'send' or (c.step = 'reconcile' and r.state in ('PENDING', 'SENDING')))
    returning r.org_id, r.id, r.conversation_id, r.state, old.state as state_before
  ),
  shown as (
    insert into event (at, org_id, project_id, kind, ref)
    select moment, v.org_id, v.project_id, 'conversation', v.id::text from begun b
    join conversation v on v.org_id = b.org_id and v.id = b.conversation_id where b.state <> b.state_before
  )
  select c.value || jsonb_build_object('loaded', jsonb_build_object(
    'project_id', v.project_id, 'conversation_id', v.id, 'kind', v.kind, 'thread_key', v.thread_key, 'subject_remote_id', v.subject ->> 'remoteId',
    'last_received_at', v.last_received_at, 'state', coalesce(b.state, r.state), 'text', r.text, 'asset_ids', r.asset_ids, 'alt_texts', r.alt_texts, 'author_id', r.author_id,
    'created_at', r.created_at, 'closes', r.closes,
    'item', (select jsonb_build_object('remote_id', i.remote_id, 'type', i.type, 'at', i.at) from inbox_item i where i.org_id = r.org_id and i.id = r.item_id),
    'person', (select jsonb_build_object('remoteId', p.remote_id, 'name', p.name, 'handle', p.handle, 'pictureUrl', p.picture_url, 'url', p.url)
      from inbox_person p where p.org_id = v.org_id and p.id = v.person_id),
    'others', case when c.step = 'reconcile' then (
      select coalesce(jsonb_agg(distinct o.remote_id), '[]') from (
        select s.remote_id from reply s where s.org_id = r.org_id and s.conversation_id = r.conversation_id and s.id <> r.id and s.remote_id is not null
        union all
        select i.remote_id from inbox_item i
        where i.org_id = r.org_id and i.conversation_id = r.conversation_id and i.direction = 'sent' and i.received_at < r.created_at) o) else '[]' end))
  from c
  join reply r on r.org_id = c.org_id and r.id = c.subject_id
  join conversation v on v.org_id = r.org_id and v.id = r.conversation_id
  left join begun b on b.org_id = r.org_id and b.id = r.id;
end $$;
revoke all on function begin_replies from public;
grant execute on function begin_replies to rookery_system;

/*
 * Writes the replies of accepted outcomes; `change` of each: {state, remote_id, sent_at, failure}. What it leaves out stays as
 * it is, except the failure, which is the delivery's. One remote id is one reply's.
 */
create or replace function write_replies(moment timestamptz, outcomes jsonb) returns void
language sql set search_path = public, pg_temp as $$
  with written as (
    update reply r
    set state = coalesce(o.change ->> 'state', r.state), sent_at = coalesce((o.change ->> 'sent_at')::timestamptz, r.sent_at), failure = nullif(coalesce(o.change -> 'failure', o.failure), 'null'),
      remote_id = case when exists (
        select from reply s where s.org_id = r.org_id and s.channel_id = r.channel_id and s.remote_id = o.change ->> 'remote_id' and s.id <> r.id)
        then r.remote_id else coalesce(o.change ->> 'remote_id', r.remote_id) end
    from jsonb_to_recordset(outcomes) as o(org_id uuid, subject text, subject_id uuid, change jsonb, failure jsonb)
    where o.subject = 'reply' and r.org_id = o.org_id and r.id = o.subject_id
    returning r.org_id, r.conversation_id, r.state, r.failure, old.state as state_before, old.failure as failure_before
  )
  insert into event (at, org_id, project_id, kind, ref)
  select moment, v.org_id, v.project_id, 'conversation', v.id::text from written w
  join conversation v on v.org_id = w.org_id and v.id = w.conversation_id
  where w.state <> w.state_before or w.failure is distinct from w.failure_before
$$;
revoke all on function write_replies from public;
grant execute on function write_replies to rookery_system;

-- A reply that was being sent is pending when nothing of it was sent, and UNCONFIRMED when nobody knows.
create or replace function take_back_replies(moment timestamptz, taken jsonb) returns void
language sql set search_path = public, pg_temp as $$
  with back as (
    update reply r set state = case when t.sent_nothing then 'PENDING' else 'UNCONFIRMED' end
    from jsonb_to_recordset(taken) as t(org_id uuid, subject text, subject_id uuid, was text, step text, sent_nothing boolean)
    where t.subject = 'reply' and t.was = 'send' and r.org_id = t.org_id and r.id = t.subject_id and r.state = 'SENDING' and (t.sent_nothing or t.step = 'reconcile')
    returning r.org_id, r.conversation_id
  )
  insert into event (at, org_id, project_id, kind, ref)
  select moment, v.org_id, v.project_id, 'conversation', v.id::text from back b join conversation v on v.org_id = b.org_id and v.id = b.conversation_id
$$;
revoke all on function take_back_replies from public;
grant execute on function take_back_replies to rookery_system;

/*
 * What is changed at the platform afterwards: a reply's text, or its deletion; our reaction to an item, whether it's hidden,
 * its deletion. Loads where it is there.
 */
create or replace function begin_changes(moment timestamptz, claims jsonb) returns table (claim jsonb)
language sql set search_path = public, pg_temp as $$
  select c || jsonb_build_object('loaded', jsonb_build_object(
    'project_id', v.project_id, 'conversation_id', v.id, 'kind', v.kind, 'thread_key', v.thread_key, 'item_id', t.item_id, 'remote_id', t.remote_id, 'type', t.type))
  from jsonb_array_elements(claims) c
  cross join lateral (
    select r.conversation_id, r.remote_id, null::uuid as item_id, null as type from reply r
    where c ->> 'subject' = 'reply-change' and r.org_id = (c ->> 'org_id')::uuid and r.id = (c ->> 'subject_id')::uuid
    union all
    select i.conversation_id, i.remote_id, i.id, i.type from inbox_item i
    where c ->> 'subject' = 'item-change' and i.org_id = (c ->> 'org_id')::uuid and i.id = (c ->> 'subject_id')::uuid
  ) t
  join conversation v on v.org_id = (c ->> 'org_id')::uuid and v.id = t.conversation_id
$$;
revoke all on function begin_changes from public;
grant execute on function begin_changes to rookery_system;
