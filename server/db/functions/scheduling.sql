-- How people schedule posts on a channel at the same time without waiting for each other's commits.

-- What counts towards the cap of a channel: what is scheduled or queued, and what waits for approval with a date.
create or replace function pending_posts(org uuid, channel uuid, moment timestamptz, out pending int, out queued int)
language sql stable set search_path = public, pg_temp as $$
  select count(*) filter (where due_at > moment or (state = 'QUEUED' and due_at is null)), count(*) filter (where state = 'QUEUED')
  from post where org_id = org and channel_id = channel and state in ('SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL')
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
begin
  for channel_id in select c.id from channel c where c.org_id = org and c.id = any(channels) order by c.id loop
    if one_each and room >= 0 then
      begin
        perform from queue q where q.org_id = org and q.channel_id = lock_caps.channel_id for share;
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
  wanted record;
  wakes timestamptz;
begin
  for wanted in
    select l.channel_id, l.wake_at, min(w.first) as first from unnest(channels, firsts) as w(channel_id, first)
    join lane l on l.org_id = org and l.channel_id = w.channel_id
    where w.first is not null group by l.channel_id, l.wake_at order by l.channel_id
  loop
    if wanted.wake_at <= wanted.first and wanted.wake_at > now() + interval '10 minutes' then
      perform pg_advisory_xact_lock_shared(27, hashtext(wanted.channel_id::text));
      select l.wake_at into wakes from lane l where l.org_id = org and l.channel_id = wanted.channel_id for share;
      continue when wakes <= wanted.first;
    end if;
    perform pg_advisory_xact_lock(27, hashtext(wanted.channel_id::text));
    perform from lane l where l.org_id = org and l.channel_id = wanted.channel_id for no key update;
    update lane l set wake_at = least(l.wake_at, wanted.first) where l.org_id = org and l.channel_id = wanted.channel_id;
  end loop;
end $$;
