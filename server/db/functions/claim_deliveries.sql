/*
 * What a delivery may be found by after a lost answer, where that is its text: equal for two that could be taken for each
 * other. Links, mentions and everything but letters and digits are left out, because servers change them. A follow-up is also
 * found by what it replies to; what is neither it nor a post is like all of its kind.
 */
create or replace function says_of(org uuid, subject text, subject_id uuid, key text) returns text
language sql stable set search_path = public, pg_temp as $$
  select case subject
    when 'post' then (
      select 'post ' || md5(regexp_replace(lower(normalize(regexp_replace(coalesce(p.contents -> 0 ->> 'text', ''), 'https?://\S+|@\S+', '', 'gi'), nfkc) collate pg_c_utf8), '[^[:alnum:]]+', '', 'g'))
      from post p where p.org_id = org and p.id = says_of.subject_id)
    when 'follow-up' then subject_id || '/' || key
    else subject
  end
$$;
revoke all on function says_of from public;
grant execute on function says_of to rookery_system;

-- Whether another organization has something to send with these credentials before `until`. No lane sleeps past its posts.
create or replace function others_wait(platform text, credentials text, org uuid, until timestamptz) returns boolean
language sql stable set search_path = public, pg_temp as $$
  select exists (
    select from lane l
    where l.platform = others_wait.platform and l.credentials = others_wait.credentials and l.org_id <> org and l.wake_at < until and not l.paused
      and exists (select from delivery d where d.org_id = l.org_id and d.channel_id = l.channel_id and d.step_at < until and d.step in ('prepare', 'send')))
$$;
revoke all on function others_wait from public;
grant execute on function others_wait to rookery_system;

/*
 * Claims due deliveries: at most `slots`, at most `share` of each platform, at most `transfers` of them to prepare.
 * One durable commit that says who acts (lease, fence), with which key the delivery will be recognized (send_key), what it
 * costs (budgets), that it was tried (attempt) and, as its next step, what must happen if nobody comes back: what is claimed
 * to be sent is left at 'reconcile' after the lease.
 *
 * A lane sends in order. While deliveries of it are leased to be sent (`lease_id`, until their first outcome), it sends
 * nothing else, except up to `overlap` at once: posts that are wanted at the very same time, and follow-ups of other posts.
 * All other steps run beside. Where a lost answer is searched for by text (`alike`), no two that may say the same are on their
 * way together (says_of).
 *
 * The lanes are locked first and read by a second statement: its snapshot contains what another transaction committed just
 * before its lane was locked, and a transaction that comes later waits for the lane. Nothing here waits for a lock. A delivery
 * whose subject someone else has locked is left alone, and so is its lane, for a moment.
 *
 * Budgets are checked before a lane offers its next delivery. Steps that nothing is left for are passed over (`shut`: by
 * which budget and until when), so that they keep nothing else of their channel waiting. All sends of a channel are passed
 * over, or none, so that they keep their order. Of a budget that organizations share, each gets a share only while others
 * have something to send in its window: a second budget that also counts per organization (`per` is 'share').
 *
 * Servers of a federation, which anyone can set up, get only so many of a node's places at once (`hosts` of an offer:
 * slots and transfers per server, the slots of those that have another number, what its deliveries occupy now, and how many
 * transfers are left for all such servers together). Those in `main` belong to the platform itself and are limited like it.
 *
 * On platforms with `dates`, what creates something is dated: with the moment, or a millisecond after the last date of its
 * account, whatever organizations have it. The date is kept in every try, until the delivery is wanted for a later time.
 *
 * offers: [{platform, share, overlap, alike, crowded: [organizations that get what others leave], lease_ms, read_lease_ms, margin_ms, keys: [send keys], dates,
 *   budgets: [{name, per, window_seconds, tokens, dearest, cost: {'subject/step': n}}],
 *   hosts: {main, slots, windows: {server: slots}, transfers, used: {server: n}, moving: {server: n}, moving_left}}]
 *
 * Returns a row per delivery, with its subject as functions/delivery_subjects.sql loads it. verdict 'go': do the step.
 * 'late': past the lateness limit, must not be sent. 'blocked': it waits, `why` says what for. 'used_up': it waits for the
 * budget in `used_up`. The last two are returned once, so that people can be notified.
 */
