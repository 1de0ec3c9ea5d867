-- How long before its due time the reversible work of a post begins.
create or replace function prepare_ahead(images int) returns interval
language sql immutable parallel safe as $$ select interval '2 minutes' + images * interval '30 seconds' $$;

-- Whether an organization may publish at that moment: the same rule as `entitlements().valid` in contract/plans.ts, which a
-- test compares it with.
create or replace function plan_is_valid(status text, trial_ends_at timestamptz, moment timestamptz) returns boolean
language sql immutable parallel safe as $$
  select status not in ('TRIAL_EXPIRED', 'CANCELLED') and not (status = 'TRIAL_ACTIVE' and coalesce(trial_ends_at <= moment, false))
$$;
