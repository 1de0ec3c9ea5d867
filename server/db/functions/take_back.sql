/*
 * Releases what a node holds, except the attempts that it still knows about (`known`). `sent_nothing` is for a node that
 * speaks for itself: an attempt that it never heard of was never begun, so the post returns to its step, if it is still
 * exactly as the claim left it. For a node that died, a post that was claimed to be sent may have been published: it
 * becomes UNCONFIRMED and is settled after the lease; on platforms where our own key makes a second send harmless
 * (`repeatable`) it is settled at once. Returns the number of posts.
 */
create or replace function take_back(moment timestamptz, worker uuid, known uuid[], sent_nothing boolean, repeatable text[]) returns int
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  taken int;
begin
  with lost as materialized (
    select a.org_id, a.started_at, a.id, a.post_id, a.channel_id, a.step, a.fence from attempt a
    where a.node_id = worker and a.finished_at is null and not (a.id = any(known))
      and not (sent_nothing and exists (
        select from post p where p.org_id = a.org_id and p.id = a.post_id and p.fence = a.fence
          and p.step is distinct from case a.step when 'send' then 'settle' when 'part' then 'settlePart' else a.step end))
  ),
  mine as materialized (
    select p.org_id, p.id, p.project_id, l.step as was, c.platform = any(repeatable) as harmless from post p
    join lost l on l.org_id = p.org_id and l.post_id = p.id
    join channel c on c.org_id = p.org_id and c.id = p.channel_id
    where p.fence = l.fence and (not sent_nothing or p.step = case l.step when 'send' then 'settle' when 'part' then 'settlePart' else l.step end)
    order by p.org_id, p.id for no key update of p
  ),
  back as (
    update post p
    set fence = p.fence + 1,
      step = case when sent_nothing then m.was else p.step end,
      step_at = case when p.step in ('settle', 'settlePart') and m.was in ('send', 'part') and not sent_nothing and not m.harmless then p.step_at else moment end,
      state = case when m.was <> 'send' or p.state <> 'PROCESSING' then p.state when sent_nothing then 'SCHEDULED' when p.step = 'settle' then 'UNCONFIRMED' else p.state end
    from mine m where p.org_id = m.org_id and p.id = m.id
    returning p.org_id, p.id, p.project_id, p.state, p.step, m.was
  ),
  told as (
    insert into post_event (org_id, post_id, id, kind, at)
    select b.org_id, b.id, uuidv7(), 'unconfirmed', moment from back b where b.state = 'UNCONFIRMED' and b.was = 'send'
  ),
  shown as (
    insert into event (at, org_id, project_id, kind, ref) select moment, b.org_id, b.project_id, 'post', b.id::text from back b where b.was = 'send'
  ),
  closed as (
    update attempt a set finished_at = moment, outcome = case when sent_nothing then 'not begun' else 'abandoned' end
    from lost l where a.org_id = l.org_id and a.started_at = l.started_at and a.id = l.id
  )
  select count(*)::int into taken from back;

  perform from lane l where l.lease_by = worker and not (l.lease_id = any(known)) order by l.org_id, l.channel_id for no key update;
  perform from lane l
  where (l.org_id, l.channel_id) in (select a.org_id, a.channel_id from attempt a where a.node_id = worker and a.finished_at = moment)
  order by l.org_id, l.channel_id for no key update;
  update lane l
  set lease_id = null, lease_by = null, lease_until = null,
    wake_at = (select p.step_at from post p where p.org_id = l.org_id and p.channel_id = l.channel_id and p.step_at is not null order by p.step_at limit 1)
  where (l.lease_by = worker and not (l.lease_id = any(known))
      and not exists (select from attempt a where a.node_id = worker and a.finished_at is null and a.org_id = l.org_id and a.id = l.lease_id))
    or (l.lease_id is null and (l.org_id, l.channel_id) in (select a.org_id, a.channel_id from attempt a where a.node_id = worker and a.finished_at = moment));
  return taken;
end $$;
revoke all on function take_back from public;
grant execute on function take_back to rookery_system;
