import { SYSTEM } from './roles.ts'

/**
 * Lets the system role run jobs. graphile-worker turns row-level security on without a policy, which means "the owner
 * only"; the app's role gets nothing and enqueues through a definer function. Safe to repeat at every start.
 */
export const WORKER_GRANTS = `
grant usage on schema graphile_worker to ${SYSTEM};
grant select, insert, update, delete on all tables in schema graphile_worker to ${SYSTEM};
grant usage on all sequences in schema graphile_worker to ${SYSTEM};
revoke execute on all functions in schema graphile_worker from public;
grant execute on all functions in schema graphile_worker to ${SYSTEM};
do $$
declare
  target regclass;
begin
  for target in
    select c.oid::regclass from pg_class c
    where c.relnamespace = 'graphile_worker'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'worker')
  loop
    execute format('create policy worker on %s to ${SYSTEM} using (true) with check (true)', target);
  end loop;
end $$;
`
