/*
 * Writes the outcomes of attempts, each only if its fence is still current; otherwise the delivery belongs to someone else
 * by now. Running it twice has the effect of running it once (when the answer to the commit was lost): events carry their
 * ids, and an outcome that ends an attempt raises the fence. Subjects are locked before deliveries and deliveries before
 * lanes, each in order, as everywhere. The last statement computes the lanes' next times, with a snapshot that is younger
 * than their locks.
 *
 * The first outcome of a send gives its lease back, whatever it is, so that the lane can send what is next: for one that was
 * acknowledged that is before it is read back.
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
  -- attempts whose lease ended here
  freed uuid[];
begin
  perform lock_subjects(outcomes);

  with o as materialized (
    select * from jsonb_to_recordset(outcomes) as o(
      org_id uuid, subject text, subject_id uuid, key text, channel_id uuid, attempt_id uuid, started_at timestamptz, fence int, ends boolean,
      state text, step text, step_at timestamptz, tries int, progress jsonb, remote_id text, sent_at timestamptz, failure jsonb, absent_at timestamptz,
      outcome text, exchange jsonb, closes jsonb, closed_until timestamptz)
  ),
  mine as materialized (
    select d.org_id, d.subject_id, d.subject, d.key from delivery d
    join o on o.org_id = d.org_id and o.subject_id = d.subject_id and o.subject = d.subject and o.key = d.key
    where d.fence = o.fence order by d.org_id, d.subject_id, d.subject, d.key for no key update of d
  ),
  written as (
    update delivery d
    set state = coalesce(o.state, d.state), step = o.step, step_at = o.step_at, tries = o.tries, fence = d.fence + case when o.ends then 1 else 0 end,
      progress = coalesce(o.progress, d.progress), remote_id = coalesce(o.remote_id, d.remote_id), sent_at = coalesce(o.sent_at, d.sent_at),
      failure = o.failure, absent_at = o.absent_at, lease_id = null, lease_until = null
    from o join mine m on m.org_id = o.org_id and m.subject_id = o.subject_id and m.subject = o.subject and m.key = o.key
    where d.org_id = o.org_id and d.subject_id = o.subject_id and d.subject = o.subject and d.key = o.key and d.fence = o.fence
    returning o.*, old.lease_id as lease
  ),
  closed as (
    update attempt a set finished_at = moment, outcome = w.outcome, exchange = w.exchange
    from written w where w.ends and a.org_id = w.org_id and a.started_at = w.started_at and a.id = w.attempt_id
  ),
  shut as (
    insert into budget as b (key, window_ends_at, closed_until)
    select k.key, moment, max(w.closed_until) from written w cross join lateral jsonb_array_elements_text(w.closes) as k(key) where w.closed_until is not null group by k.key order by k.key
    on conflict (key) do update set closed_until = greatest(b.closed_until, excluded.closed_until)
  )
  select array_agg(w.attempt_id), array_agg(w.attempt_id) filter (where w.lease = w.attempt_id) into accepted, freed from written w;

  -- what was taken away meanwhile is on its way no longer
  with late as (
    update delivery d set lease_id = null, lease_until = null
    from jsonb_to_recordset(outcomes) as o(org_id uuid, subject text, subject_id uuid, key text, attempt_id uuid)
    where not (o.attempt_id = any(coalesce(accepted, '{}'))) and d.org_id = o.org_id and d.subject_id = o.subject_id and d.subject = o.subject and d.key = o.key
      and d.lease_id = o.attempt_id
    returning o.attempt_id
  )
  select freed || array_agg(l.attempt_id) into freed from late l;

  perform write_subjects(moment, (select jsonb_agg(o) from jsonb_array_elements(outcomes) o where (o ->> 'attempt_id')::uuid = any(accepted)))
  where accepted is not null;

  perform from lane l
  where (l.org_id, l.channel_id) in (
    select o.org_id, o.channel_id from jsonb_to_recordset(outcomes) as o(org_id uuid, channel_id uuid, attempt_id uuid, ends boolean)
    where o.ends or o.attempt_id = any(freed))
  order by l.org_id, l.channel_id for no key update;

  -- a lane that can't send what is due because others are on their way is looked at once in vain: the claim finds out
  update lane l
  set wake_at = (select d.step_at from delivery d where d.org_id = l.org_id and d.channel_id = l.channel_id and d.step_at is not null order by d.step_at limit 1)
  where (l.org_id, l.channel_id) in (
    select o.org_id, o.channel_id from jsonb_to_recordset(outcomes) as o(org_id uuid, channel_id uuid, attempt_id uuid, ends boolean)
    where o.ends or o.attempt_id = any(freed));

  return query select unnest(accepted);
end $$;
revoke all on function write_outcomes from public;
grant execute on function write_outcomes to rookery_system;