create or replace function claim_deliveries(moment timestamptz, worker uuid, slots int, transfers int, offers jsonb, look_again interval)
returns table (claim jsonb)
language plpgsql set search_path = public, pg_temp
-- planned once per connection: planning each call would cost more than running it
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  orgs uuid[];
  channels uuid[];
  claims jsonb;
begin
  select array_agg(k.org_id), array_agg(k.channel_id) into orgs, channels from (
    select k.org_id, k.channel_id from (
      select l.org_id, l.channel_id, o.share, row_number() over (partition by o.platform order by t.is_crowded, l.wake_at) as nth
      from jsonb_to_recordset(offers) as o(platform text, share int, crowded uuid[])
      -- organizations that hold much get what the others leave
      cross join lateral (select false union all select true where cardinality(o.crowded) > 0) as t(is_crowded)
      cross join lateral (
        select l.org_id, l.channel_id, l.wake_at from lane l
        where l.platform = o.platform and l.wake_at <= moment and (l.org_id = any(o.crowded)) = t.is_crowded
        order by l.wake_at limit o.share for no key update skip locked
      ) l
    ) k
    where k.nth <= k.share
    limit slots
  ) k;
  if orgs is null then return; end if;

  with offer as materialized (
    select * from jsonb_to_recordset(offers) as o(platform text, share int, overlap int, alike boolean, lease_ms int, read_lease_ms int, margin_ms int, keys jsonb, dates boolean, budgets jsonb, hosts jsonb)
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
      end as why,
      n.server, transfers > 0 and (n.server is null or o.hosts is null
        or ((o.hosts ->> 'moving_left')::int > 0 and coalesce((o.hosts -> 'moving' ->> n.server)::int, 0) < (o.hosts ->> 'transfers')::int)) as may_move,
      u.shut, w.sending, w.lease_ends, w.sending_at, w.busy, w.said, o.overlap, coalesce(o.alike, false) as alike,
      -- few lanes are due: each may send several at once
      least(o.overlap - w.sending, o.share / (count(*) over (partition by l.platform)), slots / count(*) over ()) as most
    from unnest(orgs, channels) as k(org_id, channel_id)
    -- offset 0: one lookup by key per lane, whatever the planner assumes about organizations with many channels
    cross join lateral (select * from lane l where l.org_id = k.org_id and l.channel_id = k.channel_id offset 0) l
    cross join lateral (select * from channel c where c.org_id = k.org_id and c.id = k.channel_id offset 0) c
    cross join lateral (select * from plan pl where pl.org_id = k.org_id offset 0) pl
    join offer o on o.platform = l.platform
    cross join lateral (
      select count(*)::int as sending, min(d.lease_until) as lease_ends, max(d.wanted_at) filter (where d.subject = 'post') as sending_at, array_agg(d.subject_id) as busy,
        coalesce(array_agg(says_of(d.org_id, d.subject, d.subject_id, d.key)) filter (where o.alike), '{}') as said
      from delivery d where d.org_id = k.org_id and d.channel_id = k.channel_id and d.lease_id is not null and d.lease_until > moment
    ) w
    cross join lateral (select case when o.hosts -> 'main' ? c.service then null else c.service end as server) n
    cross join lateral (
      select jsonb_object_agg(x.step, jsonb_build_object('until', x.until, 'by', x.name)) as shut from (
        select distinct on (step.key) step.key as step, b.name, case when b.per = 'share' then least(g.until, moment + interval '5 minutes') else g.until end as until
        from jsonb_to_recordset(o.budgets) as b(name text, per text, window_seconds int, tokens int, dearest int, cost jsonb)
        cross join lateral (
          select g.used, g.closed_until > moment as closed, case when g.closed_until > moment then g.closed_until else g.window_ends_at end as until
          from budget g
          where g.key = l.platform || ':' || b.name || ':' || case b.per when 'channel' then l.channel_id::text when 'server' then n.server when 'share' then l.credentials || ':' || l.org_id::text else l.credentials end
            and (g.closed_until > moment or (g.window_ends_at > moment and g.used + coalesce(b.dearest, b.tokens) > b.tokens))
          offset 0
        ) g
        cross join lateral jsonb_each_text(b.cost) step
        where step.value::int > 0 and (g.closed or g.used + step.value::int > b.tokens)
          and (b.per <> 'share' or others_wait(l.platform, l.credentials, l.org_id, moment + make_interval(secs => b.window_seconds)))
        order by step.key, until desc
      ) x
    ) u
  ),
  -- what is late, and what has to wait and whose people have not been notified
  aside as materialized (
    select s.org_id, s.channel_id, q.subject, q.subject_id, q.key,
      case when q.wanted_at < s.cutoff then 'late' when s.why is not null then 'blocked' else 'used_up' end as verdict,
      s.shut -> (q.subject || '/' || q.step) ->> 'by' as used_up
    from standing s cross join lateral (
      select d.subject, d.subject_id, d.key, d.step, d.failure, d.wanted_at from delivery d
      where d.org_id = s.org_id and d.channel_id = s.channel_id and d.step_at <= moment and d.step in ('prepare', 'send')
      order by d.step_at, d.subject_id limit case when s.why is null and s.shut is null then 5 else 500 end
    ) q
    -- people hear about a waiting follow-up from its channel, and at its own limit
    where q.wanted_at < s.cutoff
      or (q.subject <> 'follow-up' and q.failure is null and q.wanted_at <= moment
        and (s.why is not null or (s.shut -> (q.subject || '/' || q.step) ->> 'until')::timestamptz > moment + interval '1 minute'))
  ),
  aside_now as materialized (
    select a.* from aside a where lock_subject(a.subject, a.org_id, a.subject_id)
  ),
  aside_locked as materialized (
    select d.org_id, d.subject, d.subject_id, d.key, a.verdict, a.used_up from aside_now a
    join delivery d on d.org_id = a.org_id and d.subject_id = a.subject_id and d.subject = a.subject and d.key = a.key
    where d.step_at <= moment and d.step in ('prepare', 'send')
    for no key update of d skip locked
  ),
  set_aside as (
    update delivery d
    set fence = d.fence + 1, step_at = case when a.verdict = 'late' then moment + interval '15 seconds' else d.step_at end
    from aside_locked a where d.org_id = a.org_id and d.subject_id = a.subject_id and d.subject = a.subject and d.key = a.key
    returning a.verdict, a.used_up, d.*
  ),
  candidate as materialized (
    select s.org_id, s.channel_id, s.platform, s.credentials, s.account_id, s.server, d.subject, d.subject_id, d.key, d.step, d.step_at, d.wanted_at, d.send_key, d.dated_at, d.says, s.said
    from standing s cross join lateral (
      select d.*,
        case when s.alike and d.step = 'send' then says_of(s.org_id, d.subject, d.subject_id, d.key) end as says,
        coalesce(s.sending_at, (array_agg(d.wanted_at) filter (where d.subject = 'post') over (order by d.step_at, d.subject_id rows between unbounded preceding and unbounded following))[1]) as sends_of,
        row_number() over (order by d.step_at, d.subject_id) as nth, first_value(d.step) over (order by d.step_at, d.subject_id) as first_step,
        row_number() over (partition by d.subject_id order by d.step_at, d.subject, d.key) as nth_of_subject
      from (
        select d.subject, d.subject_id, d.key, d.step, d.step_at, d.wanted_at, d.send_key, d.dated_at from delivery d
        where d.org_id = s.org_id and d.channel_id = s.channel_id and d.step_at <= moment
          and case when d.step in ('prepare', 'send') then s.why is null and d.wanted_at >= s.cutoff and (d.step = 'send' or s.may_move) else true end
          and (s.shut is null or not s.shut ? (d.subject || '/' || d.step))
          and (d.step <> 'send' or s.sending = 0
            or (s.sending < s.overlap and d.subject_id <> all(s.busy) and (d.subject <> 'post' or s.sending_at is null or d.wanted_at = s.sending_at)))
        order by d.step_at, d.subject_id limit greatest(1, s.most)
      ) d
    ) d
    where d.nth = 1 or (d.first_step = 'send' and d.step = 'send' and d.nth_of_subject = 1 and (d.subject <> 'post' or d.wanted_at = d.sends_of))
  ),
  -- of those that may say the same, one at a time
  apart as materialized (
    select c.* from (select c.*, row_number() over (partition by c.org_id, c.channel_id, c.says order by c.step_at, c.subject_id) as nth_saying from candidate c) c
    where c.says is null or (c.nth_saying = 1 and c.says <> all(c.said))
  ),
  free as materialized (
    select c.* from apart c where lock_subject(c.subject, c.org_id, c.subject_id)
  ),
  head as materialized (
    select c.*, c.subject_id as id from free c
    join delivery d on d.org_id = c.org_id and d.subject_id = c.subject_id and d.subject = c.subject and d.key = c.key
    where d.step_at = c.step_at and d.step = c.step
    for no key update of d skip locked
  ),
  -- servers that anyone can set up get only so many places at once, and together only so many of those for uploads: one that
  -- never responds keeps nobody else waiting. What gets no place is looked at again in a moment
  placed as materialized (
    select h.*, o.hosts, coalesce((o.hosts -> 'used' ->> h.server)::int, 0) as used, coalesce((o.hosts -> 'moving' ->> h.server)::int, 0) as moving,
      row_number() over (partition by h.platform, h.server order by h.step_at, h.id) as nth_there,
      row_number() over (partition by h.platform, h.server, h.step = 'prepare' order by h.step_at, h.id) as nth_moving_there
    from head h join offer o on o.platform = h.platform
  ),
  housed as materialized (
    select p.*, row_number() over (partition by p.server is null, p.step = 'prepare' order by p.step_at, p.id) as nth_moving_of_all
    from placed p
    where p.server is null or p.hosts is null
      or (p.used + p.nth_there <= coalesce(p.hosts -> 'windows' ->> p.server, p.hosts ->> 'slots')::int and (p.step <> 'prepare' or p.moving + p.nth_moving_there <= (p.hosts ->> 'transfers')::int))
  ),
  ranked as materialized (
    select p.*, row_number() over (partition by p.step = 'prepare' order by p.step_at, p.id) as nth_of_kind
    from housed p
    where p.step <> 'prepare' or p.server is null or p.hosts is null or p.nth_moving_of_all <= (p.hosts ->> 'moving_left')::int
  ),
  fitting as materialized (
    select r.* from ranked r where r.step <> 'prepare' or r.nth_of_kind <= transfers
  ),
  cost as materialized (
    select h.org_id, h.id, h.step_at, t.tokens, key.name as key, make_interval(secs => b.window_seconds) as span, n.tokens as price,
      -- the first step in an unused window always fits: one that costs more than the budget waits for the window's end
      g.used + sum(n.tokens) over (partition by key.name order by h.step_at, h.id rows unbounded preceding) > greatest(t.tokens, n.tokens) as overdrawn
    from fitting h
    join offer o on o.platform = h.platform
    cross join lateral jsonb_to_recordset(o.budgets) as b(name text, per text, window_seconds int, tokens int, cost jsonb)
    cross join lateral (select coalesce((b.cost ->> (h.subject || '/' || h.step))::int, 0) as tokens) n
    cross join lateral (select h.platform || ':' || b.name || ':' || case b.per when 'channel' then h.channel_id::text when 'server' then h.server when 'share' then h.credentials || ':' || h.org_id::text else h.credentials end as name) key
    -- a share that nobody else waits for has no limit, but is counted
    cross join lateral (select case when n.tokens > 0 and b.per = 'share' and not others_wait(h.platform, h.credentials, h.org_id, moment + make_interval(secs => b.window_seconds)) then 2000000000 else b.tokens end as tokens) t
    cross join lateral (select coalesce((select g.used from budget g where g.key = key.name and g.window_ends_at > moment), 0) as used) g
    where n.tokens > 0 and key.name is not null
  ),
  -- what doesn't fit after those before it is charged nowhere
  paid as materialized (
    select c.*, sum(c.price) over (partition by c.key order by c.step_at, c.id rows unbounded preceding) as running
    from cost c where not exists (select from cost x where x.org_id = c.org_id and x.id = c.id and x.overdrawn)
  ),
  -- tokens are taken before they are counted: what doesn't fit is refused below and never charged beyond the limit
  charged as (
    insert into budget as b (key, window_ends_at, used)
    select c.key, moment + min(c.span), least(sum(c.price), min(c.tokens)) from paid c group by c.key order by c.key
    on conflict (key) do update set
      window_ends_at = case when b.window_ends_at <= moment then excluded.window_ends_at else b.window_ends_at end,
      used = case
        when b.closed_until > moment then b.used
        when b.window_ends_at <= moment then excluded.used
        else least(b.used + excluded.used, greatest(b.used, (select min(c.tokens) from paid c where c.key = b.key)))
      end
    returning b.key, new.closed_until, case when old.key is null or old.window_ends_at <= moment then 0 else old.used end as used_before
  ),
  refused as materialized (
    select c.org_id, c.id from cost c where c.overdrawn
    union
    select c.org_id, c.id from paid c join charged g on g.key = c.key where g.closed_until > moment or g.used_before + c.running > c.tokens
  ),
  admitted as materialized (
    select h.org_id, h.channel_id, h.platform, h.id, h.subject, h.subject_id, h.key, h.step, h.says, h.send_key, uuidv7() as attempt_id,
      moment + case when h.step = 'send' then o.lease_ms else o.read_lease_ms end * interval '1 millisecond' as lease_until,
      o.margin_ms * interval '1 millisecond' as margin,
      h.wanted_at, o.keys ->> (row_number() over (partition by h.platform, h.step = 'send' and h.send_key is null order by h.step_at, h.id) - 1)::int as fresh_key
    from fitting h join offer o on o.platform = h.platform
    where not exists (select from refused r where r.org_id = h.org_id and r.id = h.id)
  ),
  undated as materialized (
    select f.org_id, f.subject, f.subject_id, f.key, f.platform || ':' || f.account_id as account,
      row_number() over (partition by f.platform, f.account_id order by f.step_at, f.id) as nth, count(*) over (partition by f.platform, f.account_id) as total
    from fitting f
    join admitted a on a.org_id = f.org_id and a.subject_id = f.subject_id and a.subject = f.subject and a.key = f.key
    join offer o on o.platform = f.platform
    where o.dates and f.step = 'send' and f.subject in ('post', 'follow-up', 'reply')
      -- a date from before it was wanted belongs to an earlier round
      and (f.dated_at is null or f.dated_at < f.wanted_at)
  ),
  clocked as (
    insert into account_clock as t (account, last_at)
    select u.account, moment + (count(*) - 1) * interval '1 millisecond' from undated u group by u.account order by u.account
    on conflict (account) do update set last_at = greatest(excluded.last_at, t.last_at + (excluded.last_at - moment) + interval '1 millisecond')
    returning t.account, t.last_at
  ),
  dated as materialized (
    select u.*, c.last_at - (u.total - u.nth) * interval '1 millisecond' as dated_at from undated u join clocked c on c.account = u.account
  ),
  taken as (
    update delivery d
    set fence = d.fence + 1,
      step = case a.step when 'send' then 'reconcile' else a.step end,
      step_at = a.lease_until + case when a.step = 'send' then a.margin else interval '0' end,
      send_key = case when a.step = 'send' then coalesce(a.send_key, a.fresh_key) else a.send_key end,
      dated_at = coalesce(n.dated_at, d.dated_at),
      lease_id = case when a.step = 'send' then a.attempt_id end, lease_until = case when a.step = 'send' then a.lease_until end
    from admitted a
    left join dated n on n.org_id = a.org_id and n.subject_id = a.subject_id and n.subject = a.subject and n.key = a.key
    where d.org_id = a.org_id and d.subject_id = a.subject_id and d.subject = a.subject and d.key = a.key
    returning a.attempt_id, a.lease_until as claimed_until, a.step as claimed_step, d.*
  ),
  tried as (
    insert into attempt (org_id, id, subject, subject_id, key, channel_id, fence, step, node_id, send_key, started_at)
    select t.org_id, t.attempt_id, t.subject, t.subject_id, t.key, t.channel_id, t.fence, t.claimed_step, worker, t.send_key, moment from taken t
  ),
  lane_after as materialized (
    select s.*, a.lease_until, s.sending + coalesce(a.sends, 0) as sending_now, least(s.lease_ends, a.lease_until) as ends_at, coalesce(s.sending_at, a.sending_at) as time, s.said || coalesce(a.said, '{}') as said_now,
      exists (select from refused r join head h on h.org_id = r.org_id and h.id = r.id where h.org_id = s.org_id and h.channel_id = s.channel_id) as is_refused
    from standing s
    left join (
      select a.org_id, a.channel_id, count(*) filter (where a.step = 'send')::int as sends, min(a.lease_until) as lease_until, array_agg(a.says) filter (where a.says is not null) as said,
        max(a.wanted_at) filter (where a.step = 'send' and a.subject = 'post') as sending_at
      from admitted a group by a.org_id, a.channel_id
    ) a on a.org_id = s.org_id and a.channel_id = s.channel_id
  ),
  woken as (
    update lane l
    set wake_at = case
        when exists (select from aside x where x.org_id = s.org_id and x.channel_id = s.channel_id and x.verdict = 'late') then moment
        -- a blocked lane still reads and settles: at once when it just did, otherwise at the next step
        when s.why is not null and s.lease_until is not null then moment
        when s.why is not null then least(moment + look_again, (
          select d.step_at from delivery d where d.org_id = s.org_id and d.channel_id = s.channel_id and d.step_at > moment order by d.step_at limit 1))
        -- the last token went to another lane: the next claim passes over the step
        when s.is_refused then moment
        -- all that may be on their way at once are: the first that ends wakes the lane
        when s.sending_now >= s.overlap then s.ends_at
        when s.lease_until is not null then least(s.ends_at, following.step_at, waiting.until)
        else least(s.ends_at, case when following.step_at is not null then greatest(following.step_at, moment + interval '250 milliseconds') end, waiting.until)
      end
    from lane_after s
    left join lateral (
      -- what has to wait for those on their way is no reason to look
      select case when d.step <> 'send' or s.sending_now = 0 or d.subject <> 'post' or s.time is null or d.wanted_at = s.time then d.step_at end as step_at
      from delivery d
      where d.org_id = s.org_id and d.channel_id = s.channel_id and d.step_at is not null
        and not exists (select from admitted a where a.org_id = d.org_id and a.subject_id = d.subject_id and a.subject = d.subject and a.key = d.key)
        and (s.shut is null or d.step_at > moment or not s.shut ? (d.subject || '/' || d.step))
        and not (s.alike and s.sending_now > 0 and d.step = 'send' and says_of(d.org_id, d.subject, d.subject_id, d.key) = any(s.said_now))
      order by d.step_at limit 1
    ) following on s.sending_now < s.overlap
    -- due, but its budget is used up: until the budget refills, people have to be notified, or it is too late
    left join lateral (
      select min(least((s.shut -> (d.subject || '/' || d.step) ->> 'until')::timestamptz,
        case when d.step in ('prepare', 'send') then case when d.wanted_at > moment then d.wanted_at else moment + greatest(d.wanted_at - s.cutoff, interval '0') + interval '1 second' end end)) as until
      from delivery d
      where s.shut is not null and d.org_id = s.org_id and d.channel_id = s.channel_id and d.step_at <= moment and s.shut ? (d.subject || '/' || d.step)
        and not exists (select from admitted a where a.org_id = d.org_id and a.subject_id = d.subject_id and a.subject = d.subject and a.key = d.key)
    ) waiting on true
    where l.org_id = s.org_id and l.channel_id = s.channel_id
  ),
  found as (
    select 'go' as verdict, t.claimed_step as step, t.attempt_id, t.claimed_until as lease_until,
      t.org_id, t.channel_id, t.subject, t.subject_id, t.key, t.fence, t.tries, t.send_key, t.progress, t.details,
      t.wanted_at, t.dated_at, t.sent_at, t.absent_at, t.remote_id, t.failure, null as used_up
    from taken t
    union all
    select t.verdict, t.step, null, null,
      t.org_id, t.channel_id, t.subject, t.subject_id, t.key, t.fence, t.tries, t.send_key, t.progress, t.details,
      t.wanted_at, t.dated_at, t.sent_at, t.absent_at, t.remote_id, t.failure, t.used_up
    from set_aside t
  )
  select jsonb_agg(to_jsonb(c)) into claims from (
    select f.*, moment as started_at, s.why, s.platform, s.credentials, s.account_id, s.handle, s.service, s.channel_name, s.lateness_minutes,
      x.key_id, x.sealed, x.expires_at as secret_expires_at, x.version as secret_version
    from found f
    join standing s on s.org_id = f.org_id and s.channel_id = f.channel_id
    left join channel_secret x on x.org_id = f.org_id and x.channel_id = f.channel_id and f.verdict = 'go'
  ) c;
  if claims is null then return; end if;

  return query select * from begin_subjects(moment, claims);
end $$;
revoke all on function claim_deliveries from public;
grant execute on function claim_deliveries to rookery_system;
