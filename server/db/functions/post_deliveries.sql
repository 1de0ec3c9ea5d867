-- Posts and their follow-ups as subjects of the delivery engine (functions/delivery_subjects.sql).

-- A post that is claimed to be sent is PROCESSING; one of which nobody came back is UNCONFIRMED once it is looked up.
create or replace function begin_posts(moment timestamptz, claims jsonb) returns table (claim jsonb)
language plpgsql set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with c as materialized (
    select e.value, r.* from jsonb_array_elements(claims) e
    cross join lateral jsonb_to_record(e.value) as r(org_id uuid, subject text, subject_id uuid, key text, verdict text, step text, tries int)
  ),
  begun as (
    update post p
    set state = case c.step when 'send' then 'PROCESSING' else 'UNCONFIRMED' end,
      failure = case when c.step <> 'send' then p.failure end,
      queue_order = null,
      updated_at = case when c.step = 'send' then moment else p.updated_at end
    from c
    where c.subject = 'post' and c.verdict = 'go' and p.org_id = c.org_id and p.id = c.subject_id
      and (c.step = 'send' or (c.step = 'reconcile' and p.state = 'PROCESSING'))
    returning p.org_id, p.project_id, p.id, p.due_at, p.state, p.failure, old.state as state_before, c.step, c.tries
  ),
  told as (
    insert into post_event (org_id, post_id, id, kind, at)
    select b.org_id, b.id, uuidv7(), case when b.step = 'send' then 'due' else 'unconfirmed' end, moment from begun b
    where b.step = 'reconcile'
      -- once per due time, however often it had to be claimed
      or (b.tries = 0 and b.state_before <> 'UNCONFIRMED'
        and not exists (select from post_event e where e.org_id = b.org_id and e.post_id = b.id and e.kind = 'due' and e.at >= b.due_at))
  ),
  shown as (
    insert into event (at, org_id, project_id, kind, ref)
    select moment, b.org_id, b.project_id, 'post', b.id::text from begun b where b.state <> b.state_before
  )
  select c.value || jsonb_build_object('loaded', jsonb_build_object(
    'project_id', p.project_id, 'state', coalesce(b.state, p.state), 'failure', case when b.id is null then p.failure else b.failure end,
    'warning', p.warning, 'due_at', p.due_at, 'zone', p.zone, 'remote_id', p.remote_id, 'post_type', p.post_type, 'created_at', p.created_at,
    'contents', case when c.verdict = 'go' then p.contents else '[]' end, 'details', p.details, 'first_comment', p.first_comment, 'mentions', p.mentions,
    -- all that is delivered of the post, for what follows it
    'deliveries', case when c.subject = 'follow-up' then (
      select jsonb_agg(to_jsonb(d) order by d.subject desc, d.place) from delivery d where d.org_id = c.org_id and d.subject_id = c.subject_id) end,
    'approval_state', g.state, 'approved_hash', encode(g.content_hash, 'hex')))
  from c
  join post p on p.org_id = c.org_id and p.id = c.subject_id and c.subject in ('post', 'follow-up', 'edit', 'deletion')
  left join begun b on b.org_id = c.org_id and b.id = c.subject_id
  -- the last round of approval, for what is about to be sent
  left join lateral (
    select a.state, a.content_hash from approval a where a.org_id = p.org_id and a.post_id = p.id order by a.sent_at desc, a.id desc limit 1
  ) g on c.verdict = 'go' and c.step in ('prepare', 'send');
end $$;
revoke all on function begin_posts from public;
grant execute on function begin_posts to rookery_system;

/*
 * The follow-up of a post that is next: the first that waits. An item of a thread answers the one before it, so nothing goes
 * past an item that isn't published.
 */
create or replace function next_follow_up(org uuid, post uuid) returns text
language sql stable set search_path = public, pg_temp as $$
  select d.key from delivery d
  where d.org_id = org and d.subject_id = post and d.subject = 'follow-up' and d.state = 'waiting'
    and not exists (
      select from delivery e
      where e.org_id = org and e.subject_id = post and e.subject = 'follow-up' and e.place < d.place and e.state <> 'sent' and e.details ->> 'kind' = 'item')
  order by d.place limit 1
$$;

/*
 * Writes the posts of accepted outcomes; `change` of each: {state, remote_id, permalink, published_at, failure, warning,
 * add_warning, shows, events, follow_ups, goes_on}. What it leaves out stays as it is, except the failure of a post's own
 * delivery. `goes_on`: the next follow-up begins.
 */
