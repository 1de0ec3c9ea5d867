-- What follows a post: the further items of a thread, its first comment, its place in a playlist. Each is one irreversible
-- call with a key of its own, and is journaled here from the commit that says that its post is out.
create table post_part (
  org_id uuid not null,
  post_id uuid not null,
  key text not null,
  -- in which order they follow
  place int not null,
  kind text not null check (kind in ('item', 'comment', 'playlist')),
  -- of a thread's item: its index in the post's contents
  item int,
  -- follows from the post's own key, so that it stands in every backup that holds the post
  send_key text not null,
  -- unsure: it may be out, and reading did not tell
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'unsure')),
  remote_id text,
  progress jsonb not null default '{}',
  -- why it failed, or what keeps it, in words for people
  reason text,
  sent_at timestamptz,
  primary key (org_id, post_id, key),
  foreign key (org_id, post_id) references post on delete cascade
);
select tenant_table('post_part', 'select, update');

alter table post drop constraint post_step_check;
alter table post add constraint post_step_check check (step in ('prepare', 'send', 'poll', 'readback', 'settle', 'part', 'settlePart'));
-- the part that the machine works on; null when nothing more is to follow
alter table post add column part text;
-- since when its parts are wanted: their lateness counts from it
alter table post add column parts_at timestamptz;
-- another installation may have sent parts of it (after a restore): each is looked up before it is sent
alter table post add column parts_doubted boolean not null default false;
alter table attempt add column part text;

-- The watchdog's: what is live and whose parts are on their way
create index post_parts_on_their_way on post (step_at) where state = 'PUBLISHED' and step is not null;

/*
 * The three functions of 0006 (with queued posts since 0015), which say what they do there. New is the step `part`: claimed
 * as `send` is, with the lane's lease and a row that says beforehand that it has to be settled (`settlePart`). Its post is
 * PUBLISHED all the while, and the lateness of a part counts from parts_at.
 */
drop function claim_posts;
create function claim_posts(moment timestamptz, worker uuid, slots int, transfers int, offers jsonb, look_again interval)
returns table (
  verdict text, why text, org_id uuid, project_id uuid, post_id uuid, channel_id uuid, platform text, credentials text,
  step text, state text, fence int, attempt_id uuid, started_at timestamptz, lease_until timestamptz, tries int,
  send_key text, progress jsonb, contents jsonb, details jsonb, post_type text, due_at timestamptz, sent_at timestamptz,
  absent_at timestamptz, remote_id text, failure jsonb, warning text, created_at timestamptz,
  account_id text, handle text, service text, channel_name text, lateness_minutes int,
  first_comment text, part text, parts jsonb, parts_at timestamptz, parts_doubted boolean, key_id text, sealed bytea, secret_expires_at timestamptz, secret_version int
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
      t.due_at, t.sent_at, t.absent_at, t.remote_id, t.failure, t.warning, t.created_at, t.first_comment, t.part, t.parts_at, t.parts_doubted
    from taken t
    union all
    select t.verdict, t.step, null, null,
      t.org_id, t.project_id, t.id, t.channel_id, t.state, t.fence, t.tries, t.send_key, t.progress, '[]', '{}', t.post_type,
      t.due_at, t.sent_at, t.absent_at, t.remote_id, t.failure, t.warning, t.created_at, t.first_comment, t.part, t.parts_at, t.parts_doubted
    from set_aside t
  )
  select f.verdict, s.why, f.org_id, f.project_id, f.id, f.channel_id, s.platform, s.credentials,
    f.step, f.state, f.fence, f.attempt_id, moment, f.lease_until, f.tries,
    f.send_key, f.progress, f.contents, f.details, f.post_type, f.due_at, f.sent_at,
    f.absent_at, f.remote_id, f.failure, f.warning, f.created_at,
    s.account_id, s.handle, s.service, s.channel_name, s.lateness_minutes,
    f.first_comment, f.part,
    case when f.part is not null then (select jsonb_agg(to_jsonb(q) order by q.place) from post_part q where q.org_id = f.org_id and q.post_id = f.id) end,
    f.parts_at, f.parts_doubted, x.key_id, x.sealed, x.expires_at, x.version
  from found f
  join standing s on s.org_id = f.org_id and s.channel_id = f.channel_id
  left join channel_secret x on x.org_id = f.org_id and x.channel_id = f.channel_id and f.verdict = 'go';
end $$;
revoke all on function claim_posts from public;
grant execute on function claim_posts to rookery_system;

create or replace function write_outcomes(moment timestamptz, outcomes jsonb) returns table (attempt_id uuid)
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
    from written w cross join lateral jsonb_to_record(w.part_done) as d(key text, state text, remote_id text, progress jsonb, sent_at timestamptz, reason text)
    where q.org_id = w.org_id and q.post_id = w.post_id and q.key = d.key
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

-- A change of a live post that was begun at its platform: written before the call and taken away with its answer. What
-- stands here without anybody working on it was lost on the way; doing it again is the same as once.
create table post_edit (
  org_id uuid not null,
  post_id uuid not null,
  -- what the post is to say: contents, details, first comment, mentions
  says jsonb not null,
  began_at timestamptz not null,
  person_id uuid not null references person,
  primary key (org_id, post_id),
  foreign key (org_id, post_id) references post on delete cascade
);
select tenant_table('post_edit');
