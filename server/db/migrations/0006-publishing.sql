-- One lane per channel: a post at a time, in the order of their due steps. wake_at is set in the transaction that
-- changes any of its causes: the next due step, the budget's refill, the end of a lease. Null: nothing to do.
create table lane (
  org_id uuid not null,
  channel_id uuid not null,
  platform text not null,
  -- whose app credentials the calls are counted against
  credentials text not null default 'own',
  wake_at timestamptz,
  -- held while a post is being sent: by which node and attempt, and until when. A leased lane wakes at the lease's end
  lease_id uuid,
  lease_by uuid,
  lease_until timestamptz,
  -- by a person or a dead token: what is due waits for its lateness limit
  paused boolean not null default false,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel on delete cascade
);
create index lane_wake on lane (platform, wake_at) where wake_at is not null;
create index lane_lease on lane (lease_by) where lease_by is not null;
select tenant_table('lane');

-- The watchdog's: what is on its way
create index post_on_its_way on post (step_at) where state = 'PROCESSING';

-- Written before and closed after every irreversible call; kept 30 days with a redacted log of the exchange.
create table attempt (
  org_id uuid not null,
  id uuid not null,
  post_id uuid not null,
  channel_id uuid not null,
  fence int not null,
  step text not null,
  node_id uuid not null,
  send_key text,
  started_at timestamptz not null,
  finished_at timestamptz,
  outcome text,
  exchange jsonb,
  primary key (org_id, started_at, id)
) partition by range (started_at);
create index attempt_post on attempt (org_id, post_id, started_at);
-- what a node holds at this moment: found when it dies
create index attempt_open on attempt (node_id) where finished_at is null;
select tenant_table('attempt', 'select');

-- Which programs are alive. A node that is silent for longer than its heartbeat allows loses its leases.
create table node (
  id uuid primary key,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- 'publishing', or 'jobs' with the id by which the job library knows its locks
  role text not null check (role in ('publishing', 'jobs')),
  pool_id text,
  host text not null default ''
);
select global_table('node');

-- Publishing stopped by a person for everything, a platform, credentials or an organization. Checked in the claim.
create table kill_switch (
  scope text not null check (scope in ('all', 'platform', 'credentials', 'organization')),
  name text not null default '',
  reason text not null,
  since timestamptz not null,
  primary key (scope, name)
);
select global_table('kill_switch');
grant select on kill_switch to rookery_app;

-- How punctual publishing was, by hour: the metric and the page.
create table punctuality (
  hour timestamptz not null,
  platform text not null,
  posts int not null default 0,
  -- lag in milliseconds from due to the first call, as counts per power-of-two bucket
  buckets int[] not null default array_fill(0, array[32]),
  primary key (hour, platform)
);
select global_table('punctuality');

-- How long before its due time the reversible work of a post begins.
create function prepare_ahead(images int) returns interval
language sql immutable parallel safe as $$ select interval '2 minutes' + images * interval '30 seconds' $$;

-- Whether an organization may publish at the moment; the same rule as `entitlements().valid` in contract/plans.ts, and a
-- test compares the two.
create function plan_is_valid(status text, trial_ends_at timestamptz, moment timestamptz) returns boolean
language sql immutable parallel safe as $$
  select status not in ('TRIAL_EXPIRED', 'CANCELLED') and not (status = 'TRIAL_ACTIVE' and coalesce(trial_ends_at <= moment, false))
$$;

/*
 * Takes what is due: at most `slots` lanes, at most `share` of each platform, at most `transfers` of them to prepare.
 * One durable commit that says who acts (lease, fence), under which key it will be recognized (send_key), what it costs
 * (budgets), that it was tried (attempt) and, as the post's next step, what must happen if nobody comes back: a post
 * taken to be sent is left at 'settle' after the lease. A send leases its lane, so that a channel sends in order; other
 * steps lease only their post.
 *
 * The lanes are locked first and looked at by a second statement: its snapshot contains what a verb committed just
 * before its lane was locked, and a verb that comes later waits for the lane. Nothing here waits for a lock.
 *
 * offers: [{platform, share, lease_ms, read_lease_ms, margin_ms, keys: [send keys], budgets: [{name, per, window_seconds, tokens, cost: {step: n}}]}]
 * Answers a row per post. verdict 'go': do the step. 'late': past the lateness limit, not to be sent. 'blocked': waits,
 * `why` says for what, and people have not been told yet.
 */