create or replace function write_posts(moment timestamptz, outcomes jsonb) returns void
language plpgsql set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  with o as materialized (
    select o.org_id, o.subject, o.subject_id, o.channel_id, c.*
    from jsonb_to_recordset(outcomes) as o(org_id uuid, subject text, subject_id uuid, channel_id uuid, change jsonb)
    cross join lateral jsonb_to_record(o.change) as c(state text, remote_id text, permalink text, published_at timestamptz, failure jsonb, warning jsonb,
      add_warning jsonb, shows boolean, events jsonb, follow_ups jsonb, goes_on boolean)
    where o.subject in ('post', 'follow-up', 'edit', 'deletion')
  ),
  written as (
    update post p
    set state = coalesce(o.state, p.state), queue_order = case when coalesce(o.state, p.state) = 'QUEUED' then p.queue_order end,
      remote_id = coalesce(o.remote_id, p.remote_id), permalink = coalesce(o.permalink, p.permalink),
      published_at = coalesce(o.published_at, p.published_at), shown_at = coalesce(o.published_at, p.shown_at),
      failure = case when o.subject = 'post' then o.failure else p.failure end,
      warning = case when o.add_warning is null then coalesce(o.warning, p.warning) else coalesce(p.warning, '[]') || o.add_warning end,
      updated_at = case when o.shows then moment else p.updated_at end
    from o
    where p.org_id = o.org_id and p.id = o.subject_id
      -- most outcomes change nothing that people see: such a post isn't written
      and (o.shows or o.remote_id is not null or o.permalink is not null or o.published_at is not null or o.warning is not null or o.add_warning is not null
        or coalesce(o.state, p.state) <> p.state or (o.subject = 'post' and p.failure is distinct from o.failure))
    returning o.org_id, p.project_id, o.subject_id, o.shows
  ),
  follows as (
    insert into delivery (org_id, channel_id, subject, subject_id, key, place, details, send_key, doubted)
    select o.org_id, o.channel_id, 'follow-up', o.subject_id, f.key, f.place, f.details, f.send_key, d.doubted
    from o join delivery d on d.org_id = o.org_id and d.subject_id = o.subject_id and d.subject = 'post'
    cross join lateral jsonb_to_recordset(o.follow_ups) as f(key text, place int, details jsonb, send_key text)
    on conflict do nothing
  ),
  told as (
    insert into post_event (org_id, post_id, id, kind, at, detail)
    select o.org_id, o.subject_id, e.id, e.kind, e.at, e.detail from o cross join lateral jsonb_to_recordset(o.events) as e(id uuid, kind text, at timestamptz, detail jsonb)
    on conflict do nothing
  )
  insert into event (at, org_id, project_id, kind, ref) select moment, w.org_id, w.project_id, 'post', w.subject_id::text from written w where w.shows;

  -- reads what the statement before has written; most posts have nothing that follows
  update delivery d
  set step = case when d.doubted then 'reconcile' else 'send' end, step_at = moment, fence = d.fence + 1,
    -- the lateness of all that follows a post counts from when the first began
    wanted_at = coalesce((select max(e.wanted_at) from delivery e where e.org_id = d.org_id and e.subject_id = d.subject_id and e.subject = 'follow-up'), moment)
  from jsonb_to_recordset(outcomes) as o(org_id uuid, subject_id uuid, change jsonb)
  where (o.change ->> 'goes_on')::boolean and d.org_id = o.org_id and d.subject_id = o.subject_id and d.subject = 'follow-up' and d.state = 'waiting'
    and d.key = next_follow_up(d.org_id, d.subject_id);
end $$;
revoke all on function write_posts from public;
grant execute on function write_posts to rookery_system;

-- A post that was being sent is due again when nothing of it was sent, and UNCONFIRMED when nobody knows.
create or replace function take_back_posts(moment timestamptz, taken jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  with t as (
    select * from jsonb_to_recordset(taken) as t(org_id uuid, subject text, subject_id uuid, was text, step text, sent_nothing boolean)
    where t.subject = 'post' and t.was = 'send'
  ),
  back as (
    update post p
    set state = case when p.state <> 'PROCESSING' then p.state when t.sent_nothing then 'SCHEDULED' when t.step = 'reconcile' then 'UNCONFIRMED' else p.state end
    from t where p.org_id = t.org_id and p.id = t.subject_id
    returning p.org_id, p.id, p.project_id, p.state
  ),
  told as (
    insert into post_event (org_id, post_id, id, kind, at)
    select b.org_id, b.id, uuidv7(), 'unconfirmed', moment from back b where b.state = 'UNCONFIRMED'
  )
  insert into event (at, org_id, project_id, kind, ref) select moment, b.org_id, b.project_id, 'post', b.id::text from back b;
end $$;
revoke all on function take_back_posts from public;
grant execute on function take_back_posts to rookery_system;
