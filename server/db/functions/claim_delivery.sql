/*
 * Claims one delivery without its lane: the same lease, fence and journal as claim_deliveries, and the same step if this process
 * dies now. Budgets are not spent, and what keeps a lane waiting doesn't matter here. Returns the claim as claim_deliveries
 * does, and no row when someone else is at it.
 *
 * wanted: {org_id, subject, subject_id, fence, dates}. With a fence, a request sends what it has reserved: it must still be that. Without
 * one, a job works on it: its delivery has no step, or its last worker's lease is over. With `dates`, it's dated as in
 * claim_deliveries.
 */
create or replace function claim_delivery(moment timestamptz, worker uuid, wanted jsonb, lease interval, margin interval)
returns table (claim jsonb)
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  claims jsonb;
begin
  perform lock_subjects(jsonb_build_array(wanted));

  with w as (
    select * from jsonb_to_record(wanted) as w(org_id uuid, subject text, subject_id uuid, fence int, dates boolean)
  ),
  -- nobody changes it meanwhile: its subject is locked
  free as materialized (
    select d.*, w.dates from w join delivery d on d.org_id = w.org_id and d.subject_id = w.subject_id and d.subject = w.subject and d.key = ''
    where case when w.fence is null then d.step is null or d.step_at <= moment else d.fence = w.fence and d.step = 'send' end
    for no key update of d
  ),
  dated as (
    insert into account_clock as t (account, last_at)
    select c.platform || ':' || c.remote_id, moment from free f join channel c on c.org_id = f.org_id and c.id = f.channel_id
    where f.dates and (f.dated_at is null or f.dated_at < f.wanted_at)
    on conflict (account) do update set last_at = greatest(excluded.last_at, t.last_at + interval '1 millisecond')
    returning t.last_at
  ),
  taken as (
    update delivery d set fence = d.fence + 1, step = 'reconcile', step_at = moment + lease + margin, wanted_at = coalesce(d.wanted_at, moment),
      dated_at = coalesce((select x.last_at from dated x), d.dated_at)
    from free f where d.org_id = f.org_id and d.subject_id = f.subject_id and d.subject = f.subject and d.key = f.key
    returning uuidv7() as attempt_id, d.*
  ),
  tried as (
    insert into attempt (org_id, id, subject, subject_id, key, channel_id, fence, step, node_id, send_key, started_at)
    select t.org_id, t.attempt_id, t.subject, t.subject_id, t.key, t.channel_id, t.fence, 'send', worker, t.send_key, moment from taken t
  )
  select jsonb_agg(to_jsonb(c)) into claims from (
    select 'go' as verdict, 'send' as step, t.attempt_id, moment + lease as lease_until,
      t.org_id, t.channel_id, t.subject, t.subject_id, t.key, t.fence, t.tries, t.send_key, t.progress, t.details,
      t.wanted_at, t.dated_at, t.sent_at, t.absent_at, t.remote_id, t.failure, null as used_up,
      moment as started_at, null as why, n.platform, coalesce(l.credentials, 'own') as credentials, n.remote_id as account_id, n.handle, n.service, n.name as channel_name, n.lateness_minutes,
      x.key_id, x.sealed, x.expires_at as secret_expires_at, x.version as secret_version
    from taken t
    left join lane l on l.org_id = t.org_id and l.channel_id = t.channel_id
    join channel n on n.org_id = t.org_id and n.id = t.channel_id
    left join channel_secret x on x.org_id = t.org_id and x.channel_id = t.channel_id
  ) c;
  if claims is null then return; end if;

  return query select * from begin_subjects(moment, claims);
end $$;
revoke all on function claim_delivery from public;
grant execute on function claim_delivery to rookery_system;
