/*
 * Writes the outcomes of attempts, each only if its fence is still current; otherwise the post belongs to somebody else by
 * now. Running it twice has the effect of running it once (when the answer to the commit was lost): events carry their
 * ids, and an outcome that ends an attempt raises the fence. Posts are locked before lanes and both in order, as everywhere.
 * The last statement computes the lanes' next times, with a snapshot that is younger than their locks.
 *
 * Returns the attempts whose outcome was accepted.
 */
create or replace function write_outcomes(moment timestamptz, outcomes jsonb) returns table (attempt_id uuid)
language plpgsql set search_path = public, pg_temp
-- planned once per connection: planning each call would cost more than running it
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  accepted uuid[];
begin
  with o as materialized (
    select * from jsonb_to_recordset(outcomes) as o(
      org_id uuid, project_id uuid, post_id uuid, channel_id uuid, attempt_id uuid, started_at timestamptz, fence int, ends boolean,
      state text, step text, step_at timestamptz, tries int, progress jsonb, remote_id text, permalink text, sent_at timestamptz,
      published_at timestamptz, failure jsonb, warning jsonb, absent_at timestamptz, outcome text, exchange jsonb, shows boolean,
      events jsonb, closes jsonb, closed_until timestamptz, parts jsonb, part text, parts_at timestamptz, part_done jsonb)
  ),
  mine as materialized (
    select p.org_id, p.id from post p join o on o.org_id = p.org_id and o.post_id = p.id
    where p.fence = o.fence order by p.org_id, p.id for no key update of p
  ),
  written as (
    update post p
    set state = o.state, queue_order = case when o.state = 'QUEUED' then p.queue_order end, step = o.step, step_at = o.step_at, tries = o.tries, fence = p.fence + case when o.ends then 1 else 0 end,
      progress = coalesce(o.progress, p.progress), remote_id = coalesce(o.remote_id, p.remote_id), permalink = coalesce(o.permalink, p.permalink),
      sent_at = coalesce(o.sent_at, p.sent_at), published_at = coalesce(o.published_at, p.published_at), shown_at = coalesce(o.published_at, p.shown_at),
      failure = o.failure, warning = coalesce(o.warning, p.warning), absent_at = o.absent_at,
      part = o.part, parts_at = coalesce(o.parts_at, p.parts_at),
      updated_at = case when o.shows then moment else p.updated_at end
    from o join mine on mine.org_id = o.org_id and mine.id = o.post_id
    where p.org_id = o.org_id and p.id = o.post_id and p.fence = o.fence
    returning o.*
  ),
  followed as (
    insert into post_part (org_id, post_id, key, place, kind, item, send_key)
    select w.org_id, w.post_id, q.key, q.place, q.kind, q.item, q.send_key
    from written w cross join lateral jsonb_to_recordset(w.parts) as q(key text, place int, kind text, item int, send_key text)
    on conflict do nothing
  ),
  done as (
    update post_part q
    set state = coalesce(d.state, q.state), remote_id = coalesce(d.remote_id, q.remote_id), progress = coalesce(d.progress, q.progress),
      sent_at = coalesce(d.sent_at, q.sent_at), reason = d.reason
    from written w cross join lateral jsonb_to_record(w.part_done) as d(key text, state text, remote_id text, progress jsonb, sent_at timestamptz, reason jsonb)
    where q.org_id = w.org_id and q.post_id = w.post_id and q.key = d.key
  ),
  closed as (
    update attempt a set finished_at = moment, outcome = w.outcome, exchange = w.exchange
    from written w where w.ends and a.org_id = w.org_id and a.started_at = w.started_at and a.id = w.attempt_id
  ),
  told as (
    insert into post_event (org_id, post_id, id, kind, at, detail)
    select w.org_id, w.post_id, e.id, e.kind, e.at, e.detail from written w cross join lateral jsonb_to_recordset(w.events) as e(id uuid, kind text, at timestamptz, detail jsonb)
    on conflict do nothing
  ),
  shown as (
    insert into event (at, org_id, project_id, kind, ref) select moment, w.org_id, w.project_id, 'post', w.post_id::text from written w where w.shows
  ),
  shut as (
    insert into budget as b (key, window_ends_at, closed_until)
    select k.key, moment, max(w.closed_until) from written w cross join lateral jsonb_array_elements_text(w.closes) as k(key) where w.closed_until is not null group by k.key order by k.key
    on conflict (key) do update set closed_until = greatest(b.closed_until, excluded.closed_until)
  )
  select array_agg(w.attempt_id) into accepted from written w;

  perform from lane l
  where (l.org_id, l.channel_id) in (select o.org_id, o.channel_id from jsonb_to_recordset(outcomes) as o(org_id uuid, channel_id uuid, ends boolean) where o.ends)
  order by l.org_id, l.channel_id for no key update;

  -- the attempt's own lease is released, another's is left alone, and a lane without a lease only ever wakes earlier
  update lane l
  set wake_at = case when l.lease_id = o.attempt_id then following.step_at else least(l.wake_at, following.step_at) end,
    lease_id = null, lease_by = null, lease_until = null
  from (
    select distinct on (o.org_id, o.channel_id) o.org_id, o.channel_id, coalesce(l.lease_id, o.attempt_id) as attempt_id
    from jsonb_to_recordset(outcomes) as o(org_id uuid, channel_id uuid, attempt_id uuid, ends boolean)
    join lane l on l.org_id = o.org_id and l.channel_id = o.channel_id
    where o.ends and (l.lease_id is null or l.lease_id = o.attempt_id)
  ) o
  left join lateral (
    select p.step_at from post p where p.org_id = o.org_id and p.channel_id = o.channel_id and p.step_at is not null order by p.step_at limit 1
  ) following on true
  where l.org_id = o.org_id and l.channel_id = o.channel_id;

  return query select unnest(accepted);
end $$;
revoke all on function write_outcomes from public;
grant execute on function write_outcomes to rookery_system;
