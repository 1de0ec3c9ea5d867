-- What else a change of a post's state entails, whoever makes it: the publishing engine or a person.

-- Whether a post may change from one state to another: `transitions` of contract/postStates.ts, which a test compares it with.
create or replace function post_may_become(was text, becomes text) returns boolean
language sql immutable parallel safe as $$
  select becomes = any (case was
    when 'DRAFTS' then '{SCHEDULED,PROCESSING,NEEDS_APPROVAL,QUEUED,DELETED}'
    when 'NEEDS_APPROVAL' then '{APPROVED,REJECTED,DRAFTS,SCHEDULED,QUEUED,PROCESSING,DELETED}'
    when 'REJECTED' then '{DRAFTS,NEEDS_APPROVAL,DELETED}'
    when 'APPROVED' then '{SCHEDULED,QUEUED,PROCESSING,NEEDS_APPROVAL,DRAFTS,DELETED}'
    when 'SCHEDULED' then '{PROCESSING,SCHEDULED,QUEUED,NEEDS_APPROVAL,DRAFTS,FAILED,UNCONFIRMED,DELETED}'
    when 'QUEUED' then '{SCHEDULED,PROCESSING,NEEDS_APPROVAL,DRAFTS,FAILED,UNCONFIRMED,DELETED}'
    when 'PROCESSING' then '{PUBLISHED,FAILED,UNCONFIRMED,SCHEDULED}'
    when 'UNCONFIRMED' then '{PUBLISHED,FAILED,PROCESSING,SCHEDULED,DELETED}'
    when 'PUBLISHED' then '{DELETED}'
    when 'FAILED' then '{SCHEDULED,QUEUED,PROCESSING,NEEDS_APPROVAL,DRAFTS,DELETED}'
    when 'DELETED' then '{DRAFTS,NEEDS_APPROVAL,REJECTED,APPROVED,SCHEDULED,QUEUED,PUBLISHED,FAILED,UNCONFIRMED}'
  end::text[])
$$;

/*
 * No statement of the program can write another change, whether a person's verb or the engine makes it. Only the owner can, for
 * migrations and repairs.
 */
create or replace function refuse_transition() returns trigger language plpgsql as $$
begin
  raise exception 'post % cannot change from % to %', new.id, old.state, new.state using errcode = 'check_violation', constraint = 'post_transition';
end $$;
create or replace trigger check_transition before update of state on post for each row
  when (old.state <> new.state and not post_may_become(old.state, new.state) and current_user in ('rookery_app', 'rookery_system')) execute function refuse_transition();

-- A deleted post is no longer promoted, but not before its deletion can't be undone anymore.
create or replace function end_boosts_later() returns trigger language plpgsql as $$
begin
  update boost set next_at = least(next_at, new.updated_at + interval '60 seconds')
    where org_id = new.org_id and post_id = new.id and state in ('PENDING', 'IN_REVIEW', 'ACTIVE', 'HELD', 'REJECTED');
  return null;
end $$;
create or replace trigger end_boosts_later after update of state on post for each row
  when (new.state = 'DELETED' and old.state = 'PUBLISHED') execute function end_boosts_later();

-- What was to be delivered of a post or a promotion goes with its row.
create or replace function delete_deliveries() returns trigger language plpgsql as $$
begin
  delete from delivery d using gone g where d.org_id = g.org_id and d.subject_id = g.id;
  return null;
end $$;
create or replace trigger delete_deliveries after delete on post referencing old table as gone for each statement execute function delete_deliveries();
create or replace trigger delete_deliveries after delete on boost referencing old table as gone for each statement execute function delete_deliveries();