create function claim_posts(moment timestamptz, worker uuid, slots int, transfers int, offers jsonb, look_again interval)
returns table (
  verdict text, why text, org_id uuid, project_id uuid, post_id uuid, channel_id uuid, platform text, credentials text,
  step text, state text, fence int, attempt_id uuid, started_at timestamptz, lease_until timestamptz, tries int,
  send_key text, progress jsonb, contents jsonb, details jsonb, post_type text, due_at timestamptz, sent_at timestamptz,
  absent_at timestamptz, remote_id text, failure jsonb, warning text, created_at timestamptz,
  account_id text, handle text, service text, channel_name text, lateness_minutes int,
  key_id text, sealed bytea, secret_expires_at timestamptz, secret_version int
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
    select s.org_id, s.channel_id, q.id, case when q.due_at < s.cutoff then 'late' else 'blocked' end as verdict
    from standing s cross join lateral (
      select p.id, p.due_at, p.failure from post p
      where p.org_id = s.org_id and p.channel_id = s.channel_id and p.step_at <= moment and p.step in ('prepare', 'send')
      order by p.step_at, p.id limit case when s.why is null then 20 else 500 end
    ) q
    where q.due_at < s.cutoff or (s.why is not null and q.failure is null and q.due_at <= moment)
  ),
  aside_now as materialized (
    select p.org_id, p.id, a.verdict from aside a
    join post p on p.org_id = a.org_id and p.id = a.id
    where p.step_at <= moment and p.step in ('prepare', 'send') and p.state in ('SCHEDULED', 'PROCESSING', 'UNCONFIRMED')
    for no key update of p skip locked
  ),
  set_aside as (
    update post p
    set fence = p.fence + 1, step_at = case when a.verdict = 'late' then moment + interval '15 seconds' else p.step_at end
    from aside_now a where p.org_id = a.org_id and p.id = a.id
    returning a.verdict, p.*
  ),
  head as materialized (
    select s.org_id, s.channel_id, s.platform, s.credentials, s.cutoff, p.id, p.step, p.step_at, p.due_at, p.state, p.tries, p.send_key,
      row_number() over (partition by p.step = 'prepare' order by p.step_at, p.id) as nth_of_kind
    from standing s cross join lateral (
      select p.id, p.step, p.step_at, p.due_at, p.state, p.tries, p.send_key from post p
      where p.org_id = s.org_id and p.channel_id = s.channel_id and p.step_at <= moment and p.state in ('SCHEDULED', 'PROCESSING', 'UNCONFIRMED')
        and case when p.step in ('prepare', 'send') then s.why is null and p.due_at >= s.cutoff and (p.step = 'send' or transfers > 0) else true end
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
      moment + case when h.step = 'send' then o.lease_ms else o.read_lease_ms end * interval '1 millisecond' as lease_until,
      o.margin_ms * interval '1 millisecond' as margin,
      o.keys ->> (row_number() over (partition by h.platform, h.step = 'send' and h.send_key is null order by h.step_at, h.id) - 1)::int as fresh_key
    from head h join offer o on o.platform = h.platform
    where (h.step <> 'prepare' or h.nth_of_kind <= transfers)
      and not exists (select from refused r where r.org_id = h.org_id and r.id = h.id)
  ),
  taken as (
    update post p
    set fence = p.fence + 1,
      step = case when a.step = 'send' then 'settle' else a.step end,
      step_at = a.lease_until + case when a.step = 'send' then a.margin else interval '0' end,
      state = case when a.step = 'send' then 'PROCESSING' when a.step = 'settle' and a.state = 'PROCESSING' then 'UNCONFIRMED' else a.state end,
      send_key = case when a.step = 'send' then coalesce(a.send_key, a.fresh_key) else a.send_key end,
      failure = case when a.step = 'send' then null else p.failure end,
      updated_at = case when a.step = 'send' then moment else p.updated_at end
    from admitted a where p.org_id = a.org_id and p.id = a.id
    returning a.attempt_id, a.lease_until, a.step as claimed_step, a.state as state_before, p.*
  ),
  tried as (
    insert into attempt (org_id, id, post_id, channel_id, fence, step, node_id, send_key, started_at)
    select t.org_id, t.attempt_id, t.id, t.channel_id, t.fence, t.claimed_step, worker, t.send_key, moment from taken t
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
    set lease_id = case when a.step = 'send' then a.attempt_id end,
      lease_by = case when a.step = 'send' then worker end,
      lease_until = case when a.step = 'send' then a.lease_until end,
      wake_at = case
        when a.step = 'send' then a.lease_until
        when exists (select from aside x where x.org_id = s.org_id and x.channel_id = s.channel_id and x.verdict = 'late') then moment
        -- a blocked lane still reads and settles: at once when it just did, else with the next step that is to come
        when s.why is not null and a.id is not null then moment
        when s.why is not null then least(moment + look_again, (
          select p.step_at from post p where p.org_id = s.org_id and p.channel_id = s.channel_id and p.step_at > moment order by p.step_at limit 1))
        when r.refill_at is not null then least(r.refill_at, moment + greatest(h.due_at - s.cutoff, interval '0') + interval '1 second')
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
    ) following on a.step is distinct from 'send'
    where l.org_id = s.org_id and l.channel_id = s.channel_id
  ),
  found as (
    select 'go' as verdict, t.claimed_step as step, t.attempt_id, t.lease_until,
      t.org_id, t.project_id, t.id, t.channel_id, t.state, t.fence, t.tries, t.send_key, t.progress, t.contents, t.details, t.post_type,
      t.due_at, t.sent_at, t.absent_at, t.remote_id, t.failure, t.warning, t.created_at
    from taken t
    union all
    select t.verdict, t.step, null, null,
      t.org_id, t.project_id, t.id, t.channel_id, t.state, t.fence, t.tries, t.send_key, t.progress, '[]', '{}', t.post_type,
      t.due_at, t.sent_at, t.absent_at, t.remote_id, t.failure, t.warning, t.created_at
    from set_aside t
  )
  select f.verdict, s.why, f.org_id, f.project_id, f.id, f.channel_id, s.platform, s.credentials,
    f.step, f.state, f.fence, f.attempt_id, moment, f.lease_until, f.tries,
    f.send_key, f.progress, f.contents, f.details, f.post_type, f.due_at, f.sent_at,
    f.absent_at, f.remote_id, f.failure, f.warning, f.created_at,
    s.account_id, s.handle, s.service, s.channel_name, s.lateness_minutes,
    x.key_id, x.sealed, x.expires_at, x.version
  from found f
  join standing s on s.org_id = f.org_id and s.channel_id = f.channel_id
  left join channel_secret x on x.org_id = f.org_id and x.channel_id = f.channel_id and f.verdict = 'go';
