import { inject } from 'vitest'
import { asClient } from '../db/roles.ts'
import type { TestDatabase } from './database.ts'

/**
 * Gives the database `clear_tables()`, which deletes the rows of organizations and people and of what the engine keeps
 * about its work. A hundred tables and their indexes are expensive to truncate, and few have rows: only those are
 * touched, without triggers, as `truncate` would do it.
 */
export async function clearingTables({ settings }: TestDatabase): Promise<void> {
  const { superuser } = inject('cluster')
  await asClient({ ...superuser, database: settings.owner.database }, (client) => client.query(CLEAR_TABLES))
}

const CLEAR_TABLES = `
  create table cleared as
    with recursive owned(id) as (
      select name::regclass::oid
      from unnest('{organization,person,budget,node,kill_switch,instance,punctuality,attempt,event}'::text[]) name
      union
      select f.conrelid from pg_constraint f join owned on owned.id = f.confrelid where f.contype = 'f'
    )
    select c.oid::regclass::text as name from owned join pg_class c on c.oid = owned.id where not c.relispartition;
  create function clear_tables() returns void language plpgsql security definer
    set session_replication_role = replica set search_path = public as $$
    declare
      cleared text;
      is_filled boolean;
    begin
      for cleared in select name from cleared loop
        execute format('select exists (select from %s)', cleared) into is_filled;
        if is_filled then execute format('delete from %s', cleared); end if;
      end loop;
    end $$;
  grant execute on function clear_tables() to public`
