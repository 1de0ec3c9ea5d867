-- How people schedule posts on a channel at the same time without waiting for each other's commits.

-- What counts towards the cap of a channel: what is scheduled or queued, and what waits for approval with a date.
create or replace function pending_posts(org uuid, channel uuid, moment timestamptz) returns table (pending int, queued int)
language sql stable as $$
  select (count(*) filter (where p.due_at > moment or (p.state = 'QUEUED' and p.due_at is null)))::int, (count(*) filter (where p.state = 'QUEUED'))::int
  from post p where p.org_id = org and p.channel_id = channel and p.state in ('SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL')
$$;

/*
 * Locks the caps of the tenant's channels until the transaction ends, in the order of their ids, and returns how many posts
 * count towards each and how many are in its queue.
 *
 * Far below the cap, transactions that add one post to a channel (`one_each`) share its lock. Those that are open beside
 * this one can't be seen here, but they add one post each, and there are fewer of them than connections: as long as the cap
 * is further away than that, none of them can pass it. Everybody else has the lock alone. The same holds for the queue: as
 * long as it's empty, nobody has to move its posts.
 */
create or replace function lock_caps(channels uuid[], one_each boolean, cap int, moment timestamptz)
returns table (channel_id uuid, pending int, queued int)
language plpgsql set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  org uuid := current_setting('app.org_id')::uuid;
  room int := cap - current_setting('max_connections')::int;
  known uuid[];
  with_queue uuid[];
begin
  select array_agg(c.id order by c.id), array_agg(q.channel_id) into known, with_queue
    from channel c left join queue q on q.org_id = c.org_id and q.channel_id = c.id where c.org_id = org and c.id = any(channels);
  foreach channel_id in array coalesce(known, '{}') loop
    if one_each and room >= 0 then
      begin
        if channel_id = any(with_queue) then
          perform from queue q where q.org_id = org and q.channel_id = lock_caps.channel_id for share;
        end if;
        perform pg_advisory_xact_lock_shared(29, hashtext(lock_caps.channel_id::text));
        select p.pending, p.queued into pending, queued from pending_posts(org, lock_caps.channel_id, moment) p;
        if lock_caps.pending > room or lock_caps.queued > 0 then
          -- undoes the block, and with it the locks, which could not be raised without waiting in a circle
          raise exception using errcode = 'RK001';
        end if;
        return next;
        continue;
      exception when sqlstate 'RK001' then null;
      end;
    end if;
    perform from queue q where q.org_id = org and q.channel_id = lock_caps.channel_id for no key update;
    perform pg_advisory_xact_lock(29, hashtext(lock_caps.channel_id::text));
    select p.pending, p.queued into pending, queued from pending_posts(org, lock_caps.channel_id, moment) p;
    return next;
  end loop;
end $$;

/*
 * Wakes the tenant's lanes no later than their new deliveries ask (`firsts`, in the order of `channels`), in the transaction
 * that stores them. Lanes are locked in one order, so that verbs can't block each other in a circle.
 *
 * A lane that sleeps for a while yet and wakes early enough isn't written, only locked so that nobody lets it sleep longer
 * before the transaction ends; that lock is shared. The advisory lock keeps those who have to write the lane from waiting
 * for ever behind those who share it.
 */
create or replace function wake_lanes(channels uuid[], firsts timestamptz[]) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  org uuid := current_setting('app.org_id')::uuid;
  lanes uuid[] := channels;
  lane_firsts timestamptz[] := firsts;
  wanted uuid;
  wanted_at timestamptz;
  wakes timestamptz;
begin
  -- one is the rule
  if cardinality(channels) > 1 then
    select array_agg(w.channel_id order by w.channel_id), array_agg(w.first order by w.channel_id) into lanes, lane_firsts
      from (select u.channel_id, min(u.first) as first from unnest(channels, firsts) as u(channel_id, first) group by 1) w;
  end if;
  for nth in 1 .. coalesce(cardinality(lanes), 0) loop
    wanted := lanes[nth];
    wanted_at := lane_firsts[nth];
    continue when wanted_at is null;
    select l.wake_at into wakes from lane l where l.org_id = org and l.channel_id = wanted;
    continue when not found;
    if wakes <= wanted_at and wakes > now() + interval '10 minutes' then
      perform pg_advisory_xact_lock_shared(27, hashtext(wanted::text));
      select l.wake_at into wakes from lane l where l.org_id = org and l.channel_id = wanted for share;
      continue when wakes <= wanted_at;
    end if;
    perform pg_advisory_xact_lock(27, hashtext(wanted::text));
    perform from lane l where l.org_id = org and l.channel_id = wanted for no key update;
    update lane l set wake_at = least(l.wake_at, wanted_at) where l.org_id = org and l.channel_id = wanted;
  end loop;
end $$;
