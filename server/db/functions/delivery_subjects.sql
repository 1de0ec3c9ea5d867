/*
 * What the delivery engine asks of the tables whose rows it delivers. The engine's own functions (claim_deliveries,
 * claim_delivery, write_outcomes, take_back) know none of these tables: a subject with a table of its own gets its branch in
 * each function here. The edit and the deletion of a post, and what follows it, are about the post's row. A reply's id is its
 * client's choice and may be the same as a post's.
 */

-- Locks the row that a delivery is about, so that no verb changes it meanwhile; false, at once, when someone else has it.
create or replace function lock_subject(subject text, org uuid, subject_id uuid) returns boolean
language plpgsql set search_path = public, pg_temp as $$
begin
  if subject = 'boost' then
    perform from boost b where b.org_id = org and b.id = subject_id for no key update skip locked;
  elsif subject in ('reply', 'reply-change') then
    perform from reply r where r.org_id = org and r.id = subject_id for no key update skip locked;
  elsif subject = 'item-change' then
    -- readings write items under the lock of their channel: its delivery alone keeps changes of one item apart
    perform from inbox_item i where i.org_id = org and i.id = subject_id;
  else
    perform from post p where p.org_id = org and p.id = subject_id for no key update skip locked;
  end if;
  return found;
end $$;
revoke all on function lock_subject from public;
grant execute on function lock_subject to rookery_system;

-- Locks all rows that these deliveries ([{org_id, subject, subject_id}]) are about, in one order, and waits for them.
create or replace function lock_subjects(deliveries jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  -- one lookup by key per row, whatever the planner assumes about their number
  perform from (select distinct d.org_id, d.subject_id from jsonb_to_recordset(deliveries) as d(org_id uuid, subject_id uuid) order by 1, 2) d
  cross join lateral (select from post p where p.org_id = d.org_id and p.id = d.subject_id for no key update) p;
  if deliveries @? '$[*] ? (@.subject == "boost")' then
    perform from (select distinct d.org_id, d.subject_id from jsonb_to_recordset(deliveries) as d(org_id uuid, subject_id uuid) order by 1, 2) d
    cross join lateral (select from boost b where b.org_id = d.org_id and b.id = d.subject_id for no key update) b;
  end if;
  if deliveries @? '$[*] ? (@.subject == "reply" || @.subject == "reply-change")' then
    perform from (select distinct d.org_id, d.subject_id from jsonb_to_recordset(deliveries) as d(org_id uuid, subject_id uuid) order by 1, 2) d
    cross join lateral (select from reply r where r.org_id = d.org_id and r.id = d.subject_id for no key update) r;
  end if;
end $$;
revoke all on function lock_subjects from public;
grant execute on function lock_subjects to rookery_system;

-- Begins what was claimed: its subject says so. Returns the claims with what their steps need of it, as `loaded`.
create or replace function begin_subjects(moment timestamptz, claims jsonb) returns table (claim jsonb)
language plpgsql set search_path = public, pg_temp as $$
begin
  return query select * from begin_posts(moment, claims);
  -- the job of promotions reads the row itself
  return query select c || '{"loaded": null}' from jsonb_array_elements(claims) c where c ->> 'subject' = 'boost';
  if claims @? '$[*] ? (@.subject == "reply")' then return query select * from begin_replies(moment, claims); end if;
  if claims @? '$[*] ? (@.subject == "reply-change" || @.subject == "item-change")' then return query select * from begin_changes(moment, claims); end if;
end $$;
revoke all on function begin_subjects from public;
grant execute on function begin_subjects to rookery_system;

-- Writes what accepted outcomes change in the rows that they are about.
create or replace function write_subjects(moment timestamptz, outcomes jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  perform write_posts(moment, outcomes);
  if outcomes @? '$[*] ? (@.subject == "boost")' then perform write_boosts(moment, outcomes); end if;
  if outcomes @? '$[*] ? (@.subject == "reply")' then perform write_replies(moment, outcomes); end if;
end $$;
revoke all on function write_subjects from public;
grant execute on function write_subjects to rookery_system;

-- What becomes of the subjects of deliveries that were taken back ([{org_id, subject, subject_id, was, step, sent_nothing}]).
create or replace function take_back_subjects(moment timestamptz, taken jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  perform take_back_posts(moment, taken);
  if taken @? '$[*] ? (@.subject == "reply")' then perform take_back_replies(moment, taken); end if;
end $$;
revoke all on function take_back_subjects from public;
grant execute on function take_back_subjects to rookery_system;