end $$;
revoke all on function claim_posts from public;
grant execute on function claim_posts to rookery_system;

/*
 * Writes what came of attempts, each only where its fence still stands; a refused one belongs to somebody else by now.
 * Doing it twice is the same as once (a lost answer to the commit): events carry their ids, and an ending raises the
 * fence. Posts are locked before lanes and both in order, as verbs do. The lanes' next times are computed by the last
 * statement, whose snapshot is younger than their locks.
 */
create function write_outcomes(moment timestamptz, outcomes jsonb) returns table (attempt_id uuid)
language plpgsql set search_path = public, pg_temp
-- planned once a connection: planning it anew for each call would cost more than running it
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  accepted uuid[];
begin
  with o as materialized (
    select * from jsonb_to_recordset(outcomes) as o(
      org_id uuid, project_id uuid, post_id uuid, channel_id uuid, attempt_id uuid, started_at timestamptz, fence int, ends boolean,
      state text, step text, step_at timestamptz, tries int, progress jsonb, remote_id text, permalink text, sent_at timestamptz,
      published_at timestamptz, failure jsonb, warning text, absent_at timestamptz, outcome text, exchange jsonb, shows boolean,
      events jsonb, closes jsonb, closed_until timestamptz)
  ),
  mine as materialized (
    select p.org_id, p.id from post p join o on o.org_id = p.org_id and o.post_id = p.id
    where p.fence = o.fence order by p.org_id, p.id for no key update of p
  ),
  written as (
    update post p
    set state = o.state, step = o.step, step_at = o.step_at, tries = o.tries, fence = p.fence + case when o.ends then 1 else 0 end,
      progress = coalesce(o.progress, p.progress), remote_id = coalesce(o.remote_id, p.remote_id), permalink = coalesce(o.permalink, p.permalink),
      sent_at = coalesce(o.sent_at, p.sent_at), published_at = coalesce(o.published_at, p.published_at), shown_at = coalesce(o.published_at, p.shown_at),
      failure = o.failure, warning = coalesce(o.warning, p.warning), absent_at = o.absent_at,
      updated_at = case when o.shows then moment else p.updated_at end
    from o join mine on mine.org_id = o.org_id and mine.id = o.post_id
    where p.org_id = o.org_id and p.id = o.post_id and p.fence = o.fence
    returning o.*
  ),
  closed as (
    update attempt a set finished_at = moment, outcome = w.outcome, exchange = w.exchange
    from written w where w.ends and a.org_id = w.org_id and a.started_at = w.started_at and a.id = w.attempt_id
  ),
  told as (
    insert into post_event (org_id, post_id, id, kind, at, note)
    select w.org_id, w.post_id, e.id, e.kind, e.at, e.note from written w cross join lateral jsonb_to_recordset(w.events) as e(id uuid, kind text, at timestamptz, note text)
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

  -- the attempt's own lease is given back, another's is left alone, and an unleased lane only ever wakes earlier
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

/*
 * Takes back what a node holds, except the attempts that it still knows of. `sent_nothing` is only for a node that
 * speaks for itself: an attempt that it never heard of was never begun, so the post returns to its step, provided that it
 * still stands exactly as the claim left it; one that went on is nobody's to give back. For a node that
 * died, a post taken to be sent may be out: it becomes UNCONFIRMED and keeps its time to settle, after the lease; on
 * platforms where our own key makes a second send harmless (`repeatable`) it is settled at once.
 */
create function take_back(moment timestamptz, worker uuid, known uuid[], sent_nothing boolean, repeatable text[]) returns int
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
          and p.step is distinct from case when a.step = 'send' then 'settle' else a.step end))
  ),
  mine as materialized (
    select p.org_id, p.id, p.project_id, l.step as was, c.platform = any(repeatable) as harmless from post p
    join lost l on l.org_id = p.org_id and l.post_id = p.id
    join channel c on c.org_id = p.org_id and c.id = p.channel_id
    where p.fence = l.fence and (not sent_nothing or p.step = case when l.step = 'send' then 'settle' else l.step end)
    order by p.org_id, p.id for no key update of p
  ),
  back as (
    update post p
    set fence = p.fence + 1,
      step = case when sent_nothing then m.was else p.step end,
      step_at = case when p.step = 'settle' and m.was = 'send' and not sent_nothing and not m.harmless then p.step_at else moment end,
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

-- Partitions are made a month (a day) ahead at every start and by a job; rows outside them fall into the default one.
create table attempt_default partition of attempt default;

create function ensure_partitions(parent regclass, unit text, at timestamptz, ahead int) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  first timestamptz;
  name text;
begin
  if unit not in ('day', 'month') then raise exception 'unit %', unit; end if;
  for i in 0..ahead loop
    first := date_trunc(unit, at at time zone 'UTC') at time zone 'UTC' + make_interval(months => case when unit = 'month' then i else 0 end, days => case when unit = 'day' then i else 0 end);
    name := format('%s_%s', parent::text, to_char(first at time zone 'UTC', case unit when 'month' then 'YYYYMM' else 'YYYYMMDD' end));
    if to_regclass(name) is null then
      begin
        execute format('create table %I partition of %s for values from (%L) to (%L)', name, parent, first, first + make_interval(months => case when unit = 'month' then 1 else 0 end, days => case when unit = 'day' then 1 else 0 end));
      exception when check_violation then
        -- rows of this time already lie in the default partition, because nobody made this one in time: they stay there
        null;
      end;
    end if;
  end loop;
end $$;
revoke all on function ensure_partitions from public;
grant execute on function ensure_partitions to rookery_system;

/*
 * Enqueues a job in the caller's transaction. The library's own schema is closed to the app's role; a tenant's
 * transaction enqueues for its own organization only. A key makes it one job: enqueued again, it is the same job anew.
 */
create function enqueue_job(name text, payload json, key text, run_at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  -- the connection's role, before this function took on its owner's
  caller text := case current_setting('role') when 'none' then session_user::text else current_setting('role') end;
begin
  if caller = 'rookery_app' and (payload ->> 'orgId')::uuid is distinct from current_setting('app.org_id')::uuid then
    raise exception 'A tenant enqueues jobs of its own organization only';
  end if;
  perform graphile_worker.add_job(name, payload, run_at => run_at, job_key => key, job_key_mode => case when key is not null then 'replace' end);
end $$;
revoke all on function enqueue_job from public;
grant execute on function enqueue_job to rookery_app, rookery_system;

-- Drops the partitions that lie wholly before the moment.
create function drop_partitions(parent regclass, unit text, before timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part record;
begin
  for part in
    select c.oid::regclass as name, right(c.relname, case unit when 'month' then 6 else 8 end) as stamp
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = parent and c.relname ~ (case unit when 'month' then '_[0-9]{6}$' else '_[0-9]{8}$' end)
  loop
    if to_timestamp(part.stamp, case unit when 'month' then 'YYYYMM' else 'YYYYMMDD' end) + (case unit when 'month' then interval '1 month' else interval '1 day' end) <= before then
      execute format('drop table %s', part.name);
    end if;
  end loop;
end $$;
revoke all on function drop_partitions from public;
grant execute on function drop_partitions to rookery_system;
