-- Promotions as a subject of the delivery engine (functions/delivery_subjects.sql). A job works on them, not the nodes that publish.

-- Writes the promotions of accepted outcomes: `change` holds the columns that change, and leaves out the others.
create or replace function write_boosts(moment timestamptz, outcomes jsonb) returns void
language sql set search_path = public, pg_temp as $$
  update boost b
  set (state, made, began_at, absent_at, next_at, tries, ends_at, spent, impressions, reach, read_at, problem, updated_at) = (
    select r.state, r.made, r.began_at, r.absent_at, r.next_at, r.tries, r.ends_at, r.spent, r.impressions, r.reach, r.read_at, r.problem, moment
    from jsonb_populate_record(b, o.change) r)
  from jsonb_to_recordset(outcomes) as o(org_id uuid, subject text, subject_id uuid, change jsonb)
  where o.subject = 'boost' and o.change <> '{}' and b.org_id = o.org_id and b.id = o.subject_id
$$;
revoke all on function write_boosts from public;
grant execute on function write_boosts to rookery_system;
