/*
 * Releases what a node holds, except the attempts that it still knows about (`known`). `sent_nothing` is for a node that
 * speaks for itself: an attempt that it never heard of was never begun, so the delivery returns to its step, if it is still
 * exactly as the claim left it. For a node that died, what was claimed to be sent may have been published: it is reconciled
 * after the lease; on platforms where our own key makes a second send harmless (`repeatable`) at once. Returns the number of
 * deliveries.
 */
create or replace function take_back(moment timestamptz, worker uuid, known uuid[], sent_nothing boolean, repeatable text[]) returns int
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  taken jsonb;
  -- the attempts that it held
  ended jsonb;
begin
  perform lock_subjects(jsonb_agg(jsonb_build_object('org_id', a.org_id, 'subject', a.subject, 'subject_id', a.subject_id)))
  from attempt a where a.node_id = worker and a.finished_at is null and not (a.id = any(known));

  with lost as materialized (
    select a.org_id, a.started_at, a.id, a.subject, a.subject_id, a.key, a.channel_id, a.step, a.fence from attempt a
    where a.node_id = worker and a.finished_at is null and not (a.id = any(known))
      and not (sent_nothing and exists (
        select from delivery d where d.org_id = a.org_id and d.subject_id = a.subject_id and d.subject = a.subject and d.key = a.key and d.fence = a.fence
          and d.step is distinct from case a.step when 'send' then 'reconcile' else a.step end))
  ),
  mine as materialized (
    select d.org_id, d.subject_id, d.subject, d.key, l.step as was, c.platform = any(repeatable) as harmless from delivery d
    join lost l on l.org_id = d.org_id and l.subject_id = d.subject_id and l.subject = d.subject and l.key = d.key
    join channel c on c.org_id = d.org_id and c.id = d.channel_id
    where d.fence = l.fence and (not sent_nothing or d.step = case l.step when 'send' then 'reconcile' else l.step end)
    order by d.org_id, d.subject_id, d.subject, d.key for no key update of d
  ),
  back as (
    update delivery d
    set fence = d.fence + 1, lease_id = null, lease_until = null,
      step = case when sent_nothing then m.was else d.step end,
      step_at = case when d.step = 'reconcile' and m.was = 'send' and not sent_nothing and not m.harmless then d.step_at else moment end
    from mine m where d.org_id = m.org_id and d.subject_id = m.subject_id and d.subject = m.subject and d.key = m.key
    returning d.org_id, d.subject, d.subject_id, m.was, d.step
  ),
  closed as (
    update attempt a set finished_at = moment, outcome = case when sent_nothing then 'not begun' else 'abandoned' end
    from lost l where a.org_id = l.org_id and a.started_at = l.started_at and a.id = l.id
  )
  select (select coalesce(jsonb_agg(to_jsonb(b) || jsonb_build_object('sent_nothing', sent_nothing)), '[]') from back b), (select jsonb_agg(to_jsonb(l)) from lost l)
  into taken, ended;

  perform take_back_subjects(moment, taken);

  -- what people had taken away from it meanwhile
  update delivery d set lease_id = null, lease_until = null
  from jsonb_to_recordset(ended) as a(org_id uuid, id uuid, subject text, subject_id uuid, key text)
  where d.org_id = a.org_id and d.subject_id = a.subject_id and d.subject = a.subject and d.key = a.key and d.lease_id = a.id;

  perform from lane l
  where (l.org_id, l.channel_id) in (select a.org_id, a.channel_id from jsonb_to_recordset(ended) as a(org_id uuid, channel_id uuid))
  order by l.org_id, l.channel_id for no key update;
  update lane l
  set wake_at = (select d.step_at from delivery d where d.org_id = l.org_id and d.channel_id = l.channel_id and d.step_at is not null order by d.step_at limit 1)
  where (l.org_id, l.channel_id) in (select a.org_id, a.channel_id from jsonb_to_recordset(ended) as a(org_id uuid, channel_id uuid));
  return jsonb_array_length(taken);
end $$;
revoke all on function take_back from public;
grant execute on function take_back to rookery_system;
