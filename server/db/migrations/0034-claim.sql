/*
 * The lines of the counts (0025) no longer name their project as a foreign key: each check locked the one row of the
 * project that everybody shares, and cost more than the counting. They go with their project all the same.
 */
alter table post_count drop constraint post_count_org_id_project_id_fkey;
alter table engagement drop constraint engagement_org_id_project_id_fkey;
-- After the posts, which go first by the names of the triggers: whatever was counted until then is seen here.
create function forget_counts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from post_count where org_id = old.org_id and project_id = old.id;
  delete from engagement where org_id = old.org_id and project_id = old.id;
  return null;
end $$;
revoke all on function forget_counts from public;
create trigger forget_counts after delete on project for each row execute function forget_counts();

/*
 * claim_posts() of 0018, which says what it does there. New is that it answers what the last round of approval allowed,
 * so that the machine compares it with what it is about to send without asking once more.
 */
drop function claim_posts;
create function claim_posts(moment timestamptz, worker uuid, slots int, transfers int, offers jsonb, look_again interval)
returns table (
  verdict text, why text, org_id uuid, project_id uuid, post_id uuid, channel_id uuid, platform text, credentials text,
  step text, state text, fence int, attempt_id uuid, started_at timestamptz, lease_until timestamptz, tries int,
  send_key text, progress jsonb, contents jsonb, details jsonb, post_type text, due_at timestamptz, sent_at timestamptz,
  absent_at timestamptz, remote_id text, failure jsonb, warning text, created_at timestamptz,
  account_id text, handle text, service text, channel_name text, lateness_minutes int,
  first_comment text, part text, parts jsonb, parts_at timestamptz, parts_doubted boolean,
  mentions jsonb, approval_state text, approved_hash bytea, key_id text, sealed bytea, secret_expires_at timestamptz, secret_version int
)
language plpgsql set search_path = public, pg_temp
-- planned once a connection: planning it anew for each call would cost more than running it
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  orgs uuid[];
  channels uuid[];
