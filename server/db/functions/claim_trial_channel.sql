-- Claims the account for the trial of the transaction's organization; false if it was used on another organization's trial.
create or replace function claim_trial_channel(platform text, remote_id text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  mine uuid := current_setting('app.org_id')::uuid;
begin
  insert into trial_channel as t (platform, remote_id, org_id) values (claim_trial_channel.platform, claim_trial_channel.remote_id, mine) on conflict do nothing;
  return exists (select 1 from trial_channel t where t.platform = claim_trial_channel.platform and t.remote_id = claim_trial_channel.remote_id and t.org_id = mine);
end $$;
revoke all on function claim_trial_channel from public;
grant execute on function claim_trial_channel to rookery_app;
