/*
 * The reply to an earlier request of the tenant with this Idempotency-Key, if there is one. Requests with the same key wait
 * here for each other until their transactions end (server/http/idempotency.ts), so that no two of them run.
 */
create or replace function earlier_reply(place text, name text, out body_hash bytea, out reply jsonb)
language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(31, hashtext(place || name));
  -- a statement of its own, so that it sees what the one before waited for
  select i.body_hash, i.reply into body_hash, reply from idempotency i
    where i.org_id = current_setting('app.org_id')::uuid and i.endpoint = place and i.key = name;
end $$;