begin
  select array_agg(k.org_id), array_agg(k.channel_id) into orgs, channels from (
    select l.org_id, l.channel_id
    from jsonb_to_recordset(offers) as o(platform text, share int)
    cross join lateral (
      select l.org_id, l.channel_id from lane l
      where l.platform = o.platform and l.wake_at <= moment
      order by l.wake_at limit o.share for no key update skip locked
    ) l
    limit slots
  ) k;
  if orgs is null then return; end if;

  return query
  with offer as materialized (
    select * from jsonb_to_recordset(offers) as o(platform text, lease_ms int, read_lease_ms int, margin_ms int, keys jsonb, budgets jsonb)
  ),
  standing as materialized (
    select l.org_id, l.channel_id, l.platform, l.credentials, c.remote_id as account_id, c.handle, c.service, c.name as channel_name, c.lateness_minutes,
      moment - make_interval(mins => c.lateness_minutes) as cutoff,
      case
        when c.status <> 'CONNECTED' or c.deleted_at is not null then 'reconnect'
        when l.paused or not c.enabled then 'paused'
        when not plan_is_valid(pl.status, pl.trial_ends_at, moment) then 'plan'
        when exists (
          select from kill_switch k
          where k.scope = 'all' or (k.scope = 'platform' and k.name = l.platform)
            or (k.scope = 'credentials' and k.name = l.platform || ':' || l.credentials) or (k.scope = 'organization' and k.name = l.org_id::text)
        ) then 'held'
      end as why
    from unnest(orgs, channels) as k(org_id, channel_id)
    -- one look by key for each lane, whatever the planner believes of organizations with many channels
    cross join lateral (select * from lane l where l.org_id = k.org_id and l.channel_id = k.channel_id offset 0) l
    cross join lateral (select * from channel c where c.org_id = k.org_id and c.id = k.channel_id offset 0) c
    cross join lateral (select * from plan pl where pl.org_id = k.org_id offset 0) pl
  ),
  -- late posts, and posts that have to wait and whose people have not been told
  aside as materialized (
    select s.org_id, s.channel_id, q.id, case when q.wanted_at < s.cutoff then 'late' else 'blocked' end as verdict
    from standing s cross join lateral (
      select p.id, p.step, p.failure, case when p.step = 'part' then p.parts_at else p.due_at end as wanted_at from post p
      where p.org_id = s.org_id and p.channel_id = s.channel_id and p.step_at <= moment and p.step in ('prepare', 'send', 'part')
      order by p.step_at, p.id limit case when s.why is null then 20 else 500 end
    ) q
    -- a part that waits for its channel is told of by the channel, and at its limit
    where q.wanted_at < s.cutoff or (s.why is not null and q.step <> 'part' and q.failure is null and q.wanted_at <= moment)
  ),
  aside_now as materialized (
    select p.org_id, p.id, a.verdict from aside a
    join post p on p.org_id = a.org_id and p.id = a.id
    where p.step_at <= moment and p.step in ('prepare', 'send', 'part') and p.state in ('SCHEDULED', 'QUEUED', 'PROCESSING', 'UNCONFIRMED', 'PUBLISHED')
    for no key update of p skip locked
  ),
  set_aside as (
    update post p
    set fence = p.fence + 1, step_at = case when a.verdict = 'late' then moment + interval '15 seconds' else p.step_at end
    from aside_now a where p.org_id = a.org_id and p.id = a.id
    returning a.verdict, p.*
  ),
  head as materialized (
    select s.org_id, s.channel_id, s.platform, s.credentials, s.cutoff, p.id, p.step, p.step_at, p.due_at, p.parts_at, p.state, p.tries, p.send_key,
      row_number() over (partition by p.step = 'prepare' order by p.step_at, p.id) as nth_of_kind
    from standing s cross join lateral (
      select p.id, p.step, p.step_at, p.due_at, p.parts_at, p.state, p.tries, p.send_key from post p
      where p.org_id = s.org_id and p.channel_id = s.channel_id and p.step_at <= moment and p.state in ('SCHEDULED', 'QUEUED', 'PROCESSING', 'UNCONFIRMED', 'PUBLISHED')
        and case
          when p.step in ('prepare', 'send') then s.why is null and p.due_at >= s.cutoff and (p.step = 'send' or transfers > 0)
          when p.step = 'part' then s.why is null and p.parts_at >= s.cutoff
          else true
        end
      order by p.step_at, p.id limit 1 for no key update skip locked
    ) p
  ),
  cost as materialized (
    select h.org_id, h.id, b.tokens, key.name as key, make_interval(secs => b.window_seconds) as span, n.tokens as price,
      sum(n.tokens) over (partition by key.name order by h.step_at, h.id rows unbounded preceding) as running
    from head h
    join offer o on o.platform = h.platform
    cross join lateral jsonb_to_recordset(o.budgets) as b(name text, per text, window_seconds int, tokens int, cost jsonb)
    cross join lateral (select coalesce((b.cost ->> h.step)::int, 0) as tokens) n
    cross join lateral (select h.platform || ':' || b.name || ':' || case b.per when 'channel' then h.channel_id::text else h.credentials end as name) key
    where n.tokens > 0 and (h.step <> 'prepare' or h.nth_of_kind <= transfers)
  ),
  -- tokens are taken before they are counted: what does not fit is refused below and never charged beyond the limit
  charged as (
    insert into budget as b (key, window_ends_at, used)
    select c.key, moment + min(c.span), least(sum(c.price), min(c.tokens)) from cost c group by c.key order by c.key
    on conflict (key) do update set
      window_ends_at = case when b.window_ends_at <= moment then excluded.window_ends_at else b.window_ends_at end,
      used = case
        when b.closed_until > moment then b.used
        when b.window_ends_at <= moment then excluded.used
        else least(b.used + excluded.used, greatest(b.used, (select min(c.tokens) from cost c where c.key = b.key)))
      end
    returning b.key, new.window_ends_at as refill_at, new.closed_until, case when old.key is null or old.window_ends_at <= moment then 0 else old.used end as used_before
  ),
  refused as materialized (
    select c.org_id, c.id, max(case when g.closed_until > moment then g.closed_until else g.refill_at end) as refill_at
    from cost c join charged g on g.key = c.key
    where g.closed_until > moment or g.used_before + c.running > c.tokens
    group by c.org_id, c.id
  ),
  admitted as materialized (
    select h.*, uuidv7() as attempt_id,
      moment + case when h.step in ('send', 'part') then o.lease_ms else o.read_lease_ms end * interval '1 millisecond' as lease_until,
      o.margin_ms * interval '1 millisecond' as margin,
      o.keys ->> (row_number() over (partition by h.platform, h.step = 'send' and h.send_key is null order by h.step_at, h.id) - 1)::int as fresh_key
    from head h join offer o on o.platform = h.platform
    where (h.step <> 'prepare' or h.nth_of_kind <= transfers)
      and not exists (select from refused r where r.org_id = h.org_id and r.id = h.id)
  ),
  taken as (
    update post p
    set fence = p.fence + 1,
      step = case a.step when 'send' then 'settle' when 'part' then 'settlePart' else a.step end,
      step_at = a.lease_until + case when a.step in ('send', 'part') then a.margin else interval '0' end,
      state = case when a.step = 'send' then 'PROCESSING' when a.step = 'settle' and a.state = 'PROCESSING' then 'UNCONFIRMED' else a.state end,
      send_key = case when a.step = 'send' then coalesce(a.send_key, a.fresh_key) else a.send_key end,
      failure = case when a.step = 'send' then null else p.failure end, queue_order = case when a.step <> 'send' then p.queue_order end,
      updated_at = case when a.step = 'send' then moment else p.updated_at end
    from admitted a where p.org_id = a.org_id and p.id = a.id
    returning a.attempt_id, a.lease_until, a.step as claimed_step, a.state as state_before, p.*
  ),
  tried as (
    insert into attempt (org_id, id, post_id, channel_id, fence, step, node_id, send_key, started_at, part)
    select t.org_id, t.attempt_id, t.id, t.channel_id, t.fence, t.claimed_step, worker, coalesce(q.send_key, t.send_key), moment, q.key
    from taken t left join post_part q on t.claimed_step in ('part', 'settlePart') and q.org_id = t.org_id and q.post_id = t.id and q.key = t.part
  ),
  told as (
    insert into post_event (org_id, post_id, id, kind, at)
    select t.org_id, t.id, uuidv7(), case when t.claimed_step = 'send' then 'due' else 'unconfirmed' end, moment from taken t
    where (t.claimed_step = 'settle' and t.state_before = 'PROCESSING')
      -- once for each time at which it was due, however often it had to be claimed
      or (t.claimed_step = 'send' and t.tries = 0 and t.state_before <> 'UNCONFIRMED'
        and not exists (select from post_event e where e.org_id = t.org_id and e.post_id = t.id and e.kind = 'due' and e.at >= t.due_at))
  ),
  shown as (
    insert into event (at, org_id, project_id, kind, ref)
    select moment, t.org_id, t.project_id, 'post', t.id::text from taken t where t.state <> t.state_before
  ),
  woken as (
    update lane l
    set lease_id = case when a.step in ('send', 'part') then a.attempt_id end,
      lease_by = case when a.step in ('send', 'part') then worker end,
      lease_until = case when a.step in ('send', 'part') then a.lease_until end,
      wake_at = case
        when a.step in ('send', 'part') then a.lease_until
        when exists (select from aside x where x.org_id = s.org_id and x.channel_id = s.channel_id and x.verdict = 'late') then moment
        -- a blocked lane still reads and settles: at once when it just did, else with the next step that is to come
        when s.why is not null and a.id is not null then moment
        when s.why is not null then least(moment + look_again, (
          select p.step_at from post p where p.org_id = s.org_id and p.channel_id = s.channel_id and p.step_at > moment order by p.step_at limit 1))
        when r.refill_at is not null then least(r.refill_at, moment + greatest(case when h.step = 'part' then h.parts_at else h.due_at end - s.cutoff, interval '0') + interval '1 second')
        when a.id is not null then least(a.lease_until, following.step_at)
        else greatest(following.step_at, moment + interval '250 milliseconds')
      end
    from standing s
    left join admitted a on a.org_id = s.org_id and a.channel_id = s.channel_id
    left join head h on h.org_id = s.org_id and h.channel_id = s.channel_id
    left join refused r on r.org_id = h.org_id and r.id = h.id
    left join lateral (
      select p.step_at from post p
      where p.org_id = s.org_id and p.channel_id = s.channel_id and p.step_at is not null and p.id is distinct from a.id
      order by p.step_at limit 1
    ) following on a.step is null or a.step not in ('send', 'part')
    where l.org_id = s.org_id and l.channel_id = s.channel_id
  ),
  found as (
    select 'go' as verdict, t.claimed_step as step, t.attempt_id, t.lease_until,
      t.org_id, t.project_id, t.id, t.channel_id, t.state, t.fence, t.tries, t.send_key, t.progress, t.contents, t.details, t.post_type,
      t.due_at, t.sent_at, t.absent_at, t.remote_id, t.failure, t.warning, t.created_at, t.first_comment, t.part, t.parts_at, t.parts_doubted, t.mentions
    from taken t
    union all
    select t.verdict, t.step, null, null,
      t.org_id, t.project_id, t.id, t.channel_id, t.state, t.fence, t.tries, t.send_key, t.progress, '[]', '{}', t.post_type,
      t.due_at, t.sent_at, t.absent_at, t.remote_id, t.failure, t.warning, t.created_at, t.first_comment, t.part, t.parts_at, t.parts_doubted, '[]'
    from set_aside t
  )
  select f.verdict, s.why, f.org_id, f.project_id, f.id, f.channel_id, s.platform, s.credentials,
    f.step, f.state, f.fence, f.attempt_id, moment, f.lease_until, f.tries,
    f.send_key, f.progress, f.contents, f.details, f.post_type, f.due_at, f.sent_at,
    f.absent_at, f.remote_id, f.failure, f.warning, f.created_at,
    s.account_id, s.handle, s.service, s.channel_name, s.lateness_minutes,
    f.first_comment, f.part,
    case when f.part is not null then (select jsonb_agg(to_jsonb(q) order by q.place) from post_part q where q.org_id = f.org_id and q.post_id = f.id) end,
    f.parts_at, f.parts_doubted, f.mentions, g.state, g.content_hash, x.key_id, x.sealed, x.expires_at, x.version
  from found f
  join standing s on s.org_id = f.org_id and s.channel_id = f.channel_id
  left join channel_secret x on x.org_id = f.org_id and x.channel_id = f.channel_id and f.verdict = 'go'
  -- the last round of approval, for what is about to go out
  left join lateral (
    select a.state, a.content_hash from approval a where a.org_id = f.org_id and a.post_id = f.id order by a.sent_at desc, a.id desc limit 1
  ) g on f.verdict = 'go' and f.step in ('prepare', 'send', 'part');
end $$;
revoke all on function claim_posts from public;
grant execute on function claim_posts to rookery_system;
